import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { send } from "../../../scripts/send.mts";
import { type Simulator, startSimulator } from "../../../simulator";
import { accountOf } from "../../../src/base/location";
import { type Command, parsed } from "../../../src/cli/commands/command";
import { comment } from "../../../src/cli/commands/comment";
import { drift } from "../../../src/cli/commands/drift";
import { titleOf } from "../../../src/cli/commands/forge";
import { projectName } from "../../../src/cli/commands/stack";
import { sweep } from "../../../src/cli/commands/sweep";
import { typeOf } from "../../../src/dynamic/type";
import { placeAt } from "../../../src/pulumi/place";
import { create, intentsFolder, newFile } from "../../../src/run/intentFiles";
import { placeId } from "../../../src/run/intents";
import { lines, said, step } from "../pipeline/events";
import { FakeForge } from "../pipeline/fakeForge";

let simulator: Simulator;
let forge: FakeForge;
let folder: string;

beforeEach(async () => {
  [simulator, forge] = [await startSimulator(), await FakeForge.start()];
  folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  for (const [name, value] of Object.entries(forge.environment("github"))) vi.stubEnv(name, value);
  for (const name of ["GITHUB_REF", "GITHUB_EVENT_PATH", "GITHUB_SHA"]) vi.stubEnv(name, undefined);
  vi.stubEnv("GITHUB_STEP_SUMMARY", join(folder, "summary.md"));
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await Promise.all([simulator.close(), forge.close()]);
  rmSync(folder, { recursive: true });
});

interface Answer {
  prints?: string;
  says?: string;
  status?: number;
  /** What it prints from the second time on. */
  later?: string;
}

/** Puts a CLI in place that answers each command so; it notes how it was called. */
function cli(answers: Record<string, Answer>): () => string[] {
  const cases = Object.entries(answers).map(([command, { prints = "", says = "", status = 0, later }], index) => {
    writeFileSync(join(folder, `out-${index}`), prints);
    writeFileSync(join(folder, `err-${index}`), says);
    writeFileSync(join(folder, `next-${index}`), later ?? prints);
    const next = `cp "${folder}/next-${index}" "${folder}/out-${index}"`;
    return `"${command}"*) cat "${folder}/out-${index}"; ${next}; cat "${folder}/err-${index}" >&2; exit ${status};;`;
  });
  const script = `#!/bin/sh\necho "$*" >> "${folder}/calls"\ncase "$*" in\n${cases.join("\n")}\n*) exit 99;;\nesac\n`;
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  return () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
}

