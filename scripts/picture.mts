// The pictures in docs/images, from real runs of the README's program on simulated services: npm run picture
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { svgOf } from "./picture-svg.mts";
import { makeProject } from "./project.mts";
import { resolvePulumi } from "./pulumi.mts";
import { ROOT } from "./root.mts";
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

async function picture(name: string, command: string, printed: string): Promise<void> {
  await writeFile(join(IMAGES, `${name}.svg`), svgOf(`$ \u001b[1m${command}\u001b[0m\n${settled(printed)}`, command));
  console.log(`docs/images/${name}.svg: ${command}`);
}

const cli = await resolvePulumi();
const { startSimulator } = await import("../dist/simulator/index.js");
const simulator = await startSimulator();
const project = await makeProject(await program());
let stack: Stack | undefined;
try {
  await mkdir(IMAGES, { recursive: true });
  stack = await Stack.create(cli, project, {
    ...simulator.environment(),
    BRIGHTDATA_PRICES: JSON.stringify({ "datacenter-dedicated-ip": 0.8 }),
    NO_COLOR: undefined,
  });
  await picture("up", "pulumi up --yes --skip-preview", await stack.expect("up", "--color=always"));
} finally {
  await stack?.remove();
  await rm(project, { recursive: true, force: true });
  await simulator.close();
}
