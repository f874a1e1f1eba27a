import type { JsonObject } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { placeOfUrn } from "../../src/pulumi/place";
import { UNKNOWN_VALUE } from "../../src/pulumi/values";
import { Operations } from "../../src/run/operations";
import { type Ask, pluginWithService, secret, urnOf } from "./providerSetup";

const ZONE = urnOf("Zone");
const PASSWORD = urnOf("ZonePassword", "pw");
const PLAN = { type: "static", ipsType: "shared", country: "us" };
const WEB = { name: "web", plan: PLAN };

const inOther = () => ({});
/** What the classes of the package tell of a resource besides. */
const inClasses = (name: string) => ({ __program: { place: `place of ${name}` } });

async function made(ask: Ask, urn: string, news: JsonObject) {
  const { inputs } = (await ask("check", { urn, olds: {}, news })) as { inputs: JsonObject };
  const { id, properties } = (await ask("create", { urn, properties: inputs })) as {
    id: string;
    properties: JsonObject;
  };
  return { id, urn, inputs, properties };
}

/** A zone `web` with a password, and the plugin of the next run. */
async function withPassword(program: (name: string) => JsonObject = inOther) {
  const { simulator, ask, next } = await pluginWithService();
  const zone = await made(ask, ZONE, { ...WEB, ...program("web") });
  const password = await made(ask, PASSWORD, {
    zone: "web",
    password: secret("Hunter2!") as JsonObject,
    ...program("pw"),
  });
  const isValid = () => simulator.account.zones.get("web")?.password.includes("Hunter2!");
  expect(isValid()).toBe(true);
  return { simulator, zone, password, isValid, ...(await next()) };
}

const compared = (ask: Ask, { id, urn }: { id: string; urn: string }, state: JsonObject, news: JsonObject) =>
  ask("diff", { id, urn, olds: state.properties, oldInputs: state.inputs, news });

const deleted = (ask: Ask, { id, urn, properties, inputs }: Awaited<ReturnType<typeof made>>) =>
  ask("delete", { id, urn, properties, oldInputs: inputs });

test.each([
  ["of the package's classes", inClasses],
  ["in another language", inOther],
])("a password is removed from a zone that a refresh would have replaced, in a program %s", async (_, program) => {
  const { simulator, ask, zone, password, isValid } = await withPassword(program);
  Object.assign(simulator.account.zones.get("web")?.plan ?? {}, { country: "de" });
  const found = (await ask("read", { ...zone, properties: zone.properties })) as JsonObject;
  const refreshed = await compared(ask, zone, found, zone.inputs);
  expect(refreshed).toMatchObject({ replaces: ["plan"] });
  const accepting = { ...WEB, plan: { ...PLAN, country: "de" }, ...program("web") };
  const { inputs } = (await ask("check", { urn: ZONE, olds: found.inputs, news: accepting })) as { inputs: JsonObject };
  expect(await compared(ask, zone, found, inputs)).toMatchObject({ replaces: [] });
  await deleted(ask, password);
  expect(isValid()).toBe(false);
});

test.each([
  ["after", ["old", "adopter"]],
  ["before", ["adopter", "old"]],
])(
  "a password is removed from a zone that another resource takes over, told of %s it is replaced",
  async (_, order) => {
    const { ask, zone, password, isValid } = await withPassword();
    const adopter = urnOf("Zone", "adopter");
    const replaced = async () => {
      const { inputs } = await ask("check", { urn: ZONE, olds: zone.inputs, news: { ...WEB, name: "web2" } });
      expect(await compared(ask, zone, zone, inputs as JsonObject)).toMatchObject({ replaces: ["name"] });
    };
    const steps = { old: replaced, adopter: () => made(ask, adopter, { ...WEB, adopt: true }) };
    for (const step of order) await steps[step as keyof typeof steps]();
    await deleted(ask, password);
    expect(isValid()).toBe(false);
  },
);

/** Has the zone `web` replaced by `web2`: in another language than TypeScript, nobody says whether `retainOnDelete` keeps it. */
async function renamed(ask: Ask, zone: Awaited<ReturnType<typeof made>>, program: (name: string) => JsonObject) {
  const news = { ...WEB, name: "web2", ...program("web") };
  const { inputs } = (await ask("check", { urn: ZONE, olds: zone.inputs, news })) as { inputs: JsonObject };
  expect(await compared(ask, zone, zone, inputs)).toMatchObject({ replaces: ["name"] });
  await ask("create", { urn: ZONE, properties: inputs });
}

test.each([
  ["of the package's classes that does not retain it", inClasses, true],
  ["in another language, where it may be retained", inOther, false],
])("a password goes with a zone that is replaced, or before it: in a program %s", async (_, program, isLeft) => {
  const { ask, zone, password, isValid } = await withPassword(program);
  await renamed(ask, zone, program);
  await deleted(ask, password);
  expect(isValid()).toBe(isLeft);
});

test("a password is gone with a zone of which another has been made under its name by now", async () => {
  const { simulator, ask, zone, password } = await withPassword();
  const news = { ...WEB, plan: { ...PLAN, country: "de" } };
  const { inputs } = (await ask("check", { urn: ZONE, olds: zone.inputs, news })) as { inputs: JsonObject };
  expect(await compared(ask, zone, zone, inputs)).toMatchObject({ replaces: ["plan"] });
  await deleted(ask, zone);
  await ask("create", { urn: ZONE, properties: inputs });
  simulator.remote.service.requests.length = 0;
  await deleted(ask, password);
  expect(simulator.remote.service.requests).toEqual([]);
});