async function run(command: Command, ...args: string[]): Promise<{ code: number; printed: string; warned: string }> {
  const given = parsed(command, args);
  if (given === undefined) throw new Error("that is the help");
  const texts = { printed: "", warned: "" };
  const heard = (stream: NodeJS.WriteStream, key: keyof typeof texts) =>
    vi.spyOn(stream, "write").mockImplementation((text) => {
      texts[key] += String(text);
      return true;
    });
  const spies = [heard(process.stdout, "printed"), heard(process.stderr, "warned")];
  try {
    return { code: await command.run(given), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const CONFIG = {
  "brightdata:prices": { objectValue: { "datacenter-dedicated-ip": 0.5 } },
  "shop:key": { value: "s3cret-key", secret: true },
};
const config = { prints: JSON.stringify(CONFIG) };
const zone = { name: "web", plan: { type: "static", ipsType: "dedicated", ips: 2 } };
const plan = lines(step("create", "Zone", "web", { after: zone }), said("info", "brightdata: s3cret-key"));

describe("comment", () => {
  test("prints what the preview says as JSON, without secrets, and hands its arguments on", async () => {
    const calls = cli({ config, preview: { prints: plan } });
    const { code, printed } = await run(comment, "--stack", "dev", "--json", "--", "--policy-pack", "policies");
    expect(code).toBe(0);
    expect(calls()).toContain("preview --stack dev --json --non-interactive --color never --policy-pack policies");
    expect(JSON.parse(printed)).toMatchObject({
      stack: "shop/dev",
      plan: { steps: [{ operation: "create", kind: "Zone", name: "web" }], messages: ["[secret]"] },
      money: { now: 0, after: 1 },
      spent: [{ account: "account", dollars: 0 }],
      succeeded: true,
    });
    expect(forge.requests).toEqual([]);
  });

  test("no credential of the environment or the configuration is shown, and no word is hidden for one", async () => {
    const hidden = {
      AZURE_STORAGE_KEY: "storage-key==",
      TUNNEL_KEY: "first line\nsecond line\n",
      BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: "token-of-shop" } }),
      BRIGHTDATA_MANAGERS: JSON.stringify({ lab: { url: "http://127.0.0.1:1", apiKey: "key-of-lab" } }),
      PULUMI_BACKEND_URL: "postgres://me:pass%40word@localhost/db?sslpassword=of-the-key",
    };
    const shown = { MY_SECRET_MODE: "the", MY_SECRET_COUNT: "1000" };
    for (const [name, value] of Object.entries({ ...hidden, ...shown })) vi.stubEnv(name, value);
    const words = [
      ["storage-key==", "first line\nsecond line", "token-of-shop", "key-of-lab", "pass%40word", "pass@word"],
      ["of-the-key", "in-clear-text", "s3cret-key", "the 1000"],
    ].flat();
    const settings = { ...CONFIG, "brightdata:managerApiKey": { value: "in-clear-text" } };
    cli({
      config: { prints: JSON.stringify(settings) },
      preview: { prints: lines(...words.map((word) => said("info", word))) },
    });
    const { printed } = await run(comment, "--stack", "dev", "--no-cost", "--json");
    expect(JSON.parse(printed).plan.messages).toEqual(["[secret]", "the 1000"]);
  });

  test("nothing is shown of what stands in the JSON of a secret value", async () => {
    const store = JSON.stringify({ key: "AKIA-of-store", hosts: ["host-of-store"] });
    const list = JSON.stringify(["first-of-list", { url: "https://example.com/path-of-list" }]);
    const settings = {
      "shop:store": { value: store, secret: true },
      "shop:list": { value: list, secret: true },
      "shop:nested": { objectValue: { inner: '{"pin":"pin-of-nested"}' }, secret: true },
    };
    const words = ["AKIA-of-store", "host-of-store", "first-of-list", "/path-of-list", "pin-of-nested", store];
    cli({
      config: { prints: JSON.stringify(settings) },
      preview: { prints: lines(...words.map((word) => said("info", word))) },
    });
    const { printed } = await run(comment, "--stack", "dev", "--no-cost", "--json");
    expect(JSON.parse(printed).plan.messages).toEqual(["[secret]"]);
  });

  test("writes to the forge, and into the summary of the job, also when the preview has failed", async () => {
    cli({ config, preview: { says: "error: no such thing, s3cret-key", status: 255 } });
    const { code, printed, warned } = await run(comment, "--stack", "dev", "--to", "github", "--number", "5");
    expect({ code, printed }).toEqual({ code: 1, printed: "" });
    expect(warned).toMatch(/^Written: http/);
    expect(forge.comments.get(5)?.[0]?.body).toContain(
      "the preview failed\n\n```text\nerror: no such thing, [secret]\n",
    );
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("the preview failed");
  });

  test("a comment that cannot be posted stands in the log, and so does what was cut", async () => {
    cli({ config, preview: { prints: plan } });
    const args = ["--stack", "dev", "--no-cost", "--to", "github", "--number", "5"];
    forge.refused = "POST";
    let warned = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      warned += String(text);
      return true;
    });
    const given = parsed(comment, args);
    await expect(given && comment.run(given)).rejects.toThrow("403");
    expect(warned).toContain("### `shop/dev`: 1 to create");
  });

  test("an account that does not answer does not keep the comment back", async () => {
    cli({ config, preview: { prints: plan } });
    simulator.remote.service.faults.add({
      method: "POST",
      path: "/costs/export/json",
      kind: "respond",
      status: 403,
      times: 9,
    });
    const { code, printed, warned } = await run(comment, "--stack", "dev");
    expect(code).toBe(0);
    expect(printed).toContain("| The account this month so far | not readable |  |");
    expect(warned).toContain("Could not read the cost of the account");
  });

  test.each([
    [["--to", "github"], "Which stack? --stack is missing."],
    [["--stack", "dev", "--to", "gitea"], '--to takes github, gitlab, not "gitea".'],
    [["--stack", "dev", "--to", "github"], "Which pull request? This job is about none: --number is missing."],
    [["--stack", "dev", "--to", "github", "--number", "x"], '--number takes the number of a pull request, not "x".'],
    [["--stack", "dev", "--number", "x"], '--number takes the number of a pull request, not "x".'],
    [["--stack", "dev", "--number", "5"], "--number needs --to: where is the pull request?"],
  ])("%j is refused before anything is run", async (args, words) => {
    await expect(run(comment, ...args)).rejects.toThrow(words);
    expect(forge.requests).toEqual([]);
  });
});

