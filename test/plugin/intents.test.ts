import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { backend } from "../../src/run/backend";
import { filesIn, intentsFolder } from "../../src/run/intentFiles";
import { type Plugin, pluginWithService, urnOf } from "./providerSetup";

const URN = urnOf("Zone");
const INPUTS = { name: "web", plan: { type: "static", ipsType: "shared", country: "us" } };

beforeEach(() => void vi.stubEnv("PULUMI_BACKEND_URL", "file:///states"));
afterEach(() => void vi.unstubAllEnvs());

/** What a program in another language makes: nothing of ours hears there that the engine has saved the state. */
async function made({ ask }: Plugin, news: object = INPUTS) {
  const { inputs } = await ask("check", { urn: URN, olds: {}, news });
  const { id, properties } = await ask("create", { urn: URN, properties: inputs });
  return { id, inputs, properties };
}

const words = ({ said }: Plugin): string[] => said.map((speech) => speech.words);

test("what no state has any more is taken up by the next update at its place, with a word that is true however it came so", async () => {
  const { simulator, next, ...first } = await pluginWithService();
  await made(first);
  const again = await next();
  expect((await made(again)).id).toBe("web");
  expect(simulator.account.liveZones()).toHaveLength(1);
  expect(words(again)).toContain('Took up zone "web", which an earlier update had created.');
});

test("what a stack of the same name in another organization may have is not taken up", async () => {
  vi.stubEnv("PULUMI_BACKEND_URL", "https://api.pulumi.com");
  const { simulator, next, ...first } = await pluginWithService();
  const { plan } = INPUTS;
  const theirs = await made(first, { plan });
  const again = await next();
  const ours = await made(again, { plan });
  expect(ours.id).not.toBe(theirs.id);
  expect(simulator.account.liveZones()).toHaveLength(2);
  const said = words(again).filter((each) => each.includes(`zone "${theirs.id}"`));
  expect(said[0]).toMatch(/Look first whether a stack of the same name in another organization has it\.$/);
  expect(words(again).join()).not.toContain("Took up");
});

/** A program whose stack's state is in Pulumi Cloud adds an IP to a zone: which it did not save, or another organization's has. */
async function withAddition() {
  vi.stubEnv("PULUMI_BACKEND_URL", "https://api.pulumi.com");
  const { simulator, next, ...first } = await pluginWithService();
  simulator.account.addZone("web", { type: "static", ipsType: "shared", ips: 1, country: "us" });
  const urn = urnOf("ZoneIps");
  const add = async ({ ask }: Plugin) => {
    const { inputs } = await ask("check", { urn, olds: {}, news: { zone: "web", count: 1 } });
    const { id, properties } = await ask("create", { urn, properties: inputs });
    return { id, urn, inputs, properties };
  };
  const theirs = await add(first);
  const bought = () =>
    simulator.remote.service.requests.filter(({ method, path }) => method === "POST" && path === "/zone/ips").length;
  return { next, add, theirs, bought };
}

test("IPs that an earlier update may have bought are not bought again: it says which file is to be deleted", async () => {
  const { next, add, bought } = await withAddition();
  const before = bought();
  await expect(add(await next())).rejects.toThrow(
    /^Nothing was sent: .* may have bought the same already\..* delete \S+ and run again\./s,
  );
  expect(bought()).toBe(before);
  for (const { file } of filesIn(intentsFolder())) rmSync(file);
  await add(await next());
  expect(bought()).toBe(before + 1);
});

test("a deletion says of what another organization's stack may have that it is to be looked for there, too", async () => {
  const { next, add, theirs } = await withAddition();
  const { id, urn, inputs, properties } = theirs;
  const held = { id, urn, olds: properties, oldInputs: inputs, news: inputs };
  await (await next()).ask("diff", held);
  await add(await next());
  const destroying = await next();
  await destroying.ask("delete", { ...held, properties });
  expect(words(destroying)[0]).toMatch(/Look first whether a stack of the same name in another organization has it\.$/);
});

test("so are ports of a set", async () => {
  const { simulator, next, ...first } = await pluginWithService({ manager: {} });
  simulator.account.addZone("web", { type: "static" });
  const urn = urnOf("ProxyPorts");
  const make = async ({ ask }: Plugin) => {
    const news = { ports: { one: { port: 24_000 }, two: { port: 24_001 } }, defaults: { zone: "web" } };
    const { inputs } = await ask("check", { urn, olds: {}, news });
    return ask("create", { urn, properties: inputs });
  };
  await make(first);
  const again = await next();
  await make(again);
  expect(words(again).filter((said) => said.startsWith("Took up"))).toEqual([
    expect.stringMatching(/^Took up 2 ports.*, which an earlier update had created\.$/),
  ]);
});

test.each(["diff", "read", "delete"] as const)(
  "once %s has seen a state, what was made is history: after `pulumi state delete`, it is somebody else's",
  async (method) => {
    const { next, ...first } = await pluginWithService();
    const { id, inputs, properties } = await made(first);
    const seeing = await next();
    const state = method === "read" ? { properties, inputs } : { olds: properties, oldInputs: inputs, news: inputs };
    if (method === "delete") await seeing.ask(method, { urn: URN, id, properties, oldInputs: inputs });
    else await seeing.ask(method, { urn: URN, id, ...state });
    const later = await next();
    if (method === "delete") await made(later);
    else await expect(made(later)).rejects.toThrow(/exists already/);
    expect(words(later).filter((said) => said.startsWith("Took up"))).toEqual([]);
  },
);

test("the backend is that of the program's project, whatever stands where the plugin is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plugin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: other\nbackend:\n  url: file://elsewhere\n");
  const { next: _, ...first } = await pluginWithService();
  // The engine calls the plugin's folder so.
  await first.ask("handshake", { engineAddress: "127.0.0.1:1", programDirectory: folder, rootDirectory: folder });
  await made(first);
  const begun = filesIn(intentsFolder()).map((file) => file.read());
  expect(begun).toMatchObject([{ is: "open", begun: { backend: backend(process.cwd()) } }]);
});
