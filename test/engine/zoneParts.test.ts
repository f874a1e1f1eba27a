import { describe, expect, onTestFinished } from "vitest";
import { inTurn } from "../turn";
import { scene as newScene, type Scene } from "./harness";

const it = inTurn(2);

/** A scene whose end shows that nothing has swept over the account. */
async function scene(): Promise<Scene> {
  const made = await newScene();
  onTestFinished(() => expect(made.simulator.account.sweeps).toEqual([]));
  return made;
}

/** The requests that change something, `METHOD /path` each, since the last time they were asked for. */
function changesOf({ simulator }: Scene): string[] {
  const { requests } = simulator.remote.service;
  const changing = requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  requests.length = 0;
  return changing;
}

describe("what belongs to a zone", () => {
  it("its lists are made, kept, put right and taken back", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const [web, other] = ["web", "other"].map((name) => simulator.account.addZone(name, { type: "static" }));
    const args = { zone: "web", allowedIps: ["203.0.113.7"], deniedDomains: ["example.com"] };
    declare({ kind: "ZoneAccess", name: "access", args });
    await stack.expect("preview");
    expect(changesOf(here)).toEqual([]);
    await stack.expect("up");
    expect(changesOf(here)).toEqual(["POST /zone/domain_perm", "POST /zone/whitelist"]);
    expect(await stack.expect("refresh")).toMatch(/2 unchanged/);
    await stack.expect("preview", "--expect-no-changes");

    web?.ips.push("192.0.2.1");
    expect(await stack.expect("refresh")).toMatch(/~ 1 updated/);
    expect(await stack.expect("up")).toMatch(/~ 1 updated/);
    expect(web?.ips).toEqual(["203.0.113.7"]);
    expect(changesOf(here)).toEqual(["DELETE /zone/whitelist"]);

    declare({ kind: "ZoneAccess", name: "access", args: { ...args, zone: "other" } });
    expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
    expect([web?.ips, other?.ips]).toEqual([["any"], ["203.0.113.7"]]);
    await stack.expect("destroy");
    expect(other).toMatchObject({ ips: ["any"], domains: { whitelist: [], blacklist: [] } });
  });

  it("its IPs grow and shrink without touching the zone, and go before it", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const withIps = (count: number) => {
      declare(
        { kind: "Zone", name: "web", args: { name: "web", plan: { type: "static", ipsType: "dedicated", ips: 2 } } },
        { kind: "ZoneIps", name: "more", args: { zone: { $output: ["web", "name"] }, count } },
      );
    };
    withIps(3);
    expect(await stack.expect("preview")).toMatch(/Up to 3 IPs are added to zone web, .*Each one costs money/);
    expect(changesOf(here)).toEqual([]);
    await stack.expect("up");
    const zone = simulator.account.zone("web");
    expect(zone?.plan.ips).toBe(5);
    expect(await stack.expect("refresh")).toMatch(/3 unchanged/);
    await stack.expect("preview", "--expect-no-changes");
    changesOf(here);

    withIps(4);
    expect(await stack.expect("up")).toMatch(/~ 1 updated/);
    const outputs = (await stack.outputs()) as { more: { ips: string[] } };
    expect(outputs.more.ips).toEqual(zone?.allocatedIps.slice(2).map(({ ip }) => ip));

    zone?.allocatedIps.pop();
    expect(await stack.expect("refresh")).toMatch(/~ 1 updated/);
    expect(await stack.expect("preview", "--diff")).toMatch(/~ count: 3 => 4/);
    await stack.expect("up");
    expect(zone?.allocatedIps).toHaveLength(6);

    withIps(1);
    await stack.expect("up");
    expect(zone?.allocatedIps).toHaveLength(3);
    expect(changesOf(here)).toEqual(["POST /zone/ips", "POST /zone/ips", "DELETE /zone/ips"]);
    await stack.expect("destroy");
    expect(changesOf(here)).toEqual(["DELETE /zone/ips", "DELETE /zone"]);
  });

  it("its IPs that a refresh of the zone's IPs has exchanged are given back after they were left alone", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const zone = simulator.account.addZone("web", { type: "static", ips: 1 });
    const wanting = (count: number) =>
      declare(
        { kind: "ZoneIps", name: "own", args: { zone: "web", count } },
        {
          kind: "ZoneIpRefresh",
          name: "monthly",
          args: { zone: { $output: ["own", "zone"] }, ips: { $output: ["own", "ips"] }, triggers: ["2026-01"] },
        },
      );
    wanting(5);
    await stack.expect("up");
    await stack.expect("preview", "--refresh", "--expect-no-changes");
    wanting(3);
    expect(await stack.expect("up")).toMatch(/2 IPs of zone web are gone .* run `pulumi refresh`/);
    expect(zone.allocatedIps).toHaveLength(6);
    await stack.expect("refresh");
    await stack.expect("up");
    expect(zone.allocatedIps).toHaveLength(4);
    await stack.expect("destroy");
    expect(zone.allocatedIps).toHaveLength(1);
  });

  it("its IPs of two resources are paid for once where all of the zone are exchanged", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const zone = simulator.account.addZone("web", { type: "static", ips: 2 });
    declare(
      { kind: "ZoneIps", name: "own", args: { zone: "web", count: 3 } },
      { kind: "ZoneIps", name: "more", args: { zone: { $output: ["own", "zone"] }, count: 2 } },
      { kind: "ZoneIpRefresh", name: "monthly", args: { zone: { $output: ["more", "zone"] }, all: true } },
    );
    await stack.expect("up");
    expect(changesOf(here)).toEqual(["POST /zone/ips", "POST /zone/ips", "POST /zone/ips/refresh"]);
    await stack.expect("refresh");
    await stack.expect("up");
    await stack.expect("preview", "--refresh", "--expect-no-changes");
    expect(changesOf(here)).toEqual([]);
    expect(zone.allocatedIps).toHaveLength(7);
    await stack.expect("destroy");
    expect(zone.allocatedIps).toHaveLength(2);
  });

  it("its IPs and a given password are paid for once where the zone that they go with stays", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const name = { $output: ["web", "name"] };
    const options = { deletedWith: "web" };
    declare(
      { kind: "Zone", name: "web", args: { name: "web", plan: { type: "static", ipsType: "dedicated", ips: 2 } } },
      { kind: "ZoneIps", name: "more", args: { zone: name, count: 3 }, options },
      { kind: "ZonePassword", name: "given", args: { zone: name, password: "hush-given-by-hand" }, options },
    );
    await stack.expect("up");
    const zone = simulator.account.zone("web");
    const fault = { method: "DELETE", path: "/zone", kind: "respond", status: 403 } as const;
    for (const passwords of [undefined, ["hush-given-by-hand"]]) {
      if (zone !== undefined && passwords !== undefined) zone.password = passwords;
      simulator.remote.service.faults.add(fault);
      expect((await stack.command("destroy")).status).not.toBe(0);
      expect(zone?.allocatedIps).toHaveLength(2);
      await stack.expect("up");
      expect(zone?.allocatedIps).toHaveLength(5);
      expect(zone?.password.filter((password) => password === "hush-given-by-hand")).toHaveLength(1);
    }
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  });

  it("its password is generated once, legible nowhere, and exchanged without a gap", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const web = simulator.account.addZone("web", { type: "static" });
    const first = web.password[0] as string;
    const withTrigger = (trigger: string) =>
      declare(
        { kind: "ZonePassword", name: "generated", args: { zone: "web", triggers: [trigger] } },
        { kind: "ZonePassword", name: "given", args: { zone: "web", password: "hush-given-by-hand" } },
      );
    withTrigger("January");
    const printed = [await stack.expect("up"), await stack.expect("refresh"), await stack.expect("preview", "--diff")];
    await stack.expect("preview", "--expect-no-changes");
    const { generated } = (await stack.outputs()) as { generated: { password: string } };
    expect(web.password).toHaveLength(3);
    expect(web.password).toEqual(expect.arrayContaining([first, generated.password, "hush-given-by-hand"]));

    changesOf(here);
    withTrigger("February");
    printed.push(await stack.expect("up"));
    expect(printed.at(-1)).toMatch(/\+-1 replaced/);
    expect(changesOf(here)).toEqual(["POST /zone/add_password", "POST /zone/remove_password"]);
    expect(web.password).not.toContain(generated.password);
    for (const secret of [generated.password, ...web.password]) {
      expect(printed.join() + (await stack.stateText())).not.toContain(secret);
    }

    web.password = [first];
    expect(await stack.expect("refresh")).toMatch(/- 2 deleted/);
    await stack.expect("up");
    expect(web.password).toHaveLength(3);
    await stack.expect("destroy");
    expect(web.password).toEqual([first]);
  });

  it("its IPs are refreshed once, and again when a trigger changes, and by nothing else", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    const web = simulator.account.addZone("web", { type: "static", ips: 2 });
    const first = web.allocatedIps.map(({ ip }) => ip);
    const withTrigger = (trigger: number) =>
      declare({ kind: "ZoneIpRefresh", name: "fresh", args: { zone: "web", ips: first, triggers: [trigger] } });
    withTrigger(1);
    const announced = /2 IPs of zone web are replaced by new ones\. Each one costs money/;
    expect(await stack.expect("preview")).toMatch(announced);
    expect(changesOf(here)).toEqual([]);
    await stack.expect("up");
    expect(changesOf(here)).toEqual(["POST /zone/ips/refresh"]);
    const now = web.allocatedIps.map(({ ip }) => ip);
    expect(((await stack.outputs()) as { fresh: object }).fresh).toMatchObject({ previousIps: first, newIps: now });

    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("refresh");
    declare({ kind: "ZoneIpRefresh", name: "fresh", args: { zone: "web", ips: now, triggers: [1] } });
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("up");
    expect(changesOf(here)).toEqual([]);

    declare({ kind: "ZoneIpRefresh", name: "fresh", args: { zone: "web", ips: now, triggers: [2] } });
    expect(await stack.expect("preview")).toMatch(announced);
    await stack.expect("up");
    expect(changesOf(here)).toEqual(["POST /zone/ips/refresh"]);
    await stack.expect("destroy");
    expect(changesOf(here)).toEqual([]);
    expect(web.allocatedIps).toHaveLength(2);
  });

  it("its IPs are not refreshed again when nobody knows whether they were", async () => {
    const here = await scene();
    const { stack, simulator, declare } = here;
    simulator.account.addZone("web", { type: "static", ips: 2 });
    declare({
      kind: "ZoneIpRefresh",
      name: "fresh",
      args: { zone: "web", all: true, timeouts: { create: 5, update: 5 } },
    });
    simulator.remote.service.faults.add({ path: "/zone/ips/refresh", kind: "respond", status: 502 });
    for (const _ of [1, 2]) {
      const { status, stdout } = await stack.command("up");
      expect(status).not.toBe(0);
      expect(stdout).toMatch(/Whether the .*IPs of zone "web" .*is not known/);
    }
    expect(changesOf(here)).toEqual(["POST /zone/ips/refresh"]);
    await stack.expect("destroy");
  });
});
