import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { send } from "../../../scripts/send.mts";
import { type Simulator, startSimulator } from "../../../simulator";
import { ArgumentError } from "../../../src/base/errors";
import { Misuse, parsed } from "../../../src/cli/commands/command";
import { report } from "../../../src/cli/commands/report";
import type { ReportFinding } from "../../../src/cli/report/model";
import { addUsed, NOW, startSpent } from "../report/account";
import { stateOf } from "../report/made";

let simulator: Simulator;
let folder: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  simulator = await startSpent();
  folder = mkdtempSync(join(tmpdir(), "report-"));
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function run(...args: string[]): Promise<{ code: number; said: string; warned: string }> {
  const given = parsed(report, ["--quiet", ...args]);
  if (given === undefined) throw new Error("that is the help");
  const [out, err] = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  const said = (spy = out) => (spy?.mock.calls ?? []).map(([text]) => String(text)).join("");
  try {
    const code = await report.run(given);
    return { code, said: said(), warned: said(err) };
  } finally {
    out?.mockRestore();
    err?.mockRestore();
  }
}

test("without options, it prints a table of this month against the last", async () => {
  const { code, said, warned } = await run();
  expect([code, warned]).toEqual([0, ""]);
  expect(said).toMatch(/^Cost and bandwidth, 1 to 23 November 2026 \(UTC\)\./);
  expect(said).toMatch(/\nTotal +1,357\.61 +1,063\.11 +\+20% +1,731\.91 +918\.14\+ /);
});

test("JSON and CSV are printed alone, and a page is written besides", async () => {
  const file = join(folder, "costs.html");
  const page = await run("--json", "--html", file);
  expect([page.code, page.warned]).toEqual([0, `Wrote ${file}.\n`]);
  expect(JSON.parse(page.said)).toMatchObject({ version: 1, currency: "USD", totals: { cost: "1357.6129" } });
  expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>/);
  expect(readdirSync(folder)).toEqual(["costs.html"]);
  const { said } = await run("--csv", "--month", "2026-10", "--zone", "ser*,SPARE");
  const lines = said.trimEnd().split("\r\n");
  expect(lines.map((line) => line.split(",").slice(0, 6).join())).toEqual([
    "account,zone,type,status,from,to",
    "default,serp,serp,active,2026-10-01,2026-11-01",
    "default,spare,dc,active,2026-10-01,2026-11-01",
  ]);
});

test("a page that cannot be written is refused before anything is read", async () => {
  const missing = join(folder, "no-such-folder");
  await expect(run("--html", join(missing, "costs.html"))).rejects.toThrow(
    new ArgumentError(`There is no folder ${missing}: make it, or name another file.`),
  );
  await expect(run("--html", folder)).rejects.toThrow(new ArgumentError(`${folder} is a folder: name a file.`));
  expect(simulator.remote.service.requests).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform === "win32")("a page does not take the place of a pipe", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(run("--html", pipe)).rejects.toThrow(
    new ArgumentError(`${pipe} is a link, a pipe or a device: name a plain file.`),
  );
  expect(readdirSync(folder)).toEqual(["pipe"]);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test("what costs too much, and what cannot be read, have exit codes of their own", async () => {
  expect(await run("--fail-above", "1357.6129")).toMatchObject({ code: 0, warned: "" });
  const { faults } = simulator.remote.service;
  faults.add({ path: "/zone/ips/unavailable", kind: "respond", status: 400, times: 2 });
  const incomplete = await run();
  expect(incomplete.code).toBe(3);
  expect(incomplete.warned).toMatch(/^1 could not be read, first the IPs that do not work \(account\): Could not list/);
  expect(incomplete.said).toMatch(/\nNot read\n {2}the IPs that do not work \(account\): /);
  expect(await run("--fail-above", "1357.61")).toMatchObject({
    code: 4,
    warned: "The cost is 1357.6129 USD: more than the 1357.61 of --fail-above.\n",
  });
  vi.stubEnv("BRIGHTDATA_API_TOKEN", "revoked");
  const nothing = await run();
  expect(nothing).toMatchObject({
    code: 1,
    warned: expect.stringMatching(/first the list of zones \(account\): .*401/),
  });
});

test("where one account of two cannot be read, the rest is printed, and the exit code says so", async () => {
  const other = await startSimulator({ customer: "hl_other" });
  onTestFinished(() => other.close());
  const shop = { shop: { apiToken: other.token, baseUrl: other.remote.url } };
  vi.stubEnv("BRIGHTDATA_ACCOUNTS", JSON.stringify(shop));
  vi.stubEnv("BRIGHTDATA_API_TOKEN", "revoked");
  const { code, said, warned } = await run("--zone", "nosuch*");
  expect(code).toBe(3);
  expect(said).toContain("\nAll accounts: 0.00+ USD\n");
  // Those of the other are not known.
  expect(warned).toMatch(/^1 could not be read, first the list of zones \(account\): .*401/);
  expect(await run("--csv")).toMatchObject({ code, warned, said: expect.stringMatching(/^account,zone,.*\r\n$/) });
});

test("a cost that is not wholly known passes no limit", async () => {
  const { faults } = simulator.remote.service;
  faults.add({ path: "/costs/export/json", kind: "respond", status: 403 });
  const { code, warned } = await run("--fail-above", "99999");
  expect(code).toBe(3);
  expect(warned).toMatch(
    /^Whether the cost is above --fail-above is not known: not all could be read\.\n1 could not be read, first the cost of the account with its deleted zones \(account\): .*403/,
  );
});

test("what else could not be read leaves no doubt about a cost", async () => {
  await simulator.manager.close();
  const { code, warned } = await run("--fail-above", "99999");
  expect(code).toBe(3);
  expect(warned).toMatch(/^1 could not be read, first the ports \(manager\): .*ECONNREFUSED/);
});

test("a cost that nobody tells is not known, though there is no zone", async () => {
  const { faults } = simulator.remote.service;
  faults.add({ path: "/costs/export/json", kind: "respond", status: 400 });
  faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body: "[]" });
  faults.add({ path: "/customer/bw", kind: "respond", status: 200, body: '{"hl_simulated":{"data":{},"sums":{}}}' });
  const { warned } = await run("--fail-above", "99999");
  expect(warned).toMatch(/^Whether the cost is above --fail-above is not known/);
});