describe("drift", () => {
  const state = { prints: '{"version":3,"deployment":{"resources":[]}}' };
  const inSync = { config, "stack ls": { prints: '[{"name":"dev"}]' }, "stack export": state, preview: { prints: "" } };

  test("names what no stack has, but for what may be so", async () => {
    const calls = cli(inSync);
    simulator.account.addZone("stray", { type: "static" });
    simulator.account.addZone("known_1", { type: "static" });
    const { code, printed } = await run(drift, "--stack", "dev", "--json", "--ignore", "known_*");
    expect({ code, ...JSON.parse(printed) }).toEqual({
      code: 7,
      stack: "shop/dev",
      resources: [],
      unmanaged: ["Zone stray (account)"],
      notImportable: [],
      unchecked: [],
    });
    expect(calls()).toContain("stack ls --json --all");
    expect(await run(drift, "--stack", "dev", "--no-unmanaged")).toMatchObject({ code: 0 });
  });

  test.each([
    [["--label", "drift"], "--label needs --to: only an issue has labels."],
    [["--no-unmanaged", "--ignore", "known_*"], "--ignore has no meaning with --no-unmanaged: leave one of them out."],
    [["--no-unmanaged", "--state", "a.json"], "--state has no meaning with --no-unmanaged: leave one of them out."],
  ])("%j is misuse", async (args, words) => {
    cli(inSync);
    await expect(run(drift, "--stack", "dev", ...args)).rejects.toThrow(words);
  });

  test("the command that takes things into the stack names what `import` cannot know: other states, and what may be in none", async () => {
    const heldBy = (...names: string[]) => {
      const outputs = (name: string) => ({ name, __at: accountOf(simulator.account.customer) });
      const urn = (name: string) => `urn:pulumi:dev::shop::x::${name}`;
      const resources = names.map((id) => ({ urn: urn(id), type: typeOf("Zone"), id, outputs: outputs(id) }));
      return JSON.stringify({ version: 3, deployment: { resources } });
    };
    for (const name of ["mine", "theirs", "elsewhere", "known", "stray"])
      simulator.account.addZone(name, { type: "static" });
    writeFileSync(join(folder, "other backend.json"), heldBy("elsewhere"));
    cli({
      config,
      preview: { prints: "" },
      "stack ls": { prints: '[{"name":"dev"},{"name":"organization/other/dev"},{"name":"organization/empty/dev"}]' },
      "stack export --stack dev": { prints: heldBy("mine") },
      "stack export --stack organization/other/dev": { prints: heldBy("theirs") },
      "stack export": state,
    });
    const file = join(folder, "other backend.json");
    const { printed } = await run(drift, "--stack", "dev", "--state", file, "--ignore", "known,old_*");
    expect(printed).toContain(
      `- \`Zone stray (account)\`\n\nTake them into a stack with \`npx pulumi-brightdata import --stack dev --state '${file}' --ignore 'known,old_*' --kind Zone\`, or delete them.`,
    );
  });

  test("what `import` leaves out is no advice to import it, but says why", async () => {
    cli(inSync);
    const rules = [{ status: "403", action: { ban_ip: "10min" } }];
    await send(simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "static", rules } });
    const why =
      '`rules[0].action.banIp` is "10min": expected a whole number of milliseconds, such as 600000: the manager does not know units, and takes "10min" for 10.';
    const { printed } = await run(drift, "--stack", "dev", "--json");
    const title = "ProxyPort 24000 (manager)";
    expect(JSON.parse(printed)).toMatchObject({ unmanaged: [title], notImportable: [{ title, why }] });
    const alone = await run(drift, "--stack", "dev");
    expect(alone).toMatchObject({ code: 7, printed: expect.stringContaining("- `ProxyPort 24000 (manager)`: ") });
    expect(alone.printed).not.toContain("pulumi-brightdata import");
    simulator.account.addZone("stray", { type: "static" });
    expect((await run(drift, "--stack", "dev")).printed).toContain(
      "- `Zone stray (account)`\n\nTake them into a stack with `npx pulumi-brightdata import --stack dev --kind Zone`, or delete them.",
    );
    expect(await run(drift, "--stack", "dev", "--ignore", "stray,24000")).toMatchObject({ code: 0 });
  });

  test("what cannot be read, as with a token that may only list, is named all the same", async () => {
    cli(inSync);
    simulator.account.addZone("stray", { type: "static" });
    simulator.remote.service.faults.add({ kind: "respond", method: "GET", path: "/zone", status: 403, times: 9 });
    expect(await run(drift, "--stack", "dev")).toMatchObject({
      code: 7,
      printed: expect.stringContaining("- `Zone stray (account)`\n\nTake them into a stack with"),
    });
  });

  test("without a token, what is in no stack is not known, and no issue is closed", async () => {
    simulator.account.addZone("stray", { type: "static" });
    cli(inSync);
    const args = ["--stack", "dev", "--to", "github"];
    expect(await run(drift, ...args)).toMatchObject({ code: 7 });
    vi.stubEnv("BRIGHTDATA_API_TOKEN", undefined);
    expect(await run(drift, ...args)).toMatchObject({
      code: 1,
      warned: expect.stringContaining("Not checked: No account is read: there is no API token."),
    });
    expect(forge.issues).toMatchObject([{ isOpen: true }]);
    expect(await run(drift, "--no-unmanaged", ...args)).toMatchObject({ code: 0 });
    expect(forge.issues).toMatchObject([{ isOpen: false }]);
  });

  test("a zone of another account, whose stack has the same name for it, is not taken for this one's", async () => {
    simulator.account.addZone("web", { type: "static" });
    const { customer } = simulator.account;
    const heldAt = async (account: string) => {
      const outputs = { name: "web", __at: accountOf(account) };
      const resources = [{ urn: "urn:pulumi:dev::shop::x::web", type: typeOf("Zone"), id: "web", outputs }];
      cli({ ...inSync, "stack export": { prints: JSON.stringify({ version: 3, deployment: { resources } }) } });
      return (await run(drift, "--stack", "dev")).code;
    };
    expect([await heldAt(customer), await heldAt("hl_another")]).toEqual([0, 7]);
  });

  test("what was found is told, also where the rest cannot be read", async () => {
    const update = step("update", "ProxyPort", "p", { before: { country: "fr" }, after: { country: "de" } });
    const blocked = said("error", "unable to replace resource, as it is currently marked for protection");
    cli({ ...inSync, preview: { prints: lines(update, blocked), status: 255 } });
    await simulator.manager.close();
    expect(await run(drift, "--stack", "dev", "--to", "github")).toMatchObject({
      code: 7,
      warned: expect.stringMatching(
        /^Not checked: `pulumi preview --refresh` failed with 255: unable .*\nNot checked: everything \(manager\): .*ECONNREFUSED/,
      ),
    });
    expect(forge.issues).toMatchObject([{ body: expect.stringMatching(/`ProxyPort p`.*\*\*Not checked\*\*/s) }]);
  });

  test("a preview that fails is no drift, and leaves the issue as it is", async () => {
    cli({ ...inSync, preview: { says: "error: the passphrase is wrong", status: 1 } });
    await expect(run(drift, "--stack", "dev", "--to", "github")).rejects.toThrow(
      "`pulumi preview --refresh` failed with 1: error: the passphrase is wrong",
    );
    expect(forge.requests).toEqual([]);
  });

  test("what differs is drift, with the properties as declared and as they are", async () => {
    const update = step("update", "ProxyPort", "p", { before: { country: "fr" }, after: { country: "de" } });
    cli({ ...inSync, preview: { prints: lines(update), status: 7 } });
    const { code, printed } = await run(drift, "--stack", "dev", "--json");
    expect(code).toBe(7);
    expect(JSON.parse(printed).resources).toEqual([
      {
        kind: "ProxyPort",
        name: "p",
        operation: "update",
        isGone: false,
        changes: [{ path: "country", declared: '"de"', actual: '"fr"' }],
      },
    ]);
  });

  test.each([
    ["by its exit code", { status: 7 }],
    [
      "by the words of an older CLI",
      { status: 255, prints: lines(said("error", "no changes were expected for preview but changes were proposed")) },
    ],
    [
      "by those words on standard error",
      { status: 255, says: "error: no changes were expected but changes were proposed" },
    ],
  ])("a change that the CLI tells of %s alone is drift, and the issue stays open", async (_, preview) => {
    cli({ ...inSync, preview });
    const args = ["--stack", "dev", "--no-unmanaged", "--to", "github"];
    expect(await run(drift, ...args)).toMatchObject({ code: 7 });
    expect(await run(drift, ...args)).toMatchObject({ code: 7 });
    expect(forge.issues).toMatchObject([{ isOpen: true, body: expect.stringContaining("is not what there is") }]);
  });

  test("what could not be looked at is named in the issue, and none is closed for it", async () => {
    cli(inSync);
    const fail = () =>
      simulator.manager.service.faults.add({ kind: "respond", path: "/api/lpm_users", status: 400, times: 9 });
    fail();
    const args = ["--stack", "dev", "--to", "github"];
    expect(await run(drift, ...args)).toMatchObject({
      code: 1,
      warned: expect.stringMatching(/^Not checked: ManagerUser /),
    });
    expect(forge.issues).toEqual([]);
    fail();
    simulator.account.addZone("stray", { type: "static" });
    expect(await run(drift, ...args)).toMatchObject({ code: 7 });
    expect(forge.issues).toMatchObject([
      { body: expect.stringMatching(/\*\*Not checked\*\*\n\n- ManagerUser \(manager\): /) },
    ]);
  });

  test("what a stack may have that cannot be exported is told by that stack's name, and is not said to be in none", async () => {
    const outputs = { name: "web", __at: accountOf(simulator.account.customer) };
    const resources = [{ urn: "urn:pulumi:dev::shop::x::web", type: typeOf("Zone"), id: "web", outputs }];
    cli({
      "stack export --stack pr-1": { says: "error: unreadable", status: 255 },
      ...inSync,
      "stack ls": { prints: '[{"name":"pr-1"},{"name":"dev"}]' },
      "stack export": { prints: JSON.stringify({ version: 3, deployment: { resources } }) },
    });
    simulator.account.addZone("web", { type: "static" });
    const args = ["--stack", "dev", "--to", "github"];
    expect(await run(drift, ...args)).toMatchObject({ code: 0 });
    for (const name of ["theirs", "stray"]) simulator.account.addZone(name, { type: "static" });
    expect(await run(drift, ...args)).toMatchObject({
      code: 1,
      warned:
        "Not checked: whether stack pr-1 has Zone stray (account), Zone theirs (account): `pulumi stack export --stack pr-1` failed: error: unreadable\n",
    });
    expect(forge.issues).toEqual([]);
  });

  test("what an update has made while the states were read is in a stack", async () => {
    const outputs = { name: "made", __at: accountOf(simulator.account.customer) };
    const resources = [{ urn: "urn:pulumi:dev::shop::x::made", type: typeOf("Zone"), id: "made", outputs }];
    const late = JSON.stringify({ version: 3, deployment: { resources } });
    const calls = cli({ ...inSync, "stack export": { ...state, later: late } });
    simulator.account.addZone("made", { type: "static" });
    expect(await run(drift, "--stack", "dev")).toMatchObject({ code: 0 });
    expect(calls().filter((call) => call.startsWith("stack export"))).toHaveLength(2);
  });
});

