import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { LOGICAL_NAME } from "../../src/declaration/kind";
import { proxyPortLifecycle as proxyPort } from "../../src/kinds/proxyPort/lifecycle";
import { whitelistIpLifecycle as whitelistIp } from "../../src/kinds/whitelistIp/lifecycle";
import { zoneLifecycle as zone } from "../../src/kinds/zone/lifecycle";
import { type Holdings, type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { declaredIn } from "../lifecycle/harness";

const PLAN = { type: "static", ips: 2 };
const WEB = { name: "web", plan: PLAN };
const AUTOMATIC = { name: "web_1a2b3c4d", plan: PLAN, [LOGICAL_NAME]: "web" };
const LARGER = { ...PLAN, ips: 3 };
const PORT = { zone: "web", port: 24_500 };
const ALLOWED = { ip: "203.0.113.7", list: "ui" };

const NOTHING = { changed: [], replaces: [] };
const inPlace = (...changed: string[]) => ({ changed, replaces: [] });
const anew = (...changed: string[]) => ({ changed, replaces: changed });

test.each<[string, Lifecycle, JsonObject, JsonObject, { changed: string[]; replaces: string[] }, boolean]>([
  ["the same zone", zone, WEB, WEB, NOTHING, false],
  ["a zone of another name", zone, WEB, { ...WEB, name: "shop" }, anew("name"), false],
  ["a zone of a name not known yet", zone, WEB, { ...WEB, name: UNKNOWN }, anew("name"), false],
  ["a zone of another plan", zone, WEB, { ...WEB, plan: LARGER }, anew("plan.ips"), true],
  ["both", zone, WEB, { name: "shop", plan: LARGER }, anew("name", "plan.ips"), false],
  ["an automatic name's plan", zone, AUTOMATIC, { ...AUTOMATIC, plan: LARGER }, anew("plan.ips"), false],
  ["another automatic name", zone, AUTOMATIC, { ...AUTOMATIC, name: "web_5e6f7a8b" }, NOTHING, false],
  ["a number that is not declared any more", proxyPort, PORT, { zone: "web" }, inPlace("port"), false],
  ["another number", proxyPort, PORT, { ...PORT, port: 24_501 }, anew("port"), false],
  ["a country", proxyPort, PORT, { ...PORT, country: "us" }, inPlace("country"), false],
  ["a fixed field", proxyPort, PORT, { ...PORT, iface: "10.0.0.1" }, anew("iface"), true],
  ["another address", whitelistIp, ALLOWED, { ...ALLOWED, ip: "203.0.113.8" }, anew("ip"), false],
  ["an address on the other list", whitelistIp, ALLOWED, { ...ALLOWED, list: "ports" }, anew("list"), true],
  ["both changed", whitelistIp, ALLOWED, { ip: "203.0.113.8", list: "ports" }, anew("ip", "list"), false],
])(
  "%s is compared by what can be changed in place, and by what has to go first",
  (_what, kind, before, after, ...rest) => {
    const [difference, deleteBeforeReplace] = rest;
    expect(kind.diff(before, declaredIn(before), after)).toEqual({ ...difference, deleteBeforeReplace });
  },
);

test.each<[string, Lifecycle, string | undefined, JsonObject, Pick<Holdings, "has" | "takesOver">]>([
  ["a zone of the state", zone, "web", WEB, { has: ["zone web"], takesOver: undefined }],
  ["a zone's inputs", zone, undefined, WEB, { has: ["zone web"], takesOver: [] }],
  ["a zone to adopt", zone, undefined, { ...WEB, adopt: true }, { has: ["zone web"], takesOver: ["zone web"] }],
  ["a zone with an automatic name", zone, undefined, AUTOMATIC, { has: [], takesOver: [] }],
  ["a zone whose name is not known", zone, undefined, { name: UNKNOWN, plan: PLAN }, { has: [], takesOver: [] }],
  ["a port of the state", proxyPort, "24500", { ...PORT, port: 1 }, { has: ["port 24500"], takesOver: [] }],
  ["a port's inputs", proxyPort, undefined, PORT, { has: ["port 24500"], takesOver: [] }],
  [
    "a port's inputs with more ports",
    proxyPort,
    undefined,
    { ...PORT, multiply: 100, adopt: true },
    { has: ["port 24500", "port 24599"], takesOver: ["port 24500"] },
  ],
  [
    "a port of the state with more",
    proxyPort,
    "24500",
    { ...PORT, multiply: 100 },
    { has: ["port 24500"], takesOver: [] },
  ],
  ["a port without a number", proxyPort, undefined, { zone: "web", adopt: true }, { has: [], takesOver: [] }],
  ["a number not known", proxyPort, undefined, { ...PORT, port: UNKNOWN, adopt: true }, { has: [], takesOver: [] }],
  [
    "a port to adopt",
    proxyPort,
    undefined,
    { ...PORT, adopt: true },
    { has: ["port 24500"], takesOver: ["port 24500"] },
  ],
  [
    "a port to adopt that may be another's, as what cannot be changed in place decides",
    proxyPort,
    undefined,
    { ...PORT, adopt: true, iface: "10.0.0.1" },
    { has: ["port 24500"], takesOver: [] },
  ],
])("%s has, and takes over, what its inputs name for certain", (_what, kind, id, values, expected) => {
  expect(kind.holdings(id, values)).toMatchObject(expected);
});
