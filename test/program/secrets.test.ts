import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { ProxyPorts } from "../../src";
import { proxyPort } from "../../src/kinds/proxyPort/declaration";
import { secretsGiven } from "../../src/program/secrets";
import { registration } from "../kinds/classes";

const HEADERS = [{ name: "X-Api-Key", value: "hunter2" }];

test.each<[what: string, defaults: object, told: string | undefined]>([
  ["nothing that is known later", { zone: "web", headers: HEADERS }, undefined],
  ["no secret", { zone: pulumi.output("web"), headers: Promise.resolve(HEADERS) }, undefined],
  ["a secret", { zone: "web", headers: pulumi.secret(HEADERS) }, "defaults.headers"],
  ["a promise of one", { zone: "web", headers: Promise.resolve(pulumi.secret(HEADERS)) }, "defaults.headers"],
  ["one in a list", { headers: [{ name: "X-Api-Key", value: pulumi.secret("hunter2") }] }, "defaults.headers"],
  ["an object with one", pulumi.output({ zone: "web", headers: pulumi.secret(HEADERS) }), "defaults"],
  ["one in what is promised", Promise.resolve({ zone: "web", user: pulumi.secret("it") }), "defaults"],
  ["one that is declared to be one", { zone: "web", password: pulumi.secret("hunter2") }, undefined],
])("a dynamic resource with %s tells its provider so, which the engine does not", async (_, defaults, told) => {
  const set = new ProxyPorts("fleet", { defaults, ports: { "us.1": { port: 24_000 } } });
  const { inputs } = await registration(set);
  expect(inputs.__program).toEqual({ name: "fleet", ...(told === undefined ? {} : { secrets: told }) });
});

test("keys with dots are told apart", async () => {
  const ports = { "us.1": { port: 24_000, user: pulumi.secret("it") }, b: { port: pulumi.secret(24_001) } };
  const { inputs } = await registration(new ProxyPorts("fleet", { ports }));
  expect(inputs.__program).toEqual({ name: "fleet", secrets: "ports.us\\.1.user,ports.b.port" });
});

test("what fails is no secret: that it fails is told where it is registered", async () => {
  expect(await secretsGiven(proxyPort, { zone: Promise.reject(new Error("no zone")) })).toEqual([]);
});