describe("sweep", () => {
  const listed = JSON.stringify([
    { name: "production", lastUpdate: "2020-01-01T00:00:00Z" },
    { name: "pr-1", lastUpdate: "2020-01-01T00:00:00Z" },
    { name: "pr-2", lastUpdate: "2020-01-01T00:00:00Z" },
  ]);
  const destroying = ["--match", "pr-*", "--to", "github", "--yes"];
  const whole = { prints: JSON.stringify({ deployment: { resources: [] } }) };

  test("only lists, unless it is told to destroy, which it does after a preview", async () => {
    forge.closed.set(1, true);
    const calls = cli({ "stack ls": { prints: listed }, "stack export": whole, destroy: {} });
    expect(await run(sweep, "--match", "pr-*", "--to", "github")).toMatchObject({
      code: 0,
      printed: "pr-1: would be destroyed, with --yes\npr-2: kept, because there is no pull request 2\n",
    });
    expect(calls()).toEqual(["stack ls --json"]);
    expect(await run(sweep, ...destroying)).toMatchObject({
      code: 0,
      printed: "pr-1: destroyed and removed\npr-2: kept, because there is no pull request 2\n",
    });
    expect(calls().slice(2)).toEqual([
      "stack ls --json",
      "stack export --stack pr-1",
      "destroy --stack pr-1 --yes --non-interactive --remove",
    ]);
  });

  test("of each stack, a line says what would be done, or why nothing is", async () => {
    const lately = new Date(Date.now() - 3_600_000).toISOString();
    const lastUpdate = "2020-01-01T00:00:00Z";
    const found = [
      { name: "pr-1", lastUpdate },
      { name: "pr-2", lastUpdate },
      { name: "pr-3", lastUpdate: lately },
      { name: "pr-4" },
      { name: "pr-6", updateInProgress: true },
      { name: "pr-eu-5", lastUpdate },
      { name: "production", lastUpdate },
    ];
    forge.closed.set(1, true).set(2, false).set(6, true);
    cli({ "stack ls": { prints: JSON.stringify(found) } });
    const kept = [
      `pr-3: kept, because it was updated at ${lately}`,
      "pr-4: kept, because it was never updated",
      expect.stringMatching(/^pr-6: kept, because an update has locked it, and .* does not say since when\./),
      "pr-eu-5: kept, because its name has no number of a pull request there",
    ];
    const printed = async (...args: string[]) => (await run(sweep, "--match", "pr-*", ...args)).printed;
    const would = "would be destroyed, with --to, if its pull request is closed, and --yes";
    expect((await printed()).trim().split("\n")).toEqual([`pr-1: ${would}`, `pr-2: ${would}`, ...kept]);
    expect((await printed("--to", "github")).trim().split("\n")).toEqual([
      "pr-1: would be destroyed, with --yes",
      "pr-2: kept, because pull request 2 is open",
      ...kept,
    ]);
  });

  test("where nothing matches, it says so, and which stacks it has looked at", async () => {
    for (const [prints, which] of [
      [listed, "the stacks of this project are production, pr-1, pr-2"],
      ["[]", "this project has no stacks"],
    ] as const) {
      cli({ "stack ls": { prints } });
      const warned = `Nothing matches review-*, mr-*: ${which}.\n`;
      const args = ["--match", "review-*", "--match", "mr-*"];
      expect(await run(sweep, ...args)).toEqual({ code: 0, printed: "", warned });
      expect(await run(sweep, ...args, "--json")).toEqual({ code: 0, printed: "[]\n", warned });
    }
  });

  test("a stack that somebody else has removed meanwhile is no failure", async () => {
    forge.closed.set(1, true);
    const calls = cli({ "stack ls": { prints: listed, later: "[]" } });
    expect(await run(sweep, ...destroying)).toMatchObject({
      code: 0,
      printed: "pr-1: kept, because it is there no more\npr-2: kept, because there is no pull request 2\n",
    });
    expect(calls()).toEqual(Array(2).fill("stack ls --json"));
  });

  test("a pull request that is opened again while another stack is destroyed keeps its own", async () => {
    forge.closed.set(1, true).set(2, true);
    const calls = cli({ "stack ls": { prints: listed }, "stack export": whole, destroy: {} });
    const isClosed = forge.closed.get.bind(forge.closed);
    let times = 0;
    vi.spyOn(forge.closed, "get").mockImplementation((number) => {
      if (number === 2) times += 1;
      return times < 2 && isClosed(number);
    });
    expect(await run(sweep, ...destroying)).toMatchObject({
      code: 0,
      printed: "pr-1: destroyed and removed\npr-2: kept, because pull request 2 is open\n",
    });
    expect(calls().filter((call) => call.startsWith("destroy"))).toHaveLength(1);
  });

  test("what cannot be destroyed is a failure, and a lock that is younger than a day is left alone", async () => {
    forge.closed.set(1, true);
    const hoursAgo = new Date(Date.now() - 5 * 3_600_000).toISOString();
    const says = `error: the stack is currently locked by 1 lock(s).\n  created by me at ${hoursAgo}\n`;
    const calls = cli({ "stack ls": { prints: listed }, "stack export": whole, destroy: { says, status: 255 } });
    expect(await run(sweep, ...destroying, "--older-than", "1h", "--json")).toMatchObject({
      code: 1,
      printed: JSON.stringify(
        [
          { name: "pr-1", failure: "`pulumi destroy --stack pr-1` ended with 255; the log says why" },
          { name: "pr-2", kept: "there is no pull request 2" },
        ],
        undefined,
        2,
      ).concat("\n"),
    });
    expect(calls()).toHaveLength(4);
  });

  test("a stack that cannot be read is a failure of its own, and the others are looked at", async () => {
    for (const number of [1, 2, 3]) forge.closed.set(number, true);
    const lastUpdate = "2020-01-01T00:00:00Z";
    const found = ["pr-1", "pr-2", "pr-3"].map((name) => ({ name, lastUpdate }));
    cli({
      "stack ls": { prints: JSON.stringify(found) },
      "stack export --stack pr-2": { says: "error: unreadable", status: 255 },
      "stack export": whole,
      destroy: {},
    });
    const { code, printed } = await run(sweep, ...destroying, "--json");
    expect(JSON.parse(printed)).toEqual([
      { name: "pr-1", isDestroyed: true },
      { name: "pr-2", failure: "`pulumi stack export --stack pr-2` failed: error: unreadable" },
      { name: "pr-3", isDestroyed: true },
    ]);
    expect(code).toBe(1);
  });

  test("what a killed update was creating keeps its stack, without the rest, and is named", async () => {
    forge.closed.set(1, true);
    const type = typeOf("Zone");
    const urn = `urn:pulumi:pr-1::shop::${type}::web`;
    const resource = { urn, type, inputs: { name: "web_pr_1", __key: "place" } };
    const state = { deployment: { pending_operations: [{ type: "creating", resource }] } };
    const answers = { "stack ls": { prints: listed }, "stack export": { prints: JSON.stringify(state) }, destroy: {} };
    const calls = cli(answers);
    const failure =
      "an update was killed while it created Zone web (web_pr_1), which may be there and billed. All else is destroyed. Look at the service, delete it there, then run `pulumi refresh --clear-pending-creates --stack pr-1` and sweep again";
    for (const args of [destroying, ["--stack", "pr-1", "--unlock", "--yes"]]) {
      expect(await run(sweep, ...args)).toMatchObject({
        code: 1,
        printed: expect.stringContaining(`pr-1: failed: ${failure}\n`),
      });
    }
    expect(calls().filter((call) => /^(destroy|up)/.test(call))).toEqual(
      Array(2).fill("destroy --stack pr-1 --yes --non-interactive"),
    );
  });

  test("what a killed update was creating of native resources is taken up where it is noted", async () => {
    const type = "brightdata:index:Zone";
    const urn = `urn:pulumi:pr-1::shop::${type}::web`;
    const state = { deployment: { pending_operations: [{ type: "creating", resource: { urn, type, inputs: {} } }] } };
    const stack = { name: "pr-1", url: "https://app.pulumi.com/acme/shop/pr-1" };
    const calls = cli({
      "stack ls": { prints: JSON.stringify([stack]) },
      "stack export": { prints: JSON.stringify(state), later: "{}" },
      up: {},
      destroy: {},
    });
    const site = { organization: "acme", project: "shop", stack: "pr-1", kind: "Zone", name: "web" };
    const note = newFile(intentsFolder(), placeId("Zone", placeAt(site)), "mark");
    await create(intentsFolder(), note.file, { begun: {} });
    expect((await run(sweep, "--stack", "pr-1", "--yes")).code).toBe(0);
    expect(calls().filter((call) => /^(destroy|up)/.test(call))).toEqual([
      `up --stack pr-1 --yes --non-interactive --skip-preview --target ${urn}`,
      "destroy --stack pr-1 --yes --non-interactive --remove",
    ]);
  });

  test("one stack is destroyed whatever its age, or is not there, and its lock is lifted where that is asked for", async () => {
    const says = `error: the stack is currently locked by 1 lock(s).\n  created by me at ${new Date().toISOString()}\n`;
    const calls = cli({
      "stack ls": { prints: listed },
      "stack export": whole,
      destroy: { says, status: 255 },
      cancel: {},
    });
    expect(await run(sweep, "--stack", "pr-9", "--yes")).toMatchObject({
      code: 0,
      printed: "pr-9: kept, because there is no such stack\n",
    });
    expect(await run(sweep, "--stack", "pr-1")).toMatchObject({
      code: 0,
      printed: "pr-1: would be destroyed, with --yes\n",
    });
    expect((await run(sweep, "--stack", "pr-1", "--yes")).code).toBe(1);
    expect(calls().filter((call) => call.startsWith("cancel"))).toEqual([]);
    expect((await run(sweep, "--stack", "pr-1", "--yes", "--unlock")).code).toBe(1);
    expect(
      calls()
        .slice(-3)
        .map((call) => call.split(" ")[0]),
    ).toEqual(["destroy", "cancel", "destroy"]);
  });

  test.each([
    ["pr-1", true],
    ["acme/pr-1", true],
    ["acme/shop/pr-1", true],
    ["other/pr-1", false],
    ["acme/other/pr-1", false],
    ["other/pr-2", true],
    ["other/shop/pr-2", true],
    ["pr-2", false],
    ["organization/pr-3", true],
    ["organization/shop/pr-3", true],
    ["shop/pr-3", false],
  ])("that %s names a stack of the project is %s", async (name, isThere) => {
    const found = [
      { name: "pr-1", url: "https://app.pulumi.com/acme/shop/pr-1" },
      { name: "other/pr-2", url: "https://app.pulumi.com/other/shop/pr-2" },
      { name: "pr-3" },
    ];
    const calls = cli({ "stack ls": { prints: JSON.stringify(found) }, "stack export": whole, destroy: {} });
    expect(await run(sweep, "--stack", name, "--yes")).toMatchObject({
      code: 0,
      printed: `${name}: ${isThere ? "destroyed and removed" : "kept, because there is no such stack"}\n`,
    });
    const destroyed = calls().filter((call) => call.startsWith("destroy"));
    expect(destroyed).toEqual(isThere ? [`destroy --stack ${name} --yes --non-interactive --remove`] : []);
  });

  test("a lock at Pulumi Cloud, whose age nobody knows, is lifted where that is asked for, and named elsewhere", async () => {
    forge.closed.set(1, true);
    const says =
      "error: [409] Conflict: Another update is currently in progress.\nTo learn more about possible reasons and resolution, visit https://www.pulumi.com/docs/support/troubleshooting/common-issues/update-conflicts/\n";
    const calls = cli({
      "stack ls": { prints: listed },
      "stack export": whole,
      destroy: { says, status: 255 },
      cancel: {},
    });
    const words =
      "pr-1: failed: an update has locked it, and the backend does not say since when. If that update was killed, `npx pulumi-brightdata sweep --stack pr-1 --unlock --yes` lifts the lock\n";
    for (const args of [destroying, ["--stack", "pr-1", "--yes"]]) {
      expect(await run(sweep, ...args)).toMatchObject({ code: 1, printed: expect.stringContaining(words) });
    }
    expect(calls().filter((call) => call.startsWith("cancel"))).toEqual([]);
    expect(await run(sweep, "--stack", "pr-1", "--yes", "--unlock")).toMatchObject({
      code: 1,
      printed: "pr-1: failed: `pulumi destroy --stack pr-1` ended with 255; the log says why\n",
    });
    expect(calls().slice(-3)).toEqual([
      "destroy --stack pr-1 --yes --non-interactive --remove",
      "cancel --yes pr-1",
      "destroy --stack pr-1 --yes --non-interactive --remove",
    ]);
  });

  test("Ctrl+C tells the CLI once, which ends what it has begun; a terminal and npm would each tell it again", async () => {
    cli({ "stack ls": { prints: listed }, "stack export": whole });
    const [begun, heard] = [join(folder, "begun"), join(folder, "heard")];
    const script = `const { writeFileSync } = require("node:fs");
const signals = [];
process.on("SIGINT", () => writeFileSync(${JSON.stringify(heard)}, String(signals.push("SIGINT"))));
process.on("SIGTERM", () => setImmediate(() => process.exit(writeFileSync(${JSON.stringify(heard)}, signals.join()))));
setInterval(() => {}, 1000);
writeFileSync(${JSON.stringify(begun)}, String(process.pid));`;
    writeFileSync(join(folder, "destroy.cjs"), script);
    const others = readFileSync(join(folder, "pulumi"), "utf8");
    const destroying = `"destroy"*) exec "${process.execPath}" "${folder}/destroy.cjs";;`;
    writeFileSync(
      join(folder, "pulumi"),
      others.replace('case "$*" in', (start) => `${start}\n${destroying}`),
    );
    const ending = expect(run(sweep, "--stack", "pr-1", "--yes")).rejects.toMatchObject({ signal: "SIGINT" });
    await vi.waitUntil(() => existsSync(begun) && readFileSync(begun, "utf8") !== "", { timeout: 15_000 });
    const group = -Number(readFileSync(begun, "utf8"));
    expect(process.kill(group, 0)).toBe(true);
    process.emit("SIGINT");
    await vi.waitUntil(() => existsSync(heard), { timeout: 15_000 });
    process.emit("SIGINT");
    process.emit("SIGTERM");
    await ending;
    expect(readFileSync(heard, "utf8")).toBe("SIGINT");
  });

  test.each([
    [[], "Which stacks? --match is missing."],
    [
      ["--match", "pr-*,*"],
      '--match takes two characters or more and one *, which is the number of a pull request, such as pr-*, not "*".',
    ],
    [["--match", "pr-*", "--older-than", "soon"], '--older-than takes hours or days, such as 12h or 3d, not "soon".'],
    [["--match", "pr-*", "--older-than", "0h"], '--older-than takes hours or days, such as 12h or 3d, not "0h".'],
    [["--match", "pr-*", "--yes"], "--yes needs --to: only there it is known whose pull requests are closed."],
    [["--match", "pr-*", "--unlock"], "--unlock needs --stack: of several, only locks that are old are lifted."],
    [["--match", "pr-*", "--stack", "pr-1"], "--match and --stack are two ways to name stacks: choose one."],
    [
      ["--stack", "pr-1", "--to", "github", "--yes"],
      "--to is for --match: with --stack, nobody is asked whether a pull request is closed.",
    ],
    [
      ["--stack", "pr-1", "--older-than", "3d", "--yes"],
      "--older-than is for --match: with --stack, the age of a stack does not count.",
    ],
  ])("%j is refused", async (args, words) => {
    await expect(run(sweep, ...args)).rejects.toThrow(words);
  });
});

