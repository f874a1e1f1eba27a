import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { inTurn } from "../turn";
import { edit, scene, secretsOf } from "./harness";
import { FORMS, putIn } from "./nativeScene";

const it = inTurn(2);

const plan = { type: "static", ipsType: "shared", country: "us" };

it("a zone is generated a name, which it keeps across updates and which a replacement makes anew", async () => {
  const { stack, simulator, declare } = await scene();
  declare({ kind: "Zone", name: "My-Web", args: { plan } });
  await stack.expect("up");
  const [first] = simulator.account.liveZones();
  expect(first?.name).toMatch(/^my_web_[0-9a-f]{7}$/);

  declare({ kind: "Zone", name: "My-Web", args: { plan, disabled: true } });
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  expect(simulator.account.liveZones().map(({ name, status }) => [name, status])).toEqual([[first?.name, "disabled"]]);

  declare({ kind: "Zone", name: "My-Web", args: { plan: { ...plan, country: "de" } } });
  expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
  const [second, ...others] = simulator.account.liveZones();
  expect(others).toEqual([]);
  expect(second?.name).toMatch(/^my_web_[0-9a-f]{7}$/);
  expect(second?.name).not.toBe(first?.name);
  // Created before the old one was deleted.
  const order = simulator.remote.service.requests.filter(({ path, method }) => path === "/zone" && method !== "GET");
  expect(order.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE"]);
  expect(simulator.account.sweeps).toEqual([]);
});

it("a zone that is replaced is said to be lost, or kept where it is retained: by the state, as the engine goes by that", async () => {
  const { stack, simulator, declare } = await scene();
  const withCountry = (country: string, retainOnDelete: boolean) =>
    declare({ kind: "Zone", name: "web", args: { plan: { ...plan, country } }, options: { retainOnDelete } });
  const live = () => simulator.account.liveZones().length;
  withCountry("us", false);
  await stack.expect("up");
  const steps = [
    { country: "de", isSet: true, isKept: false },
    { country: "fr", isSet: true, isKept: true },
    { country: "gb", isSet: false, isKept: true },
    { country: "us", isSet: false, isKept: false },
  ];
  const says = (isKept: boolean) =>
    isKept
      ? /Zone web_\w+ is replaced by another, and kept as it is, because of `ret/
      : /Zone web_\w+ is replaced: its passwords, .* are lost\./;
  for (const { country, isSet, isKept } of steps) {
    const before = live();
    withCountry(country, isSet);
    expect(await stack.expect("preview")).toMatch(says(isKept));
    await stack.expect("up");
    expect(live()).toBe(before + (isKept ? 1 : 0));
    await stack.expect("preview", "--expect-no-changes");
  }
});

it("a zone goes before its successor comes when its name is fixed", async () => {
  const { stack, simulator, declare } = await scene();
  declare({ kind: "Zone", name: "web", args: { name: "fixed_name", plan } });
  await stack.expect("up");
  declare({ kind: "Zone", name: "web", args: { name: "fixed_name", plan: { ...plan, country: "de" } } });
  await stack.expect("up");
  const order = simulator.remote.service.requests.filter(({ path, method }) => path === "/zone" && method !== "GET");
  expect(order.map(({ method }) => method)).toEqual(["POST", "DELETE", "POST"]);
  await stack.expect("preview", "--expect-no-changes");
});

it("a zone keeps its passwords out of the state and of what is printed", async () => {
  const { stack, simulator, declare } = await scene();
  declare({ kind: "Zone", name: "web", args: { plan } });
  const printed = await stack.expect("up");
  const state = await stack.stateText();
  for (const secret of secretsOf(simulator)) {
    expect(secret.length).toBeGreaterThan(5);
    expect(state).not.toContain(secret);
    expect(printed).not.toContain(secret);
  }
  const outputs = (await stack.outputs()) as { web: { password: string } };
  expect(secretsOf(simulator)).toContain(outputs.web.password);
});

it("a zone shows nothing after an untouched up, one change after one change, and puts it right", async () => {
  const { stack, simulator, declare } = await scene();
  declare({
    kind: "Zone",
    name: "web",
    args: {
      disabled: false,
      plan: { type: "resident", country: "US", mobile: "true", city: 0, bandwidth: "bandwidth", vips: "0" },
    },
  });
  await stack.expect("up");
  expect(await stack.expect("refresh", "--diff")).toMatch(/2 unchanged/);
  await stack.expect("preview", "--expect-no-changes");
  const [zone] = simulator.account.liveZones();
  await edit(simulator.remote.url, "POST", "/zone/change_disable", { zone: zone?.name, disable: 1 }, simulator.token);
  expect(await stack.expect("refresh", "--diff")).toMatch(/~ 1 updated/);
  expect(await stack.expect("preview", "--diff")).toMatch(/~ disabled: true => false/);
  await stack.expect("up");
  expect(simulator.account.liveZones()[0]?.status).toBe("active");
  await stack.expect("preview", "--expect-no-changes");
});

it("a zone is made anew when somebody has deleted it, and only then", async () => {
  const { stack, simulator, declare } = await scene();
  declare({ kind: "Zone", name: "web", args: { plan } });
  await stack.expect("up");
  const [zone] = simulator.account.liveZones();
  simulator.account.removeZone(zone?.name as string);
  expect(await stack.expect("refresh")).toMatch(/- 1 deleted/);
  expect(await stack.expect("up")).toMatch(/\+ 1 created/);
  expect(simulator.account.liveZones()).toHaveLength(1);
});

it("a zone is not taken over unless that is said", async () => {
  const { stack, simulator, declare } = await scene();
  simulator.account.addZone("theirs", { type: "static", ips_type: "shared", country: "us" });
  declare({ kind: "Zone", name: "web", args: { name: "theirs", plan } });
  const refused = await stack.command("up");
  expect(refused.status).not.toBe(0);
  expect(refused.stdout).toContain("`adopt: true`");
  expect(refused.stdout).toContain("`Zone.get`");
  declare({ kind: "Zone", name: "web", args: { name: "theirs", plan, adopt: true } });
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["theirs"]);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("a zone can be looked up without being owned", async () => {
  const { stack, simulator, declare } = await scene();
  simulator.account.addZone("theirs", { type: "static", ips_type: "shared", country: "us" });
  declare({ kind: "Zone", name: "web", get: "theirs" });
  const printed = await stack.expect("up");
  const outputs = (await stack.outputs()) as { web: { name: string; password: string; plan: { country: string } } };
  expect(outputs.web).toMatchObject({ name: "theirs", plan: { country: "us" } });
  expect(secretsOf(simulator)).toContain(outputs.web.password);
  for (const secret of secretsOf(simulator)) expect(printed + (await stack.stateText())).not.toContain(secret);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toHaveLength(1);
  declare({ kind: "Zone", name: "web", get: "no_such_zone" });
  const { status, stdout, stderr } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout).toContain('There is nothing with the id "no_such_zone" to look up; the most similar is "theirs".');
  expect(stdout + stderr).not.toMatch(/\n\s+at /);
});

it("a zone that the program makes cannot be looked up before: a preview says what to use", async () => {
  for (const form of FORMS) {
    const { stack, declare } = await scene();
    await putIn(form, stack);
    declare(
      { kind: "Zone", name: "own", args: { name: "made", plan: { type: "unblocker" } } },
      { kind: "Zone", name: "again", get: { $output: ["own", "name"] } },
    );
    const { status, stdout } = await stack.command("preview");
    expect(status).not.toBe(0);
    expect(stdout).toContain(
      'There is nothing with the id "made" to look up yet: this program declares it. Use that resource instead of `get`.',
    );
  }
});

it("a refresh forgets a zone that was only looked up, and is gone", async () => {
  for (const form of FORMS) {
    const { stack, simulator, declare } = await scene();
    await putIn(form, stack);
    simulator.account.addZone("theirs", { type: "static" });
    declare({ kind: "Zone", name: "web", get: "theirs" });
    await stack.expect("up");
    simulator.account.zones.delete("theirs");
    await stack.expect("refresh");
    expect((await stack.resources()).filter(({ type }) => type.endsWith(":Zone"))).toEqual([]);
  }
});

it("a zone can be taken into the state from a file, without a request that changes anything", async () => {
  const { stack, simulator, declare } = await scene();
  simulator.account.addZone("theirs", { type: "static", ips_type: "shared", country: "us" });
  const text = `this.handler=()=>require('pulumi-brightdata/provider').resource('Zone')`;
  const inputs = { name: "theirs", plan, __provider: text };
  const file = join(stack.folder, "import.json");
  const zone = { type: "pulumi-nodejs:dynamic/brightdata:Zone", name: "web", id: "theirs", inputs, outputs: inputs };
  await writeFile(file, JSON.stringify({ resources: [zone] }));
  declare({ kind: "Zone", name: "web", args: { name: "theirs", plan } });
  const imported = await stack.importFile(file);
  expect(imported.stderr + imported.stdout).toContain("1 imported");
  await stack.expect("refresh");
  const state = await stack.stateText();
  for (const secret of secretsOf(simulator)) expect(state).not.toContain(secret);
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  const changing = simulator.remote.service.requests.filter(({ method }) => method !== "GET");
  expect(changing).toEqual([]);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("a zone stays in the state when it was made but cannot be seen in time, and is finished by the next up", async () => {
  const { stack, simulator, declare } = await scene({ remote: { zoneVisibleAfterReads: 1000 } });
  declare({ kind: "Zone", name: "web", args: { name: "slow_zone", plan, timeouts: { create: 1 } } });
  const failed = await stack.command("up");
  expect(failed.status).not.toBe(0);
  expect(failed.stdout).toMatch(/Gave up after 1 s, waiting for zone "slow_zone" to become visible/);
  expect((await stack.resources()).map(({ id }) => id)).toEqual(["slow_zone"]);
  simulator.remote.behaviour.zoneVisibleAfterReads = 0;
  const zone = simulator.account.zone("slow_zone");
  if (zone !== undefined) zone.hiddenReads = 0;
  await stack.expect("up");
  expect((await stack.resources())[0]?.outputs?.status).toBe("active");
  await stack.expect("destroy");
  const posts = simulator.remote.service.requests.filter(({ path, method }) => path === "/zone" && method === "POST");
  expect(posts).toHaveLength(1);
});

it("a zone says everything that is wrong at once, in the preview, before anything is sent", async () => {
  const { stack, simulator, declare } = await scene();
  const plan = { type: "residential", contry: "us", ips: -1 };
  declare({ kind: "Zone", name: "web", args: { name: "No/Good", plan } });
  const { status, stdout, stderr } = await stack.command("preview");
  expect(status).not.toBe(0);
  const printed = stdout + stderr;
  for (const words of [
    '`name` is "No/Good"',
    '`plan.type` is "residential"',
    "`plan.contry` is not a property of this resource. Did you mean `plan.country`?",
    "`plan.ips` is -1",
  ]) {
    expect(printed).toContain(words);
  }
  expect(printed).not.toMatch(/\n\s+at /);
  expect(simulator.remote.service.requests).toEqual([]);
  expect(simulator.manager.service.requests).toEqual([]);
});

it("a zone reports a service's refusal in its own words, without a stack, and with what to do", async () => {
  const { stack, simulator, declare } = await scene();
  stack.setEnvironment({ BRIGHTDATA_API_TOKEN: "a-wrong-token", BRIGHTDATA_RETRIES: "0" });
  declare({ kind: "Zone", name: "web", args: { plan } });
  const { status, stdout, stderr } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout).toContain("answered 401");
  expect(stdout).toContain("the environment (BRIGHTDATA_API_TOKEN)");
  expect(stdout + stderr).not.toContain("a-wrong-token");
  expect(stdout + stderr).not.toMatch(/\n\s+at /);
  expect(simulator.account.liveZones()).toEqual([]);
});

it("a zone prints no stack when a refresh or a destroy fails", async () => {
  const { stack, simulator, declare } = await scene();
  declare({ kind: "Zone", name: "web", args: { plan } });
  await stack.expect("up");
  stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  simulator.remote.service.faults.add({ kind: "respond", status: 503, body: "Down for maintenance", times: 100 });
  for (const command of ["refresh", "destroy"] as const) {
    const { status, stdout, stderr } = await stack.command(command);
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain("answered 503: Down for maintenance");
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  }
  simulator.remote.service.faults.clear();
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("a zone takes the token from the stack's configuration when the environment has none", async () => {
  const { stack, simulator, declare } = await scene();
  stack.setEnvironment({ BRIGHTDATA_API_TOKEN: undefined, BRIGHTDATA_BASE_URL: undefined });
  await stack.setConfig("brightdata:apiToken", simulator.token, true);
  await stack.setConfig("brightdata:baseUrl", simulator.remote.url);
  declare({ kind: "Zone", name: "web", args: { plan } });
  await stack.expect("up");
  await stack.expect("refresh");
  expect(await stack.stateText()).not.toContain(simulator.token);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});
