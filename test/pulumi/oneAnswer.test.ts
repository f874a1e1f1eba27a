import { expect, it } from "vitest";
import { type Declaration, edit, scene } from "./harness";

it("one list without IPs that are paid for is not believed: they stay in the state, and none is bought", async () => {
  const { simulator, stack, declare } = await scene();
  const zone = simulator.account.addZone("web", { type: "static", ips: 2 });
  const { faults, requests } = simulator.remote.service;
  declare({ kind: "ZoneIps", name: "ips", args: { zone: "web", count: 3 } });
  await stack.expect("up");
  const all = zone.allocatedIps.map(({ ip }) => ip);
  expect(all).toHaveLength(5);
  const answer = (listed: readonly string[], after = 0) => {
    const body = JSON.stringify({ ips: listed.map((ip) => ({ ip, maxmind: "us", ext: {} })) });
    const headers = { "content-type": "application/json" };
    faults.add({ method: "GET", path: "/zone/ips", kind: "respond", status: 200, headers, body, after });
  };
  for (const listed of [[], all.slice(0, 3)]) {
    answer(listed);
    await stack.expect("refresh");
    faults.clear();
    expect((await stack.resources())[0]?.outputs).toMatchObject({ ips: all.slice(2) });
    await stack.expect("up");
    expect(zone.allocatedIps.map(({ ip }) => ip)).toEqual(all);
  }
  answer([], 1);
  await stack.expect("destroy");
  expect(zone.allocatedIps.map(({ ip }) => ip)).toEqual(all.slice(0, 2));
  expect(requests.filter(({ method, path }) => method === "POST" && path === "/zone/ips")).toHaveLength(1);
});

it("a port that somebody has made by hand on a manager that lost its configuration is nobody's but theirs", async () => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  const { manager } = simulator;
  const port = (country: string): Declaration => ({
    kind: "ProxyPort",
    name: "port",
    args: { port: 24_500, zone: "web", country },
  });
  declare(port("us"));
  await stack.expect("up");
  await manager.reset();
  await edit(manager.url, "POST", "/api/proxies", { proxy: { port: 24_500, zone: "web", country: "us" } });
  const made = structuredClone(manager.state.records);
  expect(made).toHaveLength(1);
  for (const [command, country] of [
    ["up", "de"],
    ["refresh", "us"],
    ["destroy", "us"],
  ] as const) {
    declare(port(country));
    await stack.command(command);
    expect(manager.state.records, command).toEqual(made);
  }
});
