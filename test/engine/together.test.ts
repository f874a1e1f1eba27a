import { expect, test } from "vitest";
import type { Simulator } from "../../simulator";
import { inTurn } from "../turn";
import { BadConnection } from "./badConnection";
import { type Declaration, type DeclaredStack, scene, stackOn } from "./harness";
import { Hold } from "./hold";

const it = inTurn(2);

const automatic = (name: string): Declaration => ({ kind: "ProxyPort", name, args: { zone: "web" } });

const several = (count: number): Declaration[] =>
  Array.from({ length: count }, (_, index) => automatic(`port-${index}`));

const portsOf = (simulator: Simulator): number[] => simulator.manager.state.records.map(({ port }) => Number(port));

const portsIn = async ({ stack }: DeclaredStack): Promise<number[]> =>
  (await stack.resources()).map(({ id }) => Number(id));

const ascending = (ports: number[]): number[] => ports.toSorted((left, right) => left - right);

/** A manager without a port, and two stacks that know nothing of each other. */
async function neighbours() {
  const made = await scene({ manager: { dropin: false } });
  made.simulator.account.addZone("web", { type: "static" });
  return { simulator: made.simulator, stacks: [made, await stackOn(made.simulator)] as const };
}

it("two stacks get ports of their own from one manager", async () => {
  const { simulator, stacks } = await neighbours();
  for (const { declare } of stacks) declare(...several(5));
  await Promise.all(stacks.map(({ stack }) => stack.expect("up")));
  const [left, right] = [await portsIn(stacks[0]), await portsIn(stacks[1])];
  expect(new Set([...left, ...right]).size).toBe(10);
  expect(ascending(portsOf(simulator))).toEqual(ascending([...left, ...right]));
  await stacks[0].stack.expect("destroy");
  expect(ascending(portsOf(simulator))).toEqual(ascending(right));
  await stacks[1].stack.expect("destroy");
  expect(portsOf(simulator)).toEqual([]);
});

test.each([
  ["request", false],
  ["answer", true],
])("a stack whose %s is lost takes no port that another stack has made meanwhile", async (_lost, arrives) => {
  const { simulator, stacks } = await neighbours();
  const [unlucky, other] = stacks;
  const connection = await BadConnection.to(simulator.manager.url, "POST", arrives);
  unlucky.stack.setEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: connection.url });
  for (const { declare } of stacks) declare(...several(3));
  const running = unlucky.stack.start("up");
  await connection.held;
  await other.stack.expect("up");
  const theirs = await portsIn(other);
  connection.cut();
  const { status, stdout } = await running.ending;
  if (status !== 0) {
    // What cannot be told apart is refused, and named.
    expect(stdout).toMatch(/24000/);
    await unlucky.stack.expect("up");
  }
  const ours = await portsIn(unlucky);
  expect(new Set([...ours, ...theirs]).size).toBe(6);
  const unclaimed = portsOf(simulator).filter((port) => ![...ours, ...theirs].includes(port));
  expect(unclaimed).toEqual(status !== 0 && arrives ? [24_000] : []);
  await unlucky.stack.expect("destroy");
  expect(ascending(portsOf(simulator))).toEqual(ascending([...theirs, ...unclaimed]));
});

it("500 ports of one program get a number each", async () => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  // The engine would write its whole state a thousand times.
  stack.setEnvironment({ PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" });
  declare(...several(500));
  expect(await stack.expect("up")).toMatch(/\+ 501 created/);
  const ports = (await stack.resources()).map(({ id }) => Number(id));
  expect(new Set(ports).size).toBe(500);
  expect(ascending(portsOf(simulator))).toEqual(ascending(ports));
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("destroy");
  expect(portsOf(simulator)).toEqual([]);
});

test.each([{}, { adopt: true }])("two resources of one program cannot have one port (%j)", async (more) => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  const [one, two] = ["one", "two"].map(
    (name): Declaration => ({ kind: "ProxyPort", name, args: { zone: "web", port: 24_100, ...more } }),
  ) as [Declaration, Declaration];
  declare(one, two);
  const { status, stdout } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout).toMatch(/port 24100 is declared twice, by "(one" and by "two|two" and by "one)"/);
  // The one that was registered first is made, or not begun any more.
  const made = (await stack.resources()).map(({ urn }) => urn.split("::").at(-1));
  expect(portsOf(simulator)).toHaveLength(made.length);
  declare(made[0] === "two" ? two : one);
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  expect(portsOf(simulator)).toEqual([24_100]);
});

it("a second `up` of the same stack is refused by the engine, and does no harm", async () => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  stack.setEnvironment({ BRIGHTDATA_REQUEST_TIMEOUT: "5" });
  declare(automatic("port"));
  const hold = new Hold(simulator, ({ method }) => (method === "GET" ? "before" : undefined));
  const first = stack.start("up");
  expect(await hold.settled(first.ending)).toBe(true);
  const second = await stack.command("up");
  expect(second.status).not.toBe(0);
  expect(second.stderr).toContain("the stack is currently locked");
  hold.release();
  expect(await first.ending).toMatchObject({ status: 0 });
  expect(await portsIn({ stack, declare })).toEqual(portsOf(simulator));
  expect(portsOf(simulator)).toHaveLength(1);
});
