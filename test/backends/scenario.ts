import { expect, onTestFinished, test } from "vitest";
import type { BackendServer } from "../../scripts/backends/server.mts";
import { type Running, signalGroup } from "../../scripts/process.mts";
import { Stack } from "../../scripts/stack.mts";
import { startSimulator } from "../../simulator";
import { cli, type Declaration, PROGRAM, secretsOf } from "../engine/harness";
import { Hold } from "../engine/hold";
import { FORMS, putIn } from "../engine/nativeScene";
import { childrenOf, signalProcessGroup } from "../engine/processes";

const PORTS = 50;
const PASSWORD = "a-password-of-all-ports";
const LOCKED = "the stack is currently locked by 1 lock(s)";

const program = (ports: number): Declaration[] => [
  { kind: "Zone", name: "web", args: { name: "web", plan: { type: "static", ipsType: "shared" } } },
  {
    kind: "ProxyPorts",
    name: "fleet",
    args: {
      defaults: { zone: { $output: ["web", "name"] }, user: "shop", userPassword: PASSWORD },
      ports: Object.fromEntries(Array.from({ length: ports }, (_, index) => [`p${index}`, { port: 24_100 + index }])),
    },
  },
];

/** As when the power fails: the CLI and all that it has started. */
async function kill({ child, ending }: Running): Promise<void> {
  const started = childrenOf(child.pid, "pulumi-");
  signalGroup(child, "SIGKILL");
  for (const plugin of started) signalProcessGroup(plugin, "SIGKILL");
  await ending;
}

/** The life of a stack whose state is kept somewhere, with all that may come between a CLI and that place, in either form. */
export const live = (where: string, start: () => Promise<BackendServer>): void =>
  test.each(FORMS)(`a stack of %s resources lives in ${where}`, async (form) => lived(form, await start()));

async function lived(form: (typeof FORMS)[number], server: BackendServer): Promise<void> {
  onTestFinished(() => server.close());
  const simulator = await startSimulator({ manager: { dropin: false } });
  onTestFinished(() => simulator.close());
  const stack = await Stack.create(cli, PROGRAM, { ...simulator.environment(), ...server.environment });
  onTestFinished(() => stack.remove());
  await putIn(form, stack);
  const declare = (ports: number) => stack.setEnvironment({ PROGRAM: JSON.stringify(program(ports)) });
  const numbers = () => new Set(simulator.manager.state.records.map(({ port }) => port));
  const locks = async () =>
    [...(await server.objects()).keys()].filter((name) => /\.pulumi\/locks\/.*\.json$/.test(name));

  declare(PORTS);
  let posts = 0;
  const hold = new Hold(simulator, ({ method, path }) => {
    if (method === "POST" && path === "/api/proxies") posts++;
    return posts > PORTS / 2 ? "before" : undefined;
  });
  const first = stack.start("up");
  expect(await hold.settled(first.ending)).toBe(true);
  const second = await stack.command("up");
  expect(second.status).not.toBe(0);
  expect(second.stderr).toContain(LOCKED);

  await kill(first);
  hold.release();
  const made = numbers().size;
  expect(made).toBeGreaterThanOrEqual(PORTS / 2);
  expect((await stack.command("up")).stderr).toContain(LOCKED);
  expect(await locks()).toHaveLength(1);
  await stack.cancel();
  expect(await locks()).toEqual([]);
  expect(await stack.expect("up")).toContain(`Took up ${made} ports of the set`);
  expect([simulator.account.liveZones().length, simulator.manager.state.records.length]).toEqual([1, PORTS]);

  declare(PORTS + 1);
  const both = await Promise.all([stack.command("up"), stack.command("up")]);
  for (const { status, stderr } of both) if (status !== 0) expect(stderr).toContain("the stack is currently locked by");
  await stack.expect("up");
  expect([numbers().size, simulator.manager.state.records.length]).toEqual([PORTS + 1, PORTS + 1]);
  await stack.expect("preview", "--expect-no-changes");

  const objects = await server.objects();
  // What is looked through is legible: the state, its copy, and the history.
  expect([...objects.values()].filter((content) => content.includes("ProxyPorts::fleet")).length).toBeGreaterThan(2);
  const legible = [...objects].filter(([, content]) =>
    [PASSWORD, ...secretsOf(simulator)].some((secret) => content.includes(secret)),
  );
  expect(legible.map(([name]) => name)).toEqual([]);

  await stack.expect("destroy");
  expect([simulator.account.liveZones(), simulator.manager.state.records, await locks()]).toEqual([[], [], []]);
}
