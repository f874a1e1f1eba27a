import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import { Hold } from "../engine/hold";
import { childrenOf, signalProcessGroup } from "../engine/processes";
import { inTurn } from "../turn";
import { endsByItsJob, untilClosed } from "./environment";
import { Actions, EXCHANGED } from "./github";
import { runScript } from "./job";
import { commentAt, ending, mergesWhatWasReviewed, NUMBER, type Pipeline, succeeded, web } from "./pipeline";
import { PASSPHRASE, type Scene, scene } from "./scene";

const it = inTurn(2);

const shop = (rotateSession: boolean) => ({
  kind: "ProxyPort",
  name: "shop",
  args: { port: 24_000, zone: { $output: ["web", "name"] }, password: { $secret: "hunter2-password" }, rotateSession },
});

const request = (action: string, { repo = "shop/proxies", login = "somebody" } = {}) => ({
  name: "pull_request",
  body: {
    action,
    number: NUMBER,
    pull_request: { number: NUMBER, head: { repo: { full_name: repo }, sha: "0123abc" }, user: { login } },
  },
});

function onGithub({ machine, forge, simulator, backend }: Scene, own: Record<string, string> = {}): Pipeline {
  const { GITHUB_REF: _, ...runner } = forge.environment("github", NUMBER);
  const actions = new Actions(
    machine,
    {
      vars: { STACK: "demo", PULUMI_BACKEND_URL: backend, TUNNEL: "me@proxy-host", ...own },
      secrets: { BRIGHTDATA_API_TOKEN: simulator.token, PULUMI_CONFIG_PASSPHRASE: PASSPHRASE, TUNNEL_KEY: "key" },
    },
    { ...runner, GITHUB_STEP_SUMMARY: join(machine.scratch, "summary.md") },
  );
  const schedule = { name: "schedule", body: {} };
  const byHand = { name: "workflow_dispatch", body: {} };
  return {
    preview: async () => ending(await actions.run("preview.yml", request("synchronize")), "preview"),
    previewByHand: async () => ending(await actions.run("preview.yml", byHand), "preview"),
    update: async () => ending(await actions.run("update.yml", { name: "push", body: {} }), "update"),
    drift: async () => ending(await actions.run("drift.yml", schedule), "drift"),
    review: async () => ending(await actions.run("review.yml", request("opened")), "environment"),
    endReview: async () => ending(await actions.run("review.yml", request("closed")), "environment"),
    sweep: async () => ending(await actions.run("review.yml", schedule), "sweep"),
  };
}

it("on GitHub, a change is commented on, merged and watched", () => isWatched("dynamic"));

it("on GitHub, a change of native resources is commented on, merged and watched", () => isWatched("native"));