test("the only password of a zone that may be retained stays, and that is said", async () => {
  const { simulator, ask, zone, password, isValid, said } = await withPassword();
  Object.assign(simulator.account.zones.get("web") ?? {}, { password: ["Hunter2!"] });
  await renamed(ask, zone, inOther);
  await deleted(ask, password);
  expect(isValid()).toBe(true);
  expect(said.map(({ words }) => words).join("\n")).toContain('The only password of zone "web" stays');
});

test("the access lists of a zone that may be retained stay as they are: nobody is let in", async () => {
  const { simulator, ask, next } = await pluginWithService();
  const zone = await made(ask, ZONE, WEB);
  const access = await made(ask, urnOf("ZoneAccess", "access"), { zone: "web", allowedIps: ["203.0.113.7"] });
  const { ask: then } = await next();
  await renamed(then, zone, inOther);
  await deleted(then, access);
  expect(simulator.account.zones.get("web")?.ips).toEqual(["203.0.113.7"]);
});

test.each([
  ["after", ["old", "adopter"]],
  ["before", ["adopter", "old"]],
])("a ban is lifted from a port that another resource takes over, told of %s it is replaced", async (_, order) => {
  const { simulator, ask, next } = await pluginWithService({ manager: {} });
  simulator.account.addZone("web", { type: "static" });
  const PORT = { port: 24_500, zone: "web" };
  const port = await made(ask, urnOf("ProxyPort"), PORT);
  const ban = await made(ask, urnOf("BannedIp", "ban"), { ip: "192.0.2.7", port: 24_500 });
  const bans = async () => {
    const answer = await fetch(`${simulator.manager.url}/api/banlist/24500`);
    return ((await answer.json()) as { ips: string[] }).ips;
  };
  expect(await bans()).toEqual(["192.0.2.7"]);
  const { ask: then } = await next();
  const replaced = async () => {
    const news = { ...PORT, port: 24_501 };
    const { inputs } = await then("check", { urn: port.urn, olds: port.inputs, news });
    expect(await compared(then, port, port, inputs as JsonObject)).toMatchObject({ replaces: ["port"] });
  };
  const steps = { old: replaced, adopter: () => made(then, urnOf("ProxyPort", "adopter"), { ...PORT, adopt: true }) };
  for (const step of order) await steps[step as keyof typeof steps]();
  await deleted(then, ban);
  expect(await bans()).toEqual([]);
});

test.each([
  ["of the package's classes", inClasses],
  ["in another language", inOther],
])(
  "what another resource is to have is kept where the engine skips that, as something has failed, in a program %s",
  async (_, program) => {
    const { simulator, ask, next } = await pluginWithService();
    const given = { zone: "web", allowedIps: ["203.0.113.7"] };
    const zone = await made(ask, ZONE, { ...WEB, ...program("web") });
    const access = await made(ask, urnOf("ZoneAccess", "access"), { ...given, ...program("access") });
    const other = await made(ask, urnOf("ZoneAccess", "other"), { zone: "web", deniedIps: ["203.0.113.8"] });
    const { ask: later } = await next();
    // In an update, the engine asks so of what it skips.
    await later("create", { urn: urnOf("Zone", "site"), properties: { ...WEB, ...program("site") }, preview: true });
    const news = { ...given, deniedIps: ["203.0.113.8"], ...program("other") };
    await later("update", { ...other, olds: other.properties, oldInputs: other.inputs, news, preview: true });
    const before = simulator.remote.service.requests.length;
    for (const [each, things] of [[zone, "zone web"] as const, [access, "allowedIps of zone web"] as const])
      await expect(deleted(later, each)).rejects.toThrow(`this program declares ${things} by another name`);
    const changes = simulator.remote.service.requests.slice(before).filter(({ method }) => method !== "GET");
    expect(changes).toEqual([]);
  },
);

// In an update, the engine leaves out what is not known of what it skips.
test.each([
  ["is kept for a resource that the engine skips, and that may be of its zone", {}, 2],
  ["is kept for one whose zone is said not to be known", { zone: UNKNOWN_VALUE }, 2],
  ["is not kept for one of another zone", { zone: "api" }, 1],
])("what is of a zone %s", async (_, properties, left) => {
  const { simulator, ask, next } = await pluginWithService();
  await made(ask, ZONE, WEB);
  const password = await made(ask, PASSWORD, { zone: "web" });
  const { ask: later } = await next();
  await later("create", { urn: urnOf("ZonePassword", "new"), properties, preview: true });
  const deletion = deleted(later, password).then(
    () => "done",
    ({ message }) => message,
  );
  expect(await deletion).toMatch(left === 2 ? /^Nothing was done to .* may declare a password of zone web/ : "done");
  expect(simulator.account.zones.get("web")?.password).toHaveLength(left);
});

test("a deletion is told where the engine has a resource, which an alias may have moved since its state was written", async () => {
  const { ask, password, isValid } = await withPassword(inClasses);
  const deletion = vi.spyOn(Operations.prototype, "delete");
  onTestFinished(() => deletion.mockRestore());
  const urn = password.urn.replace("::brightdata:", "::team:index:Team$brightdata:");
  await deleted(ask, { ...password, urn });
  expect(deletion.mock.calls[0]?.[0].urnPlace).toBe(placeOfUrn(urn));
  expect(isValid()).toBe(false);
});
