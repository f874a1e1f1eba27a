import { ArgumentError, BrightDataError } from "../../base/errors";
import { inShort } from "../../base/inShort";
import type { Settings } from "../../settings/settings";
import { Held } from "../account/held";
import { type LeftOut, listed, type Thing, thingTitle } from "../account/inventory";
import { MANAGED_KINDS } from "../account/kinds";
import { NO_TOKEN, sources } from "../account/source";
import { described } from "../import/described";
import { type Drift, driftIn, isDrift, issueOn, titleOf as issueTitle } from "../pipeline/drift";
import { isChanging } from "../pipeline/plan";
import { postIssue } from "../pipeline/post";
import { inShell } from "../report/inShell";
import { type Command, FAILED, type Given, Misuse, type Options, patternOf } from "./command";
import { forgeFrom, reportOn, stackFrom, summarise, TO, titleOf } from "./forge";
import { omission } from "./importReport";
import { type Preview, preview, setupOf } from "./preview";
import { projectName, readState, stackOptions, stacks, stateOf } from "./stack";

/** Of the CLI, too: a change where none was expected. */
const DRIFT = 7;

const MOST_THINGS = 20;

const NOT_EXPECTED = /no changes were expected\b.* but changes/;

const OPTIONS = {
  stack: { value: "name", says: "the stack" },
  to: TO,
  label: { value: "name", isList: true, says: "labels of an issue that is opened" },
  unmanaged: { says: "name what no stack of the backend has (default); or --no-unmanaged" },
  state: {
    value: "file",
    isList: true,
    says: "what else has things: states of other backends, by `pulumi stack export`",
  },
  ignore: { value: "pattern", isList: true, says: "things that may be in no stack, by their ids; * is any text" },
  json: { says: "print it as JSON" },
} as const satisfies Options;

export const drift: Command<typeof OPTIONS> = {
  name: "drift",
  usage: "--stack <name> [options] [-- <options of pulumi preview>]",
  says: "Compares a stack with the services, names what is there and in no stack, and keeps one issue about it.",
  options: OPTIONS,
  notes: `The issue is opened, updated, and closed when nothing differs any more.

Exit status: 0 nothing differs, 1 failed, 2 called wrongly, 7 something differs.
`,

  async run({ options, positionals }) {
    const { json = false, label: labels = [] } = options;
    const stack = stackFrom(options.stack);
    const forge = forgeFrom(options.to);
    refuseVain(options);
    const at = new Date();
    const { settings, hide } = setupOf(stack);
    const args = ["--refresh", "--expect-no-changes", ...positionals];
    const previewed = await preview(stack, args, hide);
    const isDifferent = hasFoundChanges(previewed);
    const failed = previewed.status !== 0 && !isDifferent ? [failureOf(previewed)] : [];
    const things = await foreignThings(stack, options, settings).catch(unread);
    const unchecked = [...failed, ...things.unchecked].map(hide);
    const names = { stack: titleOf(projectName(), stack), name: stack };
    const found = driftIn(previewed.plan, { ...names, ...things, isDifferent, unchecked });
    for (const words of unchecked) process.stderr.write(`Not checked: ${words}\n`);
    // What could not be looked at may still differ: the issue stays as it is.
    if (unchecked.length > 0 && !isDrift(found)) return FAILED;
    const body = issueOn(found);
    process.stdout.write(json ? `${jsonOf(found)}\n` : forge === undefined ? body : "");
    if (forge !== undefined) {
      summarise(body);
      const posted = await postIssue(
        forge,
        { use: "drift", stack: found.stack, at },
        {
          title: issueTitle(found),
          body: isDrift(found) ? body : undefined,
          labels,
          farewell: "Nothing differs any more.",
        },
      );
      process.stderr.write(reportOn(posted));
    }
    return isDrift(found) ? DRIFT : 0;
  },
};

/** @throws {Misuse} for what the other options leave no use for */
function refuseVain({ to, label, unmanaged = true, state, ignore }: Given<typeof OPTIONS>["options"]): void {
  if (label !== undefined && to === undefined) throw new Misuse("--label needs --to: only an issue has labels.");
  const [vain] = Object.entries({ state, ignore }).filter(([, value]) => value !== undefined);
  if (vain !== undefined && !unmanaged)
    throw new Misuse(`--${vain[0]} has no meaning with --no-unmanaged: leave one of them out.`);
}