async function isWatched(form: "dynamic" | "native"): Promise<void> {
  const here = await scene(form);
  const { machine, forge, simulator } = here;
  await here.pulumi("stack", "init", "demo");
  await here.pulumi("config", "set", "--path", "brightdata:prices.datacenter-dedicated-ip", "0.8", "--stack", "demo");
  const pipeline = onGithub(here);
  const own = {
    PULUMI_BACKEND_URL: here.backend,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    BRIGHTDATA_API_TOKEN: simulator.token,
  };

  here.declare(web(3), shop(true));
  const log = await succeeded(pipeline.preview());
  expect(commentAt(here)).toBe(`### \`declared/demo\`: 2 to create

**Money**

|  | now | after |
| --- | ---: | ---: |
| IPs and gIPs a month, at your prices | $0.00 | $2.40 |
| The account this month so far | $0.00 |  |

Bought by this update:

- 3 × datacenter-dedicated-ip for \`Zone web\`: $2.40 a month

**Messages**

\`\`\`text
Zone web is created with 3 IPs. Each one costs money. At your price for datacenter-dedicated-ip, that is about $2.40 a month.
\`\`\`

<details><summary>Changes: 2 to create</summary>

|  | resource | property | before | after |
| --- | --- | --- | --- | --- |
| create | \`Zone web\` | \`name\` |  | \`"web"\` |
|  |  | \`plan.ips\` |  | \`3\` |
|  |  | \`plan.ipsType\` |  | \`"dedicated"\` |
|  |  | \`plan.type\` |  | \`"static"\` |
| create | \`ProxyPort shop\` | \`password\` |  | \`[secret]\` |
|  |  | \`port\` |  | \`24000\` |
|  |  | \`rotateSession\` |  | \`true\` |
|  |  | \`zone\` |  | \`"web"\` |

</details>

Commit 0123abc.
`);
  for (const secret of ["hunter2-password", simulator.token, PASSPHRASE]) {
    expect(log + commentAt(here)).not.toContain(secret);
  }
  expect(readFileSync(join(machine.scratch, "summary.md"), "utf8")).toContain("2 to create");
  const installation = readFileSync(join(machine.environment.HOME ?? "", "npm-saw"), "utf8");
  for (const secret of [simulator.token, PASSPHRASE]) expect(installation).not.toContain(secret);
  expect(readFileSync(join(machine.environment.HOME ?? "", "ssh-arguments"), "utf8")).toContain(
    "-L 22999:127.0.0.1:22999 me@proxy-host",
  );

  here.declare(web(4), shop(true));
  expect(await succeeded(pipeline.preview())).toContain("Updated: ");
  expect(commentAt(here)).toContain("| $0.00 | $3.20 |");
  expect(simulator.account.liveZones()).toEqual([]);

  // What a job had begun before it was killed, on a runner that is gone.
  const cache = join(machine.caches, "notes-production-");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "begun"), "");
  await succeeded(pipeline.update());
  expect(simulator.account.zones.get("web")?.plan.ips).toBe(4);
  expect(existsSync(join(machine.environment.HOME ?? "", ".pulumi/brightdata/intents/begun"))).toBe(true);

  const port = simulator.manager.state.records.find((record) => record.port === 24_000) ?? {};
  const drift = () => runScript("npx pulumi-brightdata drift --stack demo", machine, own);
  const unchanged = await drift();
  expect(unchanged.status, unchanged.log).toBe(0);
  Object.assign(port, { rotate_session: false });
  simulator.account.addZone("stray", { type: "static" });
  const differs = await drift();
  expect(differs.status, differs.log).toBe(7);
  expect(differs.log).toContain("| `ProxyPort shop` | `rotateSession` | `true` | `false` |");
  expect(await succeeded(pipeline.drift())).toContain("Written: ");
  expect(forge.issues).toMatchObject([{ title: "Drift in declared/demo", isOpen: true }]);
  const [issue] = forge.issues;
  expect(issue?.body).toContain("| `ProxyPort shop` | `rotateSession` | `true` | `false` |");
  expect(issue?.body).toContain("- `Zone stray (account)`");

  Object.assign(port, { rotate_session: true });
  simulator.account.removeZone("stray");
  expect(await succeeded(pipeline.drift())).toContain("Closed: ");
  expect(forge.issues).toMatchObject([{ isOpen: false, comments: ["Nothing differs any more."] }]);

  here.declare(web(5), shop(true));
  await succeeded(pipeline.preview());
  expect(commentAt(here)).toContain("| replace | `Zone web` | `plan.ips` | `4` | `5` |");
}

it("on GitHub, a merge does what was reviewed, and asks for a new preview where that does not fit any more", async () => {
  const here = await scene();
  await here.pulumi("stack", "init", "demo");
  await mergesWhatWasReviewed(here, onGithub(here, { SAVED_PLANS: "true" }));
  const files = globSync("**/*.json", { cwd: here.machine.artifacts }).map((file) =>
    join(here.machine.artifacts, file),
  );
  expect(files.length).toBeGreaterThan(1);
  const kept = files.map((file) => readFileSync(file, "utf8")).join("");
  expect(kept).toContain('"resourcePlans"');
  for (const secret of ["hunter2-password", here.simulator.token, PASSPHRASE]) expect(kept).not.toContain(secret);
});