test.each([
  ["dev", "shop/dev"],
  ["acme/dev", "acme/shop/dev"],
  ["acme/other/dev", "acme/other/dev"],
])("the stack %s is named %s at a forge", (stack, title) => {
  expect(titleOf("shop", stack)).toBe(title);
});

test("the project is the one of the folder, or of a folder above", () => {
  const below = join(folder, "a/b");
  mkdirSync(below, { recursive: true });
  expect(projectName(below)).toBe("shop");
  writeFileSync(join(below, "Pulumi.yml"), 'name: "other"\n');
  expect(projectName(below)).toBe("other");
  writeFileSync(join(below, "Pulumi.yml"), "runtime:\n  name: nodejs\nname: proxies\n");
  expect(projectName(below)).toBe("proxies");
  // As the README begins a project.
  writeFileSync(join(below, "Pulumi.yml"), "{ name: proxies, runtime: nodejs, main: index.ts }\n");
  expect(projectName(below)).toBe("proxies");
  rmSync(join(below, "Pulumi.yml"));
  writeFileSync(join(below, "Pulumi.json"), '{\n  "runtime": { "name": "nodejs" },\n  "name": "scrapers"\n}');
  expect(projectName(below)).toBe("scrapers");
  expect(() => projectName(tmpdir())).toThrow("There is no Pulumi.yaml here.");
});
