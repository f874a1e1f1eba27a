import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { startSimulator } from "../../simulator";
import type { Start } from "../histories/box.mts";
import { BoxProgram } from "../histories/boxProgram.mts";
import { Machine } from "../histories/machine.mts";
import { Program, type Resource } from "../histories/program.mts";
import { RealPlugins } from "./realPlugin";

const classes = new Program(new Machine());

/** A stack of native resources, whose plugin is started by Pulumi's engine. */
async function stack() {
  const simulator = await startSimulator({ seed: "seed" });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("shop", { type: "static", ips_type: "dedicated", ips: 1 });
  const home = mkdtempSync(join(tmpdir(), "real-plugin-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const config = {
    "brightdata:apiToken": simulator.token,
    "brightdata:baseUrl": simulator.remote.url,
    "brightdata:proxyManagerUrl": simulator.manager.url,
  };
  const engine = new RealPlugins(inject("engineBox"), { PATH: process.env.PATH, PULUMI_HOME: home });
  let state: unknown = null;
  return {
    simulator,
    async run(what: Start["what"], resources: Resource[] = [], killedAt?: "create" | "update") {
      const declared = resources.map((each) => classes.declared("dev", each, { config, args: {} }, "native"));
      const program = new BoxProgram("dev", declared).registrations({ settings: {} });
      const options = { parallel: 1 };
      const ran = await engine.run(
        { what, stack: "dev", config, state, seed: 1, program, options, broken: {} },
        killedAt,
      );
      state = ran.state;
      return ran;
    },
  };
}

const zone: Resource = {
  kind: "Zone",
  name: "zone",
  args: { name: "web", plan: { type: "static", ipsType: "shared", country: "us" } },
};
const ips = (count: number): Resource => ({ kind: "ZoneIps", name: "ips", args: { zone: "shop", count } });
const port = (country: string): Resource => ({
  kind: "ProxyPort",
  name: "port",
  args: { zone: "shop", port: 24_100, country },
});

test("the plugin as the process that it is: a life of a stack whose engine is killed alone", async () => {
  const { simulator, run } = await stack();
  const { account } = simulator;
  const bought = () => account.zone("shop")?.allocatedIps.length;

  const first = await run("update", [zone, port("us")]);
  expect(first).toMatchObject({ errors: [], steps: ["create zone", "create port"] });
  expect(await run("preview", [zone, port("us")])).toMatchObject({ errors: [], steps: [] });

  const killed = await run("update", [zone, port("us"), ips(2)], "create");
  expect(killed).toMatchObject({ steps: ["create ips"], codes: [1] });
  expect(bought()).toBe(3);

  const next = await run("update", [zone, port("de"), ips(2)]);
  expect(next).toMatchObject({ errors: [], steps: ["update port", "create ips"] });
  expect(next.words.join("\n")).toMatch(
    /Took up the addition of 2 IPs to zone "shop", which an earlier update had created/,
  );
  expect(bought()).toBe(3);

  for (const [what, method] of [
    ["refresh", "read"],
    ["destroy", "delete"],
  ] as const) {
    const { errors, steps } = await run(what);
    expect(errors).toEqual([]);
    expect(steps.sort()).toEqual([`${method} ips`, `${method} port`, `${method} zone`]);
  }
  expect(account.liveZones().map(({ name }) => name)).toEqual(["shop"]);
  expect(bought()).toBe(1);
});
