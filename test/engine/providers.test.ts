import { expect, it, onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { type Declaration, edit, scene } from "./harness";
import { busy } from "./load";

const OFFICE = "203.0.113.7";
const BANNED = "203.0.113.9";

const provider = ({ token, remote, manager }: Simulator, name: string, options?: object): Declaration => ({
  kind: "Provider",
  name,
  args: { apiToken: { $secret: token }, baseUrl: remote.url, proxyManagerUrl: manager.url },
  ...(options && { options }),
});

const bansOf = ({ manager }: Simulator, port: number) => manager.state.running.get(String(port))?.bans.keys();

const ban = ({ manager }: Simulator, port: number) =>
  edit(manager.url, "POST", `/api/proxies/${port}/banip`, { ip: BANNED, ms: 3_600_000 });

it("what goes from one manager to another with providers of the same name is looked for there, on a busy machine", async () => {
  const { simulator: first, stack, declare } = await scene({ manager: { dropin: false } });
  const second = await startSimulator({ manager: { dropin: false } });
  onTestFinished(() => second.close());
  for (const { account } of [first, second]) account.addZone("web", { type: "static" });
  // Somebody has made the same by hand on the other one.
  await edit(second.manager.url, "POST", "/api/proxies", { proxy: { port: 24_500, zone: "web" } });
  await ban(second, 24_500);
  await edit(second.manager.url, "PUT", "/api/settings", { www_whitelist_ips: [OFFICE] });
  const program = (as: string): Declaration[] =>
    [
      { component: "one", type: "test:One" },
      { component: "two", type: "test:Two" },
      { ...provider(first, "manager", { parent: "one" }), as: "first" },
      { ...provider(second, "manager", { parent: "two" }), as: "second" },
      { kind: "ProxyPort", name: "port", args: { port: 24_500, zone: "web" }, options: { provider: as } },
      { kind: "WhitelistIp", name: "allowed", args: { ip: OFFICE }, options: { provider: as } },
    ] as Declaration[];
  const present = ({ manager }: Simulator) => [
    structuredClone(manager.state.records),
    manager.state.settings.www_whitelist_ips,
  ];
  declare(...program("first"));
  await stack.expect("up");
  const [ours, theirs] = [present(first), present(second)];
  busy();
  declare(...program("second"));
  const moved = await stack.command("up");
  expect(moved.status, moved.stdout).not.toBe(0);
  expect(moved.stdout).toMatch(/ has moved | exists already /);
  expect([present(first), present(second)]).toEqual([ours, theirs]);
  await stack.command("destroy");
  expect([present(second), bansOf(second, 24_500)]).toEqual([theirs, [BANNED]]);
  // As the message says: the engine may have the new provider in the state by now.
  declare(...program("first"));
  await stack.expect("up");
  await stack.expect("destroy");
  expect(present(first)[0]).toEqual([]);
  expect([present(second), bansOf(second, 24_500)]).toEqual([theirs, [BANNED]]);
});

it("what one provider has only to delete stays where a resource of another one takes it over", async () => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  const { account, manager } = simulator;
  account.addZone("shared", { type: "static" });
  const team = provider(simulator, "team");
  const of = (name: string, options?: object): Declaration[] => [
    { kind: "Zone", name, args: { name: "web", plan: { type: "static" }, adopt: true }, ...(options && { options }) },
    {
      kind: "ProxyPort",
      name: `${name}-port`,
      args: { port: 24_500, zone: "shared", adopt: true },
      ...(options && { options }),
    },
  ];
  declare(team, ...of("ours"));
  await stack.expect("up");
  await ban(simulator, 24_500);
  const before = structuredClone(account.zone("web"));
  declare(team, ...of("theirs", { provider: "team" }));
  // The preview has told its processes the same, which are other ones.
  await stack.expect("preview");
  const taken = await stack.expect("up");
  expect(taken).toMatch(/belongs to another resource of this program now/);
  expect([account.zone("web"), bansOf(simulator, 24_500)]).toEqual([before, [BANNED]]);
  await stack.expect("destroy");
  expect([account.zone("web"), manager.state.records]).toEqual([undefined, []]);
});
