import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Simulator } from "../../simulator";
import { isObject, type JsonObject } from "../../src/base/json";
import { DiffResponse_DiffChanges } from "../../src/plugin/messages/pulumi/provider_pb";
import { resource } from "../../src/provider";
import { plugin, urnOf } from "../plugin/providerSetup";
import { type Recorded, services, statesOf } from "./released";

const RELEASES = ["0.1.0"];

/** What was done once is not looked at by a refresh. */
const READABLE =
  /^(Zone|ZoneAccess|ZoneIps|ZonePassword|ProxyPort|WhitelistIp|BannedIp|Manager(Settings|User|ApiKey))$/;

/** A value as the engine keeps it: secrets are marked beside it. */
function unsealed(value: unknown): unknown {
  if (isRpcSecret(value)) return unsealed(unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(unsealed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unsealed(item)]));
}

async function adapter(kind: string, simulator: Simulator) {
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const made = resource(kind, 1);
  await made.configure({ config: { get: () => undefined } });
  return made;
}

describe.each(RELEASES)("a state that %s has written", (release) => {
  const states = statesOf(release);
  const titled = states.map((state) => ({ ...state, title: `${state.kind} ${state.id}` }));
  // What the class adds by now.
  const declared = ({ inputs }: Recorded): JsonObject => ({ ...inputs, __key: "aB3_x-9k" });

  test("has every kind of that release", () => {
    expect(new Set(states.map(({ kind }) => kind)).size).toBe(19);
  });

  test.each(titled)("is no difference in a preview: $title", async (state) => {
    const it = await adapter(state.kind, await services(states));
    const { inputs, failures } = await it.check(state.inputs, declared(state));
    expect(failures).toEqual([]);
    const { changes } = await it.diff(state.id, state.outputs, unsealed(inputs) as JsonObject);
    expect(changes).toBe(false);
  });

  test("is no difference where the program spells the names in rules as it does everything else by now", async () => {
    const state = states.find(({ id }) => id === "24500") as Recorded;
    const rules = [{ status: "200", actionType: "ban_ip", action: { banIp: 600_000 } }];
    const it = await adapter(state.kind, await services(states));
    const refreshed = unsealed((await it.read(state.id, state.outputs)).props) as JsonObject;
    const { inputs, failures } = await it.check(state.inputs, { ...declared(state), rules });
    expect(failures).toEqual([]);
    for (const outputs of [state.outputs, refreshed])
      expect((await it.diff(state.id, outputs, unsealed(inputs) as JsonObject)).changes).toBe(false);
  });

  test.each(titled.filter(({ kind }) => READABLE.test(kind)))("is none after a refresh: $title", async (state) => {
    const simulator = await services(states);
    const before = simulator.manager.service.requests.length;
    const it = await adapter(state.kind, simulator);
    const read = await it.read(state.id, state.outputs);
    expect(read.id).toBe(state.id);
    const refreshed = unsealed(read.props) as JsonObject;
    const { inputs } = await it.check(state.inputs, declared(state));
    expect((await it.diff(state.id, refreshed, unsealed(inputs) as JsonObject)).changes).toBe(false);
    const requests = [...simulator.remote.service.requests, ...simulator.manager.service.requests.slice(before)];
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test.each(titled)(
    "goes over to the native form, and nothing is sent that changes anything: $title",
    async (state) => {
      const simulator = await services(states);
      const before = simulator.manager.service.requests.length;
      const args = { apiToken: simulator.token, baseUrl: simulator.remote.url, proxyManagerUrl: simulator.manager.url };
      const { ask } = await plugin({ args: { ...args, logLevel: "off" } });
      const held = { id: state.id, urn: urnOf(state.kind), oldInputs: state.inputs };
      const { __provider: _, ...news } = declared(state);
      const checked = await ask("check", { urn: held.urn, olds: state.inputs, news });
      expect(checked.failures).toEqual([]);
      const asked = { ...held, olds: state.outputs, news: checked.inputs };
      expect(await ask("diff", asked)).toMatchObject({ changes: DiffResponse_DiffChanges.DIFF_NONE });
      // The engine updates what has another provider by now.
      const { properties } = await ask("update", asked);
      const next = { ...held, oldInputs: checked.inputs, olds: properties, news: checked.inputs };
      expect(await ask("diff", next)).toMatchObject({ changes: DiffResponse_DiffChanges.DIFF_NONE });
      if (READABLE.test(state.kind)) {
        const read = await ask("read", { ...held, inputs: checked.inputs, properties });
        expect(read.id).toBe(state.id);
      }
      const requests = [...simulator.remote.service.requests, ...simulator.manager.service.requests.slice(before)];
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    },
  );
});
