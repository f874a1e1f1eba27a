import { messagesOf } from "./comment";
import { atMost, code, codeCell, cut, fitting, paragraphs, table, words } from "./markdown";
import { isChanging, type PreviewStep, type UpdatePlan } from "./plan";

interface NotImportable {
  readonly title: string;
  readonly why: string;
}

export interface Drift {
  /** Project and stack: `proxies/production`. */
  readonly stack: string;
  /** The stack as the CLI is told of it. */
  readonly name: string;
  readonly steps: readonly PreviewStep[];
  /** What the package and the program say. */
  readonly messages: readonly string[];
  /** Whether the CLI says that something differs, whatever its events tell of. */
  readonly isDifferent: boolean;
  /** Things that no stack has, each in words: `Zone web (account)`. */
  readonly unmanaged: readonly string[];
  /** The same, of which no program can declare what they are. */
  readonly notImportable: readonly NotImportable[];
  /** The options with which `import` takes these and no others. */
  readonly choice: string;
  /** What could not be looked at, in words. */
  readonly unchecked: readonly string[];
}

export const driftIn = ({ steps, messages }: UpdatePlan, found: Omit<Drift, "steps" | "messages">): Drift => ({
  ...found,
  messages,
  steps: steps.filter(isChanging),
});

export const isDrift = ({ steps, isDifferent, unmanaged, notImportable }: Drift): boolean =>
  isDifferent || steps.length + unmanaged.length + notImportable.length > 0;

export const titleOf = ({ stack }: Pick<Drift, "stack">): string => `Drift in ${stack}`;

export const issueOn = (drift: Drift): string => fitting((most) => written(drift, most));

function written(drift: Drift, most: number): string {
  const { stack, unmanaged, notImportable, choice, unchecked, messages } = drift;
  const first = messages.some((message) => message.includes(BEGUN)) ? TAKE_UP : "";
  const foreign = `${list("In no stack", unmanaged.map(code), most)}\n\n${first}Take them into a stack with ${code(`npx pulumi-brightdata import ${choice}`)}, or delete them.`;
  const refused = notImportable.map(({ title, why }) => `${code(title)}: ${words(cut(why))}`);
  const reasons = unchecked.map((why) => words(cut(why)));
  const text = paragraphs(
    differences(drift, most),
    unmanaged.length === 0 ? "" : foreign,
    refused.length === 0 ? "" : `${list("In no stack, and left out by `import`", refused, most)}\n\n${CORRECT}`,
    reasons.length === 0 ? "" : list("Not checked", reasons, most),
    isDrift(drift) ? "" : `${code(stack)} is as declared.`,
  );
  return `${text}\n`;
}

/** What a preview says of a resource that an update which was cut short has begun. */
const BEGUN = "an update that was cut short may have created";

const TAKE_UP = "Run `pulumi up` first: it takes up what an update that was cut short has created. ";

const CORRECT = "Correct them where they are, delete them, or pass over them with `--ignore`.";

function list(title: string, things: readonly string[], most: number): string {
  const lines = things.map((thing) => `- ${thing}`);
  return `**${title}**\n\n${atMost(lines, most, "things").join("\n")}`;
}

function differences({ steps, messages, isDifferent, stack, name }: Drift, most: number): string {
  const finding = `What is declared in ${code(stack)} is not what there is`;
  if (steps.length === 0) {
    return isDifferent ? `${finding}. \`pulumi preview --refresh --diff --stack ${name}\` shows what differs.` : "";
  }
  const rows = steps.flatMap((step) => {
    const isReplaced = step.operation === "replace";
    const title = `${codeCell(`${step.kind} ${step.name}`)}${isReplaced ? " **would be replaced**" : ""}`;
    const whole = wordsFor(step);
    if (whole !== undefined) return [[title, whole, "", ""]];
    return step.changes.map(({ path, before, after }, index) => [
      index === 0 ? title : "",
      codeCell(path),
      after === undefined ? "" : codeCell(after),
      before === undefined ? "" : codeCell(before),
    ]);
  });
  const shown = table(["resource", "property", "declared", "actual"], rows, most);
  const advice = `Restore what is declared with \`pulumi up --refresh --stack ${name}\`, or change the program.`;
  return paragraphs(`${finding}:`, shown, messagesOf({ messages }, most), advice);
}

/** What is not a matter of single properties. */
function wordsFor({ operation, changes, isGone }: PreviewStep): string | undefined {
  if (isGone) return "_is gone_";
  if (operation === "create" || operation === "import") return "_is declared and has not been created_";
  if (operation === "delete") return "_is not declared any more_";
  return changes.length === 0 ? "_differs_" : undefined;
}
