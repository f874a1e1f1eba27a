// Whatever an account has: its program, imported, is what there is, and the same however the services order their answers.
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { startSimulator } from "../../simulator";
import { differences, imported } from "../cli/import/program";

const NAMES = [
  "Web-Old",
  "web_old",
  "class",
  "2nd zone",
  "eu",
  "_x_",
  "await",
  "WEB",
  "a-b-c",
  "zone",
  "brightdata",
  "---",
];
const WORDS = [
  "shop",
  "日本",
  "a b",
  'it\'s "x"',
  "</script>",
  "💥",
  "*/ //",
  `\${x}`,
  "24000",
  "class",
  "\\",
  "\u202e!",
  " shop ",
];

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(values: readonly T[]) => fc.option(some(values), { nil: undefined });

const plan = fc.oneof(
  fc.record({
    type: fc.constant("static"),
    ips_type: some(["shared"]),
    country: maybe(["us", "DE"]),
    city: maybe(["true", true]),
  }),
  fc.record({
    type: fc.constant("static"),
    ips_type: fc.constant("dedicated"),
    ips: fc.integer({ min: 1, max: 5 }),
    pool_ip_type: maybe(["static_res"]),
  }),
  fc.record({
    type: fc.constant("resident"),
    mobile: maybe([true, "1"]),
    country: maybe(["us"]),
    custom_headers: maybe([true]),
  }),
  fc.record({
    type: fc.constant("resident"),
    vip: fc.constant(true),
    vips: fc.nat(3),
    vips_type: fc.constant("domain"),
    domain_whitelist: some(["b.example a.example", "x.example"]),
  }),
  fc.record({
    type: fc.constant("unblocker"),
    serp: maybe([true, 1]),
    ub_premium: maybe([true]),
    never_heard_of: maybe(["x"]),
  }),
  fc.record({ type: fc.constant("browser_api"), solve_captcha_disable: maybe([false, "false"]) }),
);

const zone = fc.record({
  name: some(NAMES),
  plan,
  status: some(["active", "active", "disabled", "deleted"] as const),
  ips: fc.option(fc.subarray(["203.0.113.7", "10.0.0.0/8", "198.51.100.1-198.51.100.9"], { minLength: 1 })),
  deniedIps: fc.subarray(["192.0.2.1", "192.0.2.0/28"]),
});

const rule = fc.record({
  status: maybe(["403", "5.."]),
  url: maybe(["x\\.png$"]),
  action: fc.record({ ban_ip: fc.nat(9000), retry: fc.nat(3), process: fc.constant({ b: "$('b')", a: '$("a")' }) }),
  action_type: some(["ban_ip"]),
});

const port = fc.record({
  zone: some(NAMES),
  internal_name: maybe(WORDS),
  country: maybe(["us", "de"]),
  session: maybe(["abc", true]),
  ssl: maybe([true, "true", false]),
  rotate_session: maybe([true]),
  pool_size: maybe([3, "3", 0]),
  multiply: maybe([1, 2]),
  user: maybe(["ops@example.com", "ann"]),
  user_password: maybe(["s3cret-user"]),
  password: maybe(["s3cret-zone"]),
  ext_proxies: maybe([["u:s3cret-proxy@192.0.2.4"]]),
  headers: maybe([[{ name: "Cookie", value: "s3cret-cookie" }], [{ name: "accept", value: "de" }]]),
  whitelist_ips: maybe([["203.0.113.9", "10.0.0.0/8"], []]),
  rules: fc.option(fc.array(rule, { maxLength: 3 }), { nil: undefined }),
  throttle: maybe([5]),
  test_url: maybe([`https://example.com/${"x".repeat(90)}`]),
  logs: maybe([10]),
});

const alike = fc.record({
  zone: fc.constant("web_old"),
  internal_name: maybe(WORDS),
  country: maybe(["us", "de"]),
  session: maybe(["abc"]),
});

const settings = fc.record({
  logs: some([1000, 5]),
  log: some(["notice", "info"]),
  whitelist_ips: fc.subarray(["198.51.100.3", "10.1.0.0/16", "0.0.0.0/0"]),
  www_whitelist_ips: fc.subarray(["198.51.100.30", "10.2.0.0/16"]),
});

const account = fc.record({
  zones: fc.uniqueArray(zone, { selector: ({ name }) => name, maxLength: 8 }),
  ports: fc.array(fc.oneof(port, { arbitrary: alike, weight: 3 }), { maxLength: 24 }),
  settings,
  bans: fc.array(
    fc.record({ ip: some(["203.0.113.98", "203.0.113.99"]), domain: maybe(["example.com"]), at: fc.nat(23) }),
    { maxLength: 4 },
  ),
  users: fc.subarray(["ops@example.com", "Ann@example.com"]),
});

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

async function made({ zones, ports, settings, bans, users }: Account, isReversed: boolean) {
  const simulator = await startSimulator({ seed: "import", clock: () => new Date("2026-01-01T00:00:00Z") });
  const { manager } = simulator;
  const inOrder = <T>(all: readonly T[]) => (isReversed ? all.toReversed() : all);
  const post = (path: string, body: object) =>
    fetch(`${manager.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const { name, plan, status, ips, deniedIps } of inOrder(zones)) {
    const made = simulator.account.addZone(name, plan as never);
    Object.assign(made, { status, deniedIps: [...inOrder(deniedIps)], ...(ips && { ips: [...inOrder(ips)] }) });
    if (status === "disabled") Object.assign(made.plan, { disable: "1" });
  }
  for (const [index, proxy] of inOrder([...ports.entries()]))
    await post("/api/proxies", { proxy: { ...proxy, port: 24_000 + 10 * index } });
  for (const { at, ...ban } of bans) await post(`/api/proxies/${24_000 + 10 * at}/banip`, ban);
  for (const email of inOrder(users)) await post("/api/lpm_user", { email });
  // Otherwise the account's first one that is enabled.
  const [zone] = simulator.account
    .liveZones()
    .filter(({ status }) => status !== "disabled")
    .map(({ name }) => name)
    .sort();
  Object.assign(manager.state.settings, settings, zone === undefined ? {} : { zone });
  manager.state.records.sort((left, right) => (isReversed ? right.port - left.port : left.port - right.port));
  return simulator;
}

async function read(account: Account, isReversed: boolean) {
  const simulator = await made(account, isReversed);
  try {
    const environment = simulator.environment();
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { files, leftOut } = await imported(environment);
    const changes = [simulator.remote.service, simulator.manager.service].map(({ requests }) => requests.length);
    expect(await differences(files)).toEqual([]);
    expect([simulator.remote.service, simulator.manager.service].map(({ requests }) => requests.length)).toEqual(
      changes,
    );
    return { text: files.get("index.ts"), leftOut: leftOut.map(({ kind, id, why }) => `${kind} ${id}: ${why}`) };
  } finally {
    vi.unstubAllEnvs();
    await simulator.close();
  }
}

test("an account, imported, is as it is", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const isAsItIs = fc.asyncProperty(account, async (account) => {
    const { text, leftOut } = await read(account, false);
    expect(leftOut).toEqual([]);
    expect(text).not.toContain("s3cret");
    expect((await read(account, true)).text).toBe(text);
  });
  await fc.assert(isAsItIs, { numRuns: Number(process.env.LAWS_RUNS ?? 25), seed: Number(process.env.LAWS_SEED ?? 1) });
}, 300_000);
