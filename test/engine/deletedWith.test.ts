import { expect, it } from "vitest";
import { type Declaration, type Scene, scene } from "./harness";
import { Hold } from "./hold";
import { busy } from "./load";
import { childrenOf, signalProcessGroup } from "./processes";

const GIVEN = "hush-given-by-hand";

const zone = { $output: ["web", "name"] };
const options = { deletedWith: "web" };

const program: Declaration[] = [
  { kind: "Zone", name: "web", args: { name: "web", plan: { type: "static", ips: 2 } } },
  { kind: "ZoneIps", name: "ips", args: { zone, count: 3 }, options },
  { kind: "ZonePassword", name: "given", args: { zone, password: GIVEN }, options },
  { kind: "ZonePassword", name: "generated", args: { zone }, options },
];

const isDeletion = ({ method, path }: { method: string; path: string }) => method === "DELETE" && path === "/zone";

/** What keeps a zone where it is while everything else is destroyed. */
const OBSTACLES: Record<string, (made: Scene) => Promise<void>> = {
  async "is refused"({ simulator, stack }) {
    const { faults } = simulator.remote.service;
    faults.add({ method: "DELETE", path: "/zone", kind: "respond", status: 400, body: "Not now", times: 20 });
    busy();
    expect((await stack.command("destroy")).status).not.toBe(0);
    faults.clear();
  },
  async "is killed"({ simulator, stack }) {
    const hold = new Hold(simulator, (request) => (isDeletion(request) ? "before" : undefined));
    const running = stack.start("destroy");
    expect(await hold.settled(running.ending)).toBe(true);
    const started = childrenOf(running.child.pid, "pulumi-");
    for (const each of [running.child.pid ?? 0, ...started]) signalProcessGroup(each, "SIGKILL");
    await running.ending;
    hold.release();
    await stack.cancel();
  },
};

/** The zone has what the state says, and what it was made with. */
async function expectAgreement({ simulator, stack }: Scene): Promise<void> {
  const { ips, generated } = (await stack.outputs()) as { ips: { ips: string[] }; generated: { password: string } };
  const web = simulator.account.zone("web");
  expect(ips.ips).toHaveLength(3);
  expect(web?.allocatedIps.slice(2).map(({ ip }) => ip)).toEqual(ips.ips);
  expect(web?.password.slice(1).toSorted()).toEqual([GIVEN, generated.password].toSorted());
}

it.each(Object.keys(OBSTACLES))(
  "what is deleted with its zone is neither paid for again nor refused when that deletion %s",
  async (obstacle) => {
    const made = await scene();
    const { simulator, stack, declare } = made;
    stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
    declare(...program);
    await stack.expect("up");
    await expectAgreement(made);
    await OBSTACLES[obstacle]?.(made);
    await stack.expect("up");
    await expectAgreement(made);
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  },
);
