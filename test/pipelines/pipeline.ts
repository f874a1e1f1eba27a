import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JobEnding } from "./job";
import type { Scene } from "./scene";

/** Number of the pull request. */
export const NUMBER = 5;

export const web = (ips: number) => ({
  kind: "Zone",
  name: "web",
  args: { name: "web", plan: { type: "static", ipsType: "dedicated", ips } },
});

/** What both forges do with a change, whatever their jobs are called. */
export interface Pipeline {
  preview(): Promise<JobEnding>;
  /** On the branch that is updated. */
  previewByHand(): Promise<JobEnding>;
  update(): Promise<JobEnding>;
  drift(): Promise<JobEnding>;
  review(): Promise<JobEnding>;
  endReview(): Promise<JobEnding>;
  sweep(): Promise<JobEnding>;
}

/** A merge does what the preview of the same files has shown, and nothing else. */
export async function mergesWhatWasReviewed(here: Scene, pipeline: Pipeline): Promise<void> {
  const { simulator, machine } = here;
  // Without the outputs that have no value: with a plan, the CLI ends with 1 for them, when all is done.
  const program = join(machine.folder, "index.js");
  const [declaring = ""] = readFileSync(program, "utf8").split("\nfor (const [name, value] of Object.entries(made))");
  writeFileSync(program, declaring);
  const throttle = () => simulator.manager.state.records.find(({ port }) => port === 24_000)?.throttle;
  const refused = async (words: string) => {
    const { status, log } = await pipeline.update();
    expect(status, log).not.toBe(0);
    expect(log).toMatch(new RegExp(`^(::error::)?${words}`, "m"));
    for (const line of SECRET.split("\n")) expect(log).not.toContain(line);
  };
  here.declare(web(1), port(1));
  await succeeded(pipeline.preview());
  await succeeded(pipeline.update());
  expect(throttle()).toBe(1);

  here.declare(web(1), port(2));
  await refused("These files were never previewed together");
  await succeeded(pipeline.preview());
  // Somebody has updated the stack since.
  here.declare(web(1), port(3));
  await here.pulumi("up", "--yes", "--skip-preview", "--stack", "demo");
  here.declare(web(1), port(2));
  await here.pulumi("state", "delete", "--yes", "--stack", "demo", `${URN}ProxyPort::shop`);
  await refused("Where the log speaks of the plan, demo is not what it was in the preview");
  expect(throttle()).toBe(3);
  await succeeded(pipeline.previewByHand());
  await succeeded(pipeline.update());
  expect(throttle()).toBe(2);
}

const SECRET = "hunter2-password\nand-its-second-line";

const URN = "urn:pulumi:demo::declared::pulumi-nodejs:dynamic/brightdata:";

const port = (throttle: number) => ({
  kind: "ProxyPort",
  name: "shop",
  args: {
    port: 24_000,
    zone: { $output: ["web", "name"] },
    password: { $secret: SECRET },
    throttle,
    adopt: true,
  },
});

/** How a job has ended, which was not skipped. */
export function ending(endings: Record<string, JobEnding>, name: string): JobEnding {
  const { [name]: found } = endings;
  if (found === undefined) throw new Error(`There was no job ${name}, but ${Object.keys(endings).join(", ")}.`);
  return found;
}

/** The log of a job that has to succeed. */
export async function succeeded(running: Promise<JobEnding>): Promise<string> {
  const { status, log } = await running;
  expect(status, log).toBe(0);
  return log;
}

/** The one comment on the pull request, without the line that nobody sees. */
export function commentAt({ forge }: Scene): string {
  const [comment, ...more] = forge.comments.get(NUMBER) ?? [];
  expect(more).toEqual([]);
  return comment?.body.slice(comment.body.indexOf("\n") + 1) ?? "";
}