test("a pattern that no zone's name is like is told of", async () => {
  expect(await run("--zone", "nosuch*")).toMatchObject({ warned: "No zone has such a name: see --zone.\n" });
});

test("a state says what its stack holds", async () => {
  const state = join(folder, "state.json");
  writeFileSync(state, JSON.stringify(stateOf(["Zone", "isp", "isp_berlin", { name: "isp_berlin" }])));
  const { said } = await run("--state", state, "--zone", "isp_berlin,spare");
  expect(said).toContain('\n    Remove `new brightdata.Zone("isp", ...)` from the program.\n');
  expect(said).toContain(`\n  In no stack: Zone spare. (account)
    npx pulumi-brightdata import --state ${state} --zone isp_berlin,spare --kind Zone --account default\n`);
});

test("of what is in no stack, only what is of the zones that are asked for is named", async () => {
  const { account, manager } = simulator;
  Object.assign(account.zone("serp") ?? {}, { ips: ["203.0.113.7"] });
  await send(manager.url, "POST", "/api/proxies", { proxy: { port: 24_020, zone: "serp" } });
  await send(manager.url, "POST", "/api/proxies", { proxy: { port: 24_021 } });
  await send(manager.url, "PUT", "/api/whitelist_ip", { ip: "203.0.113.9" });
  await send(manager.url, "POST", "/api/proxies/24020/banip", { ip: "203.0.113.98" });
  const state = join(folder, "state.json");
  writeFileSync(state, JSON.stringify(stateOf()));
  const found = async (...args: string[]) => {
    const { findings } = JSON.parse((await run("--state", state, "--json", ...args)).said);
    return findings.flatMap(({ kind, says }: ReportFinding) => (kind === "in-no-stack" ? [says] : []));
  };
  expect(await found("--zone", "SER*,trial")).toEqual([
    "In no stack: Zone serp, trial.",
    "In no stack: ZoneAccess serp.",
    "In no stack: ProxyPort 24020.",
  ]);
  expect(await found()).toEqual(
    expect.arrayContaining([
      "In no stack: ProxyPort 24000, 24001, 24010, 24011, 24020 and 1 more.",
      "In no stack: WhitelistIp ui/203.0.113.9.",
      "In no stack: BannedIp 203.0.113.98.",
    ]),
  );
});

test("what is in no stack is not known of a manager that does not answer", async () => {
  await simulator.manager.close();
  const state = join(folder, "state.json");
  writeFileSync(state, JSON.stringify(stateOf()));
  const { failures } = JSON.parse((await run("--state", state, "--json")).said);
  const abouts: string[] = failures.map(({ about }: { about: string }) => about);
  expect(abouts).toContain("what is in no stack (manager)");
});

test.each(["{}", "[]", "null", '{"version":3,"resources":[]}'])("%s is no state", async (text) => {
  const state = join(folder, "state.json");
  writeFileSync(state, text);
  await expect(run("--state", state)).rejects.toThrow(
    `${state} is no state: it has no \`deployment\`. Give a file that \`pulumi stack export --file\` has written.`,
  );
});

test.each<[string[], string]>([
  [["--json", "--csv"], "--json and --csv are two forms of one result: choose one."],
  [["--from", "2026-02-31"], '--from takes a day such as 2026-05-01, not "2026-02-31".'],
  [["--to", "today"], '--to takes a day such as 2026-05-01, not "today".'],
  [["--month", "2026-13"], '--month takes a month such as 2026-05, not "2026-13".'],
  [["--month", "2026-10", "--to", "2026-10-05"], "--month says both --from and --to: leave these out."],
  [["--fail-above", "1e3"], '--fail-above takes US dollars such as 250, not "1e3".'],
  [["--fail-above", "-5"], "To give --fail-above a value that begins with a dash, write --fail-above=<value>."],
  [["zones"], "There is nothing to do with zones."],
])("%j is misuse", async (args, words) => {
  const wrong = run(...args);
  await expect(wrong).rejects.toThrow(words);
  await expect(wrong).rejects.toThrow(Misuse);
  expect(simulator.remote.service.requests).toEqual([]);
});

test("-h is the help, too", () => {
  expect(parsed(report, ["-h"])).toBeUndefined();
});

test("names of others do not command a terminal that is told what failed", async () => {
  const name = "x\u001b]0;y\u0007";
  addUsed(simulator.account, name, { type: "static", ips_type: "dedicated", country: "us", ips: 1 });
  simulator.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 400, containing: "x" });
  const { warned } = await run("--zone", "x*");
  expect(warned).toContain("could not be read, first the IPs of zone x\ufffd]0;y\ufffd (account): ");
  expect(warned.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test("without a token there is nothing to report on", async () => {
  vi.stubEnv("BRIGHTDATA_API_TOKEN", undefined);
  await expect(run()).rejects.toThrow("No account is read: there is no API token. Set BRIGHTDATA_API_TOKEN, or name");
});
