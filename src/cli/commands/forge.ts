import { appendFileSync } from "node:fs";
import { keysIn } from "../../base/json";
import type { Forge } from "../pipeline/forge";
import { github } from "../pipeline/github";
import { gitlab } from "../pipeline/gitlab";
import type { Posted } from "../pipeline/post";
import { Misuse, oneOf } from "./command";

export const FORGES = { github, gitlab };

const NAMES = keysIn(FORGES);

export const TO = { value: "forge", says: `write it there: ${NAMES.join(" or ")}; default: standard output` } as const;

export const forgeFrom = (to: string | undefined): Forge | undefined =>
  to === undefined ? undefined : FORGES[oneOf(NAMES, "to", to)](process.env);

/** @throws {Misuse} without a stack */
export function stackFrom(stack: string | undefined): string {
  if (stack === undefined) throw new Misuse("Which stack? --stack is missing.");
  return stack;
}

/** The same text in the summary of the job, which GitHub shows beside its log. */
export function summarise(text: string): void {
  const { GITHUB_STEP_SUMMARY: file } = process.env;
  if (file !== undefined && file !== "") appendFileSync(file, `${text}\n`);
}

const SAYS: Readonly<Record<Posted["done"], string>> = {
  written: "Written",
  updated: "Updated",
  unchanged: "Unchanged",
  outdated: "Left alone, because it is newer",
  closed: "Closed",
  none: "There is nothing to write, and no issue is open",
};

export const reportOn = ({ done, url }: Posted): string =>
  `${SAYS[done]}${url === undefined || url === "" ? "" : `: ${url}`}\n`;

/** The stack with its project, as it is named at the forge: organizations have stacks of one name in several projects. */
export function titleOf(project: string, stack: string): string {
  const [first = "", second, third] = stack.split("/");
  if (third !== undefined) return stack;
  return second === undefined ? `${project}/${stack}` : `${first}/${project}/${second}`;
}
