import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Hold } from "../engine/hold";
import { childrenOf, signalProcessGroup } from "../engine/processes";
import type { JobEnding } from "./job";
import { NUMBER, type Pipeline, succeeded, web } from "./pipeline";
import type { Scene } from "./scene";

const zone = (name: string) => ({ kind: "Zone", name, args: { name, plan: { type: "static" } } });

/** Kills a job, with all that it has started, when the service has made a zone and nobody has heard of it. */
async function killed(here: Scene, job: () => Promise<JobEnding>): Promise<void> {
  const hold = new Hold(here.simulator, ({ method, path }) =>
    method === "POST" && path === "/zone" ? "after" : undefined,
  );
  const ending = job();
  expect(await hold.settled(ending)).toBe(true);
  for (const shell of childrenOf(process.pid, "bash --noprofile")) {
    const plugins = childrenOf(shell, "pulumi up").flatMap((cli) => childrenOf(cli, "pulumi-"));
    for (const each of [shell, ...plugins]) signalProcessGroup(each, "SIGKILL");
  }
  expect((await ending).status).not.toBe(0);
  hold.release();
}

/** Lets a year go by since the last update, and since whatever has locked the stack. */
function aYearLater({ machine }: Scene): void {
  const kept = join(machine.scratch, "backend/.pulumi");
  for (const path of readdirSync(kept, { recursive: true, encoding: "utf8" })) {
    if (!/^(?:stacks|locks)\/.*pr-5.*\.json$/.test(path)) continue;
    const text = readFileSync(join(kept, path), "utf8");
    writeFileSync(join(kept, path), text.replace(/("time(?:stamp)?":\s*)"\d{4}/g, '$1"2020'));
  }
}

const made = ({ simulator }: Scene) =>
  simulator.account
    .liveZones()
    .map(({ name, plan }) => `${name} ${plan.ips ?? 0}`)
    .sort();

const stacks = async (here: Scene): Promise<unknown> => JSON.parse(await here.pulumi("stack", "ls", "--json"));

/** A pull request is opened, changed, a job is killed while it buys, and the pull request is closed. */
export async function untilClosed(here: Scene, pipeline: Pipeline): Promise<void> {
  here.declare(web(1));
  await succeeded(pipeline.review());
  expect(made(here)).toEqual(["web 1"]);
  here.declare(web(2), zone("second"));
  await succeeded(pipeline.review());
  expect(made(here)).toEqual(["second 0", "web 2"]);
  here.declare(web(2), zone("second"), zone("third"));
  await killed(here, pipeline.review);
  expect(made(here)).toEqual(["second 0", "third 0", "web 2"]);
  here.forge.closed.set(NUMBER, true);
}

/** The job of the closing leaves nothing for the sweep. */
export async function endsByItsJob(here: Scene, pipeline: Pipeline): Promise<void> {
  await succeeded(pipeline.endReview());
  expect([made(here), await stacks(here)]).toEqual([[], []]);
  await succeeded(pipeline.sweep());
}

/** Where that job never ran, somebody does what the sweep says. */
export async function endsBySweep(here: Scene, pipeline: Pipeline): Promise<void> {
  aYearLater(here);
  const { status, log } = await pipeline.sweep();
  expect(status, log).not.toBe(0);
  const [told = ""] = /^pr-5: failed: an update was killed .*$/m.exec(log) ?? [];
  expect(told).toContain("Zone third (third), which may be there and billed. All else is destroyed.");
  expect(made(here)).toEqual(["third 0"]);
  here.simulator.account.removeZone("third");
  const [, command = ""] = /run `pulumi (.*?)` and sweep again/.exec(told) ?? [];
  await here.pulumi(...command.split(" "), "--yes");
  aYearLater(here);
  await succeeded(pipeline.sweep());
  expect([made(here), await stacks(here)]).toEqual([[], []]);
}
