import { atMost, code, fitting, table } from "./markdown";
import { isChanging, type Plan, type Step } from "./plan";

/** What differs between a stack and the services, and what is there besides. */
export interface Drift {
  /** Project and stack: `proxies/production`. */
  readonly stack: string;
  /** The stack as the CLI is told of it. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** Things that no stack has, each in words: `Zone web (account)`. */
  readonly unmanaged: readonly string[];
}

export const driftIn = (
  stack: Pick<Drift, "stack" | "name">,
  { steps }: Plan,
  unmanaged: readonly string[],
): Drift => ({
  ...stack,
  steps: steps.filter(isChanging),
  unmanaged,
});

export const isDrift = ({ steps, unmanaged }: Drift): boolean => steps.length + unmanaged.length > 0;

export const titleOf = ({ stack }: Pick<Drift, "stack">): string => `Drift in ${stack}`;

/** The issue about drift, as Markdown. */
export const issueOn = (drift: Drift): string => fitting((most) => written(drift, most));

function written({ stack, name, steps, unmanaged }: Drift, most: number): string {
  const differing = steps.length === 0 ? "" : differences(steps, { stack, name }, most);
  const list = atMost(
    unmanaged.map((thing) => `- ${code(thing)}`),
    most,
    "things",
  );
  const foreign =
    unmanaged.length === 0
      ? ""
      : `**In no stack**\n\n${list.join("\n")}\n\nTake them into a stack with \`npx pulumi-brightdata import --stack ${name}\`, or delete them.`;
  const none = steps.length + unmanaged.length === 0 ? `${code(stack)} is as declared.` : "";
  return `${[differing, foreign, none].filter((part) => part !== "").join("\n\n")}\n`;
}

function differences(steps: readonly Step[], { stack, name }: Pick<Drift, "stack" | "name">, most: number): string {
  const rows = steps.flatMap((step) => {
    const title = code(`${step.kind} ${step.name}`);
    const words = wordsFor(step);
    if (words !== undefined) return [[title, words, "", ""]];
    return step.changes.map(({ path, before, after }, index) => [
      index === 0 ? title : "",
      code(path),
      after === undefined ? "" : code(after),
      before === undefined ? "" : code(before),
    ]);
  });
  const more = rows.length > most ? `\n\n… and ${rows.length - most} more rows.` : "";
  const shown = table(["resource", "property", "declared", "actual"], rows.slice(0, most));
  return `What is declared in ${code(stack)} is not what there is:\n\n${shown}${more}\n\nRestore what is declared with \`pulumi up --refresh --stack ${name}\`, or change the program.`;
}

/** What is not a matter of single properties. */
function wordsFor({ operation, changes, isGone }: Step): string | undefined {
  if (isGone) return "_is gone_";
  if (operation === "create" || operation === "import") return "_is declared and has not been created_";
  if (operation === "delete") return "_is not declared any more_";
  return changes.length === 0 ? "_differs_" : undefined;
}