it("on GitHub, one pipeline previews and updates several stacks, up to the first that fails", async () => {
  const { machine, replaceCli, declare } = await scene();
  const calls = replaceCli();
  declare();
  const vars = { STACK: "acme/east acme/west", SAVED_PLANS: "true" };
  const actions = new Actions(machine, { vars, secrets: {} }, {});
  const byHand = { name: "workflow_dispatch", body: {} };
  await succeeded(actions.run("preview.yml", byHand).then((endings) => ending(endings, "preview")));
  await succeeded(actions.run("update.yml", { name: "push", body: {} }).then((endings) => ending(endings, "update")));
  expect(calls().filter((call) => /^(preview|up) /.test(call))).toEqual([
    expect.stringMatching(/^preview --stack acme\/east .* --save-plan plans\/east\.json$/),
    expect.stringMatching(/^preview --stack acme\/west .* --save-plan plans\/west\.json$/),
    "up --yes --non-interactive --stack acme/east --plan plans/east.json",
    "up --yes --non-interactive --stack acme/west --plan plans/west.json",
  ]);
});

it("on GitHub, no plan is saved, nor asked for, where SAVED_PLANS is anything but `true`", async () => {
  const { machine, replaceCli, declare } = await scene();
  const calls = replaceCli();
  declare();
  const actions = new Actions(machine, { vars: { STACK: "demo", SAVED_PLANS: "false" }, secrets: {} }, {});
  const byHand = { name: "workflow_dispatch", body: {} };
  await succeeded(actions.run("preview.yml", byHand).then((endings) => ending(endings, "preview")));
  await succeeded(actions.run("update.yml", { name: "push", body: {} }).then((endings) => ending(endings, "update")));
  expect(
    calls()
      .filter((call) => /^(preview|up) /.test(call))
      .join("\n"),
  ).toMatch(/^preview ((?!plan).)*\nup ((?!plan).)*$/);
});

