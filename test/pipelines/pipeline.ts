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
  update(): Promise<JobEnding>;
  drift(): Promise<JobEnding>;
  review(): Promise<JobEnding>;
  endReview(): Promise<JobEnding>;
  sweep(): Promise<JobEnding>;
}

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