/** That accounts, managers or stacks cannot be read does not keep back what the preview has found. */
function unread(error: unknown): Awaited<ReturnType<typeof foreignThings>> {
  if (!(error instanceof BrightDataError)) throw error;
  return { ...NOTHING, unchecked: [`what is in no stack: ${error.message}`] };
}

/**
 * Why a preview has failed. What it has found before is drift all the same.
 *
 * @throws {ArgumentError} where it has found nothing
 */
function failureOf({ plan, status, failure }: Preview): string {
  const words = `\`pulumi preview --refresh\` failed with ${status}: ${plan.errors.join("\n") || failure}`;
  if (plan.steps.some(isChanging)) return words;
  throw new ArgumentError(words);
}

/** Whether a change is what a preview has stopped for. Up to version 3.226.0 of the CLI, it has no exit code of its own. */
const hasFoundChanges = ({ plan, status, failure }: Preview): boolean =>
  status === DRIFT || (status !== 0 && [...plan.errors, failure].some((words) => NOT_EXPECTED.test(words)));

const NOTHING: Pick<Drift, "unmanaged" | "notImportable" | "choice" | "unchecked"> = {
  unmanaged: [],
  notImportable: [],
  choice: "",
  unchecked: [],
};

/** What is there and in no stack of the backend, and what could not be looked at, in words. */
async function foreignThings(
  stack: string,
  { unmanaged: isAsked = true, state: files = [], ignore }: Given<typeof OPTIONS>["options"],
  settings: Settings,
): Promise<typeof NOTHING> {
  if (!isAsked) return NOTHING;
  const others = files.map(readState);
  const unread = new Map<string, string>();
  const read = () => {
    unread.clear();
    const states = stacks("all").map(({ name }) => stateOf(name, (why) => void unread.set(name, why)));
    return new Held([...states, ...others], settings);
  };
  const held = read();
  const ignored = patternOf(ignore);
  const services = sources(settings);
  const isMeant = ({ id }: Thing) => ignored?.test(id) !== true;
  const { found, leftOut } = await listed(services, { kinds: MANAGED_KINDS, isMeant });
  const open = await held.lacking(found);
  // An update may have made them since the states were read.
  const lacking = open.length === 0 ? [] : await read().lacking(open);
  const foreign = unread.size === 0 ? lacking : [];
  const left = inShort(lacking.map(thingTitle), MOST_THINGS);
  const doubts = left === "" ? [] : [...unread].map(([name, why]) => `whether stack ${name} has ${left}: ${why}`);
  const { found: importable, leftOut: refused } = await described(foreign, () => {}).catch(unreadable(foreign));
  const choice = [
    ...stackOptions([stack], files),
    ...(ignore === undefined ? [] : [`--ignore ${inShell(ignore.join(","))}`]),
    `--kind ${[...new Set(importable.map(({ kind }) => kind))].join(",")}`,
  ];
  const isBlind = services.every(({ service }) => service !== "remote");
  return {
    unmanaged: importable.map(thingTitle),
    notImportable: refused.map((thing) => ({ title: thingTitle(thing), why: thing.why })),
    choice: choice.join(" "),
    // Without a kind, it is about a service that is not configured, or is another one's name.
    unchecked: [...(isBlind ? [NO_TOKEN] : []), ...leftOut.filter(({ kind }) => kind !== "").map(omission), ...doubts],
  };
}

/** What may be listed and not read: whether a program can declare it is for `import` to say. */
const unreadable =
  (found: Thing[]) =>
  (error: unknown): { found: Thing[]; leftOut: (Thing & LeftOut)[] } => {
    if (error instanceof BrightDataError) return { found, leftOut: [] };
    throw error;
  };

function jsonOf({ stack, steps, unmanaged: importable, notImportable, unchecked }: Drift): string {
  const resources = steps.map(({ operation, kind, name, changes, isGone }) => {
    const differing = changes.map(({ path, before, after }) => ({ path, declared: after, actual: before }));
    return { kind, name, operation, isGone, changes: differing };
  });
  const unmanaged = [...importable, ...notImportable.map(({ title }) => title)];
  return JSON.stringify({ stack, resources, unmanaged, notImportable, unchecked }, undefined, 2);
}
