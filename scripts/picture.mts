// The pictures in docs/images, from real runs on simulated services: npm run picture
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Simulator } from "../dist/simulator/index.js";
import { svgOf } from "./picture-svg.mts";
import { run } from "./process.mts";
import { makeProject } from "./project.mts";
import { resolvePulumi } from "./pulumi.mts";
import { ROOT } from "./root.mts";
import { send } from "./send.mts";
import { Stack } from "./stack.mts";

const IMAGES = join(ROOT, "docs/images");

/** The README's first program. */
async function program(): Promise<string> {
  const found = /^```ts\n([\s\S]*?)^```/m.exec(await readFile(join(ROOT, "README.md"), "utf8"))?.[1];
  if (found === undefined) throw new Error("README.md has no block of TypeScript");
  return found;
}

/** Without what only a terminal overwrites: progress, and the line that a finished resource replaces. */
const settled = (printed: string): string =>
  printed
    .split("\n")
    .filter((line) => !/@ \w+ ?\w*\.\.\.|creating \(/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n");

/** @param runs commands, with what each has printed */
async function picture(name: string, ...runs: readonly (readonly [command: string, printed: string])[]): Promise<void> {
  const text = runs.map(([command, printed]) => `$ \u001b[1m${command}\u001b[0m\n${settled(printed)}`).join("\n");
  const title = runs.map(([command]) => command).join(", ");
  await writeFile(join(IMAGES, `${name}.svg`), svgOf(text, title));
  console.log(`docs/images/${name}.svg: ${title}`);
}

async function inStack(
  simulator: Simulator,
  text: string,
  use: (stack: Stack, project: string) => Promise<void>,
): Promise<void> {
  const project = await makeProject(text);
  let stack: Stack | undefined;
  try {
    const prices = JSON.stringify({ "datacenter-dedicated-ip": 0.8 });
    const environment = { ...simulator.environment(), BRIGHTDATA_PRICES: prices, NO_COLOR: undefined };
    stack = await Stack.create(cli, project, environment);
    await use(stack, project);
  } finally {
    await stack?.remove();
    await rm(project, { recursive: true, force: true });
  }
}

async function firstUpdate(_: Simulator, stack: Stack): Promise<void> {
  await picture("up", ["pulumi up --yes --skip-preview", await stack.expect("up", "--color=always")]);
}

/** What somebody has clicked together over the years. */
async function clickTogether({ account, manager }: Simulator): Promise<void> {
  account.addZone("Web-Old", { type: "static", ips_type: "dedicated", ips: 3, country: "de" });
  account.addZone("class", { type: "unblocker", serp: true });
  account.addZone("2nd zone", { type: "resident" });
  Object.assign(account.zone("Web-Old") ?? {}, { ips: ["203.0.113.7"] });
  for (let port = 24_000; port < 24_040; port++) {
    const proxy = { port, zone: "Web-Old", country: port % 2 ? "de" : "us", rotate_session: true };
    await send(manager.url, "POST", "/api/proxies", { proxy });
  }
  await send(manager.url, "POST", "/api/proxies", { proxy: { port: 24_100, zone: "class", internal_name: "shop" } });
}

async function importOf(simulator: Simulator, stack: Stack, project: string): Promise<void> {
  await clickTogether(simulator);
  await rm(join(project, "index.ts"));
  const command = [join(ROOT, "dist/cli/index.js"), "import"];
  const env = { PATH: process.env.PATH, ...simulator.environment() };
  const ended = await run(process.execPath, command, { cwd: project, env, timeoutMs: 60_000 });
  const taken = await stack.importFile(join(project, "import.json"), true);
  for (const { status, stdout, stderr } of [ended, taken]) if (status !== 0) throw new Error(stdout + stderr);
  const preview = await stack.expect("preview", "--color=always");
  await picture("import", ["npx pulumi-brightdata import", ended.stdout], ["pulumi preview", preview]);
}

const cli = await resolvePulumi();
const { startSimulator } = await import("../dist/simulator/index.js");
const scenes: [text: string, play: (simulator: Simulator, stack: Stack, project: string) => Promise<void>][] = [
  [await program(), firstUpdate],
  ["", importOf],
];
await mkdir(IMAGES, { recursive: true });
for (const [text, play] of scenes) {
  const simulator = await startSimulator();
  try {
    await inStack(simulator, text, (stack, project) => play(simulator, stack, project));
  } finally {
    await simulator.close();
  }
}