it("on GitHub, a pull request has an environment while it is open, and what is left of it is swept", async () => {
  const here = await scene();
  const { machine, forge, simulator } = here;
  const pipeline = onGithub(here);
  here.declare(web(1), { kind: "Zone", name: "keep", args: { plan: { type: "static" } }, options: { protect: true } });
  expect((await pipeline.review()).link).toBe("https://forge.test/shop/proxies/actions/runs/1");
  expect(simulator.account.liveZones()).toHaveLength(2);
  const refused = await pipeline.endReview();
  expect(refused.status).not.toBe(0);
  expect(refused.log).toContain("because it is protected");
  expect(simulator.account.liveZones()).toHaveLength(2);
  await here.pulumi("state", "unprotect", "--all", "--yes", "--stack", "pr-5");
  await succeeded(pipeline.endReview());
  expect(simulator.account.liveZones()).toEqual([]);

  here.declare(web(1));
  await succeeded(pipeline.review());
  await here.pulumi("stack", "init", "production");
  forge.closed.set(NUMBER, true);
  // A job that was killed has left its lock.
  const locks = join(machine.scratch, "backend/.pulumi/locks/organization/declared/pr-5");
  mkdirSync(locks, { recursive: true });
  const lock = { pid: 1, username: "runner", hostname: "gone", timestamp: "2026-01-01T00:00:00Z" };
  writeFileSync(join(locks, "0b7d2c1e-6a4f-4d59-8f0a-3c6d1f2e9b10.json"), JSON.stringify(lock));
  const state = join(machine.scratch, "backend/.pulumi/stacks/declared/pr-5.json");
  writeFileSync(state, readFileSync(state, "utf8").replace(/"time":\s*"[^"]*"/, '"time":"2026-01-01T00:00:00Z"'));
  const log = await succeeded(pipeline.sweep());
  expect(log).toContain("the stack is currently locked by 1 lock(s)");
  expect(log).toMatch(/^pr-5: destroyed and removed$/m);
  expect(simulator.account.liveZones()).toEqual([]);
  await expect(here.pulumi("stack", "select", "pr-5")).rejects.toThrow("no stack named 'pr-5' found");
  await here.pulumi("stack", "select", "production");
});

/** Kills an update of the pull request's environment when the service has made its zone, and the runner with it. */
async function killedUpdate(here: Scene): Promise<void> {
  const hold = new Hold(here.simulator, ({ method, path }) =>
    method === "POST" && path === "/zone" ? "after" : undefined,
  );
  const { child, ending } = here.startPulumi("up", "--yes", "--skip-preview", "--stack", "pr-5");
  expect(await hold.settled(ending)).toBe(true);
  const plugins = childrenOf(child.pid, "pulumi-");
  signalGroup(child, "SIGKILL");
  for (const plugin of plugins) signalProcessGroup(plugin, "SIGKILL");
  await ending;
  hold.release();
}

it("on GitHub, what a killed job had begun goes with its environment, or is named where its notes are gone", async () => {
  const here = await scene();
  const { machine, forge, simulator } = here;
  const pipeline = onGithub(here);
  const stacks = async () =>
    JSON.parse(await here.pulumi("stack", "ls", "--json")).map(({ name }: { name: string }) => name);
  const made = () =>
    simulator.account
      .liveZones()
      .map(({ name }) => name)
      .sort();
  here.declare(web(1), { kind: "Zone", name: "second", args: { name: "second", plan: { type: "static" } } });
  await here.pulumi("stack", "init", "pr-5");
  await killedUpdate(here);
  expect(made()).not.toEqual([]);
  await succeeded(pipeline.endReview());
  expect(made()).toEqual([]);
  expect(await stacks()).toEqual([]);

  await here.pulumi("stack", "init", "pr-5");
  await killedUpdate(here);
  rmSync(join(machine.environment.HOME ?? "", ".pulumi/brightdata"), { recursive: true });
  rmSync(machine.caches, { recursive: true });
  // One of them, or both: the engine makes them at once, and notes them in any order.
  const left = made();
  expect(left).not.toEqual([]);
  for (const job of [pipeline.endReview, pipeline.sweep]) {
    const state = join(machine.scratch, "backend/.pulumi/stacks/declared/pr-5.json");
    forge.closed.set(NUMBER, true);
    writeFileSync(state, readFileSync(state, "utf8").replace(/"time":\s*"[^"]*"/, '"time":"2026-01-01T00:00:00Z"'));
    const { status, log } = await job();
    expect(status, log).not.toBe(0);
    const [told] = /^pr-5: failed: an update was killed while it created .*$/m.exec(log) ?? [];
    for (const name of left) expect(told).toContain(`Zone ${name} (${name})`);
    expect(await stacks()).toEqual(["pr-5"]);
    expect(made()).toEqual(expect.arrayContaining(left));
  }
  for (const name of made()) simulator.account.removeZone(name);
  await here.pulumi("refresh", "--clear-pending-creates", "--yes", "--stack", "pr-5");
  await succeeded(pipeline.endReview());
  expect(await stacks()).toEqual([]);
});

it("on GitHub, an environment of native resources is opened, changed, killed while it buys, and closed: nothing billed is left to sweep", async () => {
  const here = await scene("native");
  const pipeline = onGithub(here);
  await untilClosed(here, pipeline);
  await endsByItsJob(here, pipeline);
});

it("on GitHub, all stacks are unlocked, also behind one that cannot be, or that Pulumi Cloud says is not locked", async () => {
  const { machine, replaceCli } = await scene();
  const actions = new Actions(machine, { vars: { STACK: "acme/east acme/west" }, secrets: {} }, {});
  const unlocked = async (why: string) => {
    const calls = replaceCli("cancel --yes acme/east", `error: ${why}`);
    const { status } = ending(await actions.run("unlock.yml", { name: "workflow_dispatch", body: {} }), "unlock");
    expect(calls().slice(-2)).toEqual(["cancel --yes acme/east", "cancel --yes acme/west"]);
    return status;
  };
  expect(await unlocked("[403] Forbidden")).toBe(1);
  expect(await unlocked("[409] Conflict: The Update has already completed")).toBe(0);
  expect(await unlocked("stack acme/east has never been updated")).toBe(0);
});

it("on GitHub, each job that logs in by OpenID Connect runs the CLI with the token that it gets", async () => {
  const { machine, forge, replaceCli } = await scene();
  replaceCli();
  const tokens = join(machine.environment.HOME ?? "", "tokens");
  const runner = forge.environment("github", NUMBER);
  const actions = new Actions(machine, { vars: { PULUMI_ORGANIZATION: "acme" }, secrets: {} }, runner);
  const named = (name: string) => ({ name, body: {} });
  for (const [workflow, event] of [
    ["preview.yml", named("workflow_dispatch")],
    ["update.yml", named("push")],
    ["drift.yml", named("schedule")],
    ["review.yml", request("opened")],
    ["review.yml", request("closed")],
    ["review.yml", named("schedule")],
    ["unlock.yml", named("workflow_dispatch")],
  ] as const) {
    await actions.run(workflow, event);
    expect(new Set(readFileSync(tokens, "utf8").trimEnd().split("\n")), workflow).toEqual(new Set([EXCHANGED]));
    rmSync(tokens);
  }
});

it("on GitHub, an environment has the policies of the others, before anything is made", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const actions = new Actions(machine, { vars: { STACK: "prod", POLICY_PACK: "policies" }, secrets: {} }, {});
  for (const action of ["opened", "closed"]) {
    await succeeded(actions.run("review.yml", request(action)).then((endings) => ending(endings, "environment")));
  }
  expect(calls()).toEqual([
    "stack select --create pr-5",
    "up --yes --non-interactive --stack pr-5 --policy-pack policies",
    "stack output url --stack pr-5",
    "destroy --stack pr-5 --yes --non-interactive --remove",
  ]);
});

it("on GitHub, an environment whose passwords anybody with the backend could read is not begun", async () => {
  const { machine, backend, replaceCli } = await scene();
  const calls = replaceCli();
  const actions = new Actions(machine, { vars: { PULUMI_BACKEND_URL: backend }, secrets: {} }, {});
  const { status, log } = ending(await actions.run("review.yml", request("opened")), "environment");
  expect(status).not.toBe(0);
  expect(log).toContain("PULUMI_CONFIG_PASSPHRASE: is not set");
  expect(calls).toThrow("ENOENT");
});

it("on GitHub, a Pulumi Cloud of one's own asks for no passphrase", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const vars = { PULUMI_BACKEND_URL: "https://pulumi.example.com", SAVED_PLANS: "true" };
  const actions = new Actions(machine, { vars, secrets: {} }, {});
  await succeeded(actions.run("review.yml", request("opened")).then((endings) => ending(endings, "environment")));
  expect(calls()).toContain("stack select --create pr-5");
  const { log } = ending(await actions.run("preview.yml", request("synchronize")), "preview");
  expect(log).not.toContain("PULUMI_CONFIG_PASSPHRASE: is not set");
});

test.each([
  ["the code of a fork", { repo: "mallory/proxies" }],
  ["a pull request of Dependabot, which gets no secrets,", { login: "dependabot[bot]" }],
  ["a pull request of Renovate", { login: "renovate[bot]" }],
])("on GitHub, %s is never run with a token", async (_, who) => {
  const { machine } = await scene();
  const actions = new Actions(machine, { vars: {}, secrets: {} }, {});
  expect(await actions.run("review.yml", request("opened", who))).toEqual({});
  // Its tests are, without a secret.
  expect(Object.keys(await actions.run("preview.yml", request("opened", who)))).toEqual(["test"]);
});
