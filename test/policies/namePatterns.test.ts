import { expect, test } from "vitest";
import { namePatterns } from "../../policies/rules/namePatterns";
import { resource, saysOf, UNKNOWN, zone } from "./resources";

test("the name of a zone has a pattern", () => {
  expect(saysOf(namePatterns, zone("web_scraping", {}))).toEqual([]);
  expect(saysOf(namePatterns, zone("Web-Scraping", {}))).toEqual([
    '`name` is "Web-Scraping": expected a name that matches ^[a-z][a-z0-9_]*$.',
  ]);
  expect(saysOf(namePatterns, zone("web", {}, { name: UNKNOWN }))).toEqual([]);
});

test("the internal names of ports, also of those in a set, and the names of resources may have one", () => {
  const options = { port: "^shop-", resource: "^[a-z]+$" };
  const defaults = { internalName: "shop-all" };
  const ports = { a: { internalName: "mine" }, b: {} };
  expect(saysOf(namePatterns, resource("ProxyPort", "one", {}))).toEqual([]);
  expect(saysOf(namePatterns, resource("ProxyPort", "one", {}), options)).toEqual([
    '`internalName` is "": expected a name that matches ^shop-.',
  ]);
  expect(saysOf(namePatterns, resource("ProxyPorts", "Fleet", { defaults, ports }), options)).toEqual([
    'The name of the resource is "Fleet": expected a name that matches ^[a-z]+$.',
    '`ports["a"].internalName` is "mine": expected a name that matches ^shop-.',
  ]);
});
