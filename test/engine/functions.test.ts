import { expect, it } from "vitest";
import { scene } from "./harness";

it("the functions look up what is there, in a preview too, and change nothing", async () => {
  const { stack, simulator, declare } = await scene();
  simulator.account.addZone("web", { type: "static", ips_type: "shared" });
  declare(
    { call: "getZoneOutput", name: "zone", args: { name: "web" } },
    { call: "getZoneCostOutput", name: "cost", args: { zone: "web" } },
    { call: "getZoneBandwidthOutput", name: "bandwidth", args: { zone: "web" } },
    { call: "getZonePasswordsOutput", name: "passwords", args: { zone: "web" } },
  );
  const preview = await stack.expect("preview");
  expect(preview).toContain('name       : "web"');
  const printed = await stack.expect("up");
  const outputs = await stack.outputs();
  expect(outputs.zone).toMatchObject({ name: "web", disabled: false, status: "active" });
  expect(outputs.cost).toMatchObject({ zone: "web" });
  const [password] = simulator.account.zone("web")?.password ?? [];
  expect(JSON.stringify(outputs.passwords)).toContain(password);
  expect(printed).not.toContain(password);
  expect(await stack.stateText()).not.toContain(password);
  expect(simulator.remote.service.requests.every(({ method }) => method === "GET")).toBe(true);
});

it("the functions wait for a zone that the same program makes", async () => {
  const { stack, simulator, declare } = await scene();
  declare(
    { kind: "Zone", name: "web", args: { name: "new_zone", plan: { type: "static" } } },
    { call: "getZoneCostOutput", name: "cost", args: { zone: { $output: ["web", "id"] } } },
  );
  await stack.expect("preview");
  expect(simulator.remote.service.requests).toEqual([]);
  await stack.expect("up");
  expect((await stack.outputs()).cost).toMatchObject({ zone: "new_zone" });
});

it("the functions say what is wrong", async () => {
  const { stack, simulator, declare } = await scene();
  simulator.account.addZone("web_scraper", { type: "static" });
  declare({ call: "getZoneOutput", name: "zone", args: { name: "web_scrapr" } });
  const { status, stdout, stderr } = await stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout).toContain("web_scraper");
  expect(stdout + stderr).not.toMatch(/\n\s+at /);
});

it("the functions say once that a service cannot be reached", async () => {
  const { stack, declare } = await scene();
  const zones = ["a", "b", "c"];
  declare(...zones.map((zone) => ({ call: "getZoneCostOutput", name: zone, args: { zone } })));
  // A port that was the simulator's may be another test's by now.
  stack.setEnvironment({ BRIGHTDATA_BASE_URL: "http://127.0.0.1:1" });
  const { status, stdout } = await stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout.match(/^ {4}error: .*/gm)).toEqual([expect.stringContaining("cannot be reached")]);
});
