import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { goBuild } from "./go.mts";
import { installed } from "./installed.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const SOURCES = join(ROOT, "tools/engine-box");
const PROGRAM = "engine-box";
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;

interface Change {
  /** By path within the module: texts that stand there once, and what takes their place. */
  files: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** A file of `tools/engine-box/changes`, and the folder that it goes to. */
  added: readonly [string, string];
}

/** Modules that are built with changes, and which. */
const CHANGES: Readonly<Record<string, Change>> = {
  // Its servers listen in memory: a bubble of virtual time is never idle while a goroutine of it waits for a socket.
  "github.com/pulumi/pulumi/sdk/v3": {
    files: {
      "go/common/util/rpcutil/serve.go": [
        [
          `lis, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))`,
          "lis, err := listenInMemory(port), error(nil)",
        ],
        ["tcpl := lis.(*net.TCPListener)", ""],
        ["tcpl.Addr()", "lis.Addr()"],
        [`\t"net"\n\t"strconv"\n`, `\t"net"\n`],
      ],
    },
    added: ["listen.go", "go/common/util/rpcutil"],
  },
  // What the engine leaves to chance is drawn, or goes one way, so that it is the same when a run is repeated: the order of
  // deletions that do not wait for each other, whether one more thing is begun when something has just failed, and whether what
  // takes no time is done before the next resource is looked at.
  "github.com/pulumi/pulumi/pkg/v3": {
    files: {
      "resource/deploy/step_generator.go": [
        ["for res := range condemned.Iter()", "for _, res := range sg.inDeletionOrder(deleteSteps, condemned)"],
      ],
      "resource/deploy/default_providers.go": [
        [
          "req.response <- defaultProviderResponse{ref: ref, err: err}",
          "req.response <- defaultProviderResponse{ref: ref, err: err}\nsettle()",
        ],
      ],
      "resource/deploy/deployment_executor.go": [
        ["\t\t\tcase event := <-stepGenEvents:", "\t\t\tcase event := <-unless(ctx, stepGenEvents):"],
        ["\t\t\tcase event := <-sourceEvents:", "\t\t\tcase event := <-unless(ctx, sourceEvents):"],
        ["stepExecutorError := ex.stepExec.Errored()", "settle()\n\tstepExecutorError := ex.stepExec.Errored()"],
      ],
      "resource/deploy/step_executor.go": [
        [
          "case se.incomingChains <- incomingChain{Chain",
          "case unless(se.ctx, se.incomingChains) <- incomingChain{Chain",
        ],
        ["case request := <-se.incomingChains:", "case request := <-unless(se.ctx, se.incomingChains):"],
        ["// The matching RUnlock is deferred by executeChain.", "settle()"],
      ],
    },
    added: ["order.go", "resource/deploy"],
  },
};

/** Builds Pulumi's engine as a program that plays histories, unless it is there, and returns its path. */
export async function engineBox(): Promise<string> {
  const modules = await changedModules();
  const name = `${PROGRAM}-${hashOf("tools/engine-box/**/*", "scripts/engine-box.mts")}`;
  const effort = "about 20 seconds, or 5 minutes the first time on 2 cores";
  const folder = await installed({ name, effort }, (staging) => build(modules, staging));
  return join(folder, PROGRAM);
}

async function build(modules: string, folder: string): Promise<void> {
  const [file, sums] = ["go.mod", "go.sum"].map((each) => join(folder, each)) as [string, string];
  const replaced = Object.keys(CHANGES).map((path) => `replace ${path} => ${folderOf(modules, path)}`);
  await writeFile(file, [await readFile(join(SOURCES, "go.mod"), "utf8"), ...replaced, ""].join("\n"));
  await copyFile(join(SOURCES, "go.sum"), sums);
  const flags = ["-modfile", file, "-tags", "osusergo,grpcnotrace", "-ldflags", "-w -s"];
  await goBuild(SOURCES, ".", join(folder, PROGRAM), { flags });
}

/** Copies of the modules that are changed. */
function changedModules(): Promise<string> {
  const name = `engine-modules-${hashOf("tools/engine-box/go.mod", "tools/engine-box/changes/*", "scripts/engine-box.mts")}`;
  return installed({ name, effort: "a minute" }, async (staging) => {
    for (const [path, change] of Object.entries(CHANGES)) await copyChanged(path, change, folderOf(staging, path));
  });
}

async function copyChanged(path: string, { files, added }: Change, folder: string): Promise<void> {
  const { status, stdout, stderr } = await run("go", ["mod", "download", "-json", `${path}@${versionOf(path)}`], {
    cwd: SOURCES,
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly" },
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`${path} cannot be had: ${stderr || stdout}`);
  const { Dir: origin } = JSON.parse(stdout) as { Dir: string };
  for (const each of globSync("**/*", { cwd: origin, withFileTypes: true })) {
    const source = join(each.parentPath, each.name);
    if (!each.isFile() || /\/testdata\/|_test\.go$|^\/(nodejs|python)\//.test(source.slice(origin.length))) continue;
    const target = join(folder, source.slice(origin.length));
    await mkdir(join(target, ".."), { recursive: true });
    await copyFile(source, target);
  }
  for (const [file, texts] of Object.entries(files)) await change(join(folder, file), texts);
  const [name, place] = added;
  await copyFile(join(SOURCES, "changes", name), join(folder, place, `changed_${name}`));
}

async function change(file: string, texts: readonly (readonly [string, string])[]): Promise<void> {
  const changed = texts.reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`${file} has ${JSON.stringify(from)} not once`);
      return text.replace(from, () => to);
    },
    await readFile(file, "utf8"),
  );
  await chmod(file, 0o644);
  await writeFile(file, changed);
}

function versionOf(path: string): string {
  const text = readFileSync(join(SOURCES, "go.mod"), "utf8");
  const version = text
    .split("\n")
    .find((line) => line.includes(`${path} v`))
    ?.split(" v")[1];
  if (version === undefined) throw new Error(`tools/engine-box/go.mod does not name ${path}`);
  return `v${version.split(" ")[0]}`;
}

const folderOf = (modules: string, path: string): string => join(modules, basename(path.replace(/\/v\d+$/, "")));

/** Stands for the contents of files. */
function hashOf(...patterns: string[]): string {
  const hash = createHash("sha256");
  const files = globSync(patterns, { cwd: ROOT, withFileTypes: true }).filter((each) => each.isFile());
  for (const path of files.map((each) => join(each.parentPath, each.name)).sort()) {
    hash.update(path.slice(ROOT.length)).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
}
