import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { count, declaredIn } from "../../lifecycle/harness";
import { created, foreign, INPUTS, record, scenery } from "./setup";

const OPEN_TO_SHOP =
  'port 24500: no password is asked of user "shop": whoever gives that name is let in. Set `userPassword`.';

/** What is said while a port is made in a manager that has the user `ops@example.com`. */
async function saidOf(fields: JsonObject): Promise<string[]> {
  const scene = await scenery();
  scene.manager.state.users.push({ email: "ops@example.com", password: "theirs" });
  const say = vi.fn<(words: string) => void>();
  await proxyPort.create({ ...INPUTS, ...fields }, { ...scene.step(), say });
  return say.mock.calls.flat();
}

test.each<[string, JsonObject, string[]]>([
  ["no password is asked of its user", { user: "shop" }, [OPEN_TO_SHOP]],
  ["its password is empty", { user: "shop", userPassword: "" }, [OPEN_TO_SHOP]],
  [
    "no password is asked of its users",
    { users: ["ops@example.com", "ann", "bob"], multiply: 3, multiplyUsers: true },
    [
      'port 24500: no password is asked of users "ann", "bob": whoever gives one of these names is let in. Set `userPassword`.',
    ],
  ],
  [
    "everybody may use it",
    { whitelistIps: ["10.0.0.0/8", "1.2.3.4/0"] },
    ['port 24500: `whitelistIps` has "0.0.0.0/0": the whole internet may use the port.'],
  ],
  ["its user has a password", { user: "shop", userPassword: "hush" }, []],
  ["its user is one of the manager's, with a password there", { user: "ops@example.com" }, []],
  ["a network may use it", { whitelistIps: ["10.0.0.0/8"] }, []],
])("a port is made, and %s", async (_, fields, said) => {
  expect(await saidOf(fields)).toEqual(said);
});

test("a manager that keeps nothing is told of with the first port that is made there", async () => {
  const scene = await scenery({ manager: { readOnly: true } });
  const said: string[] = [];
  const step = { ...scene.step(), say: (words: string) => void said.push(words) };
  const make = (port: number) => proxyPort.create({ ...INPUTS, port }, step);
  await proxyPort.create({ ...INPUTS, port: 24_503 }, { ...scene.step(), context: scene.anotherContext() });
  await proxyPort.create({ ...INPUTS, port: 24_503, adopt: true }, step);
  expect(said).toEqual([]);
  await Promise.all([24_500, 24_501].map(make));
  await make(24_502);
  expect(said).toEqual([
    expect.stringMatching(
      /^port 2450[01]: the manager was started with `--read_only`: a restart loses this port, and every other change\.$/,
    ),
  ]);
});

test.each<[string, string | undefined, string[]]>([
  [
    "another account's",
    "hl_other",
    [
      'port 24500: zone "web" is that of hl_other, to whose account the manager is logged in, and who pays for the traffic. The token is that of hl_simulated.',
    ],
  ],
  ["the token's account", "hl_simulated", []],
  ["an account that it does not tell", undefined, []],
])("a port of a manager that is logged in to %s", async (_, customer, expected) => {
  const scene = await scenery();
  Object.assign(scene.manager.state.settings, { customer, customer_id: customer, account_id: undefined });
  const said: string[] = [];
  const step = { ...scene.step(), say: (words: string) => void said.push(words) };
  await proxyPort.create({ ...INPUTS, port: 24_510 }, step);
  expect(said).toEqual([]);
  // That is asked where zones are made.
  await scene.context.accounts[0].customer(step.deadline.signal);
  await proxyPort.create(INPUTS, step);
  await proxyPort.create({ ...INPUTS, port: 24_501 }, step);
  expect(said).toEqual(expected);
});

test.each(["shop", "ops@example.com"])(
  "a password that is taken away from user %s leaves the port open",
  async (user) => {
    const scene = await scenery();
    scene.manager.state.users.push({ email: "ops@example.com", password: "theirs" });
    const before = { ...INPUTS, user, userPassword: "hush" };
    const state = await created(scene, before);
    const say = vi.fn();
    await proxyPort.update("24500", state, declaredIn(before), { ...INPUTS, user }, { ...scene.step(), say });
    expect(say.mock.calls).toEqual([[OPEN_TO_SHOP.replace("shop", user)]]);
  },
);

test("an unblocker zone's port whose TLS is not to be read is warned of, when it is made and after a restart", async () => {
  const scene = await scenery();
  scene.account.addZone("unb", { type: "unblocker" });
  const inputs = { ...INPUTS, zone: "unb", ssl: false };
  const said: string[] = [];
  const saying = () => ({ ...scene.step(), say: (words: string) => void said.push(words) });
  const { state } = await proxyPort.create(inputs, saying());
  Object.assign(record(scene) ?? {}, { ssl: true });
  scene.context.ports.drop(24_500);
  await proxyPort.update("24500", state, declaredIn(inputs), inputs, saying());
  const words =
    'port 24500: `ssl: false` does not last with unblocker zone "unb": the manager turns it on when it starts. Remove it.';
  expect(said).toEqual([words, words]);
});

test("what an update has told of a user's password is not asked for again", async () => {
  const scene = await scenery();
  const inputs = { ...INPUTS, user: "shop" };
  const said: string[] = [];
  const saying = () => ({ ...scene.step(), say: (words: string) => void said.push(words) });
  const { state } = await proxyPort.create(inputs, saying());
  await proxyPort.update("24500", state, declaredIn(inputs), { ...inputs, country: "us" }, saying());
  expect(said).toEqual([OPEN_TO_SHOP, OPEN_TO_SHOP]);
  expect(count(scene, "GET /api/proxies/24500")).toBe(0);
});

test("a port that is taken over keeps the password that nobody declares", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", user: "shop", user_password: "hush" });
  const say = vi.fn();
  const inputs = { ...INPUTS, user: "shop", adopt: true };
  const { state } = await proxyPort.create(inputs, { ...scene.step(), say });
  await proxyPort.update("24500", state, declaredIn(inputs), { ...inputs, country: "us" }, { ...scene.step(), say });
  expect(say).not.toHaveBeenCalled();
});
