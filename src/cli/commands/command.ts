import { type ParseArgsConfig, parseArgs } from "node:util";
import { meant } from "../../base/nearest";
import { Misuse } from "../account/misuse";

export { Misuse } from "../account/misuse";

export interface Option {
  readonly says: string;
  /** What its value is called in the help; without one it is on or off. */
  readonly value?: string;
  /** Whether it may be given several times, or several values, separated by commas. */
  readonly isList?: true;
  /** Whether the values of a list may have commas in them. */
  readonly isWhole?: true;
}

export type Options = Readonly<Record<string, Option>>;

type OptionValue<O extends Option> = O extends { isList: true }
  ? readonly string[]
  : O extends { value: string }
    ? string
    : boolean;

/** What a command is called with, by its options: nothing for those that are left out. */
export interface Given<O extends Options> {
  readonly options: { readonly [Name in keyof O]?: OptionValue<O[Name]> | undefined };
  readonly positionals: readonly string[];
}

export interface Command<O extends Options = Options> {
  readonly name: string;
  readonly usage: string;
  readonly says: string;
  readonly options: O;
  /** Whether what follows its options is a command with options of its own, also without `--`, which npm takes for itself. */
  readonly hasCommand?: true;
  readonly notes: string;
  /** @returns the exit code */
  run(given: Given<O>): Promise<number>;
}

export class Interrupted extends Error {
  constructor(
    readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP",
    words: string,
  ) {
    super(`Interrupted. ${words}`);
  }
}

/** The exit status of what has failed. */
export const FAILED = 1;

const HELP = { says: "show this text" } as const satisfies Option;

const NEGATED = "no-";

/**
 * What a command is called with.
 *
 * @returns `undefined` when help is asked for
 * @throws {Misuse} for an option that there is not, or that has nothing for its value, as from an empty variable of a pipeline
 */
export function parsed<O extends Options>(
  { options, hasCommand }: Command<O>,
  args: readonly string[],
): Given<O> | undefined {
  let found: ReturnType<typeof parseArgs>;
  try {
    const all = { ...formsOf(options), help: { type: "boolean" as const, short: "h" } };
    const config = { args: [...args], allowPositionals: true, options: all };
    found = parseArgs(hasCommand ? { ...config, args: ended(config) } : config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [first = ""] = error.message.split(/[.\n]/);
    const unknown = /^Unknown option '--(?:no-)?([^']*)'/.exec(first)?.[1];
    const near = unknown === undefined ? undefined : meant(unknown, Object.keys(options));
    const ambiguous = /^Option '(--[^' ]+).* is ambiguous/.exec(first)?.[1];
    const dash = `To give ${ambiguous} a value that begins with a dash, write ${ambiguous}=<value>.`;
    throw new Misuse(
      ambiguous === undefined ? `${first}.${near === undefined ? "" : ` Did you mean --${near}?`}` : dash,
    );
  }
  const { help, ...values } = found.values;
  if (help) return undefined;
  const given = Object.entries(values).map(([name, value]) => {
    if (name.startsWith(NEGATED)) return [name.slice(NEGATED.length), false] as const;
    if ([value].flat().some((each) => typeof each === "string" && /^[\s,]*$/.test(each)))
      throw new Misuse(`--${name} is empty: give it a value, or leave it out.`);
    if (!Array.isArray(value)) return [name, value] as const;
    return [name, options[name]?.isWhole ? value.map(String) : listOf(value)] as const;
  });
  return { options: Object.fromEntries(given) as Given<O>["options"], positionals: found.positionals };
}

/** What Node.js is told of options. Its own `allowNegative` is as young as 22.4. */
function formsOf(options: Options): NonNullable<ParseArgsConfig["options"]> {
  const forms: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { value, isList = false }] of Object.entries(options)) {
    forms[name] = { type: value === undefined ? "boolean" : "string", multiple: isList };
    if (value === undefined) forms[`${NEGATED}${name}`] = { type: "boolean" };
  }
  return forms;
}

/** Arguments whose options end where the first one is none. */
function ended(config: ParseArgsConfig & { args: string[] }): string[] {
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const first = tokens.find(({ kind }) => kind !== "option");
  return first?.kind === "positional" ? config.args.toSpliced(first.index, 0, "--") : config.args;
}

const listOf = (values: readonly (string | boolean)[]): string[] =>
  values
    .flatMap((value) => String(value).split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** Whether a text is like one of the patterns: `*` is any text, `?` a character. `undefined` where none were given. */
export function patternOf(patterns: readonly string[] | undefined): RegExp | undefined {
  if (patterns === undefined) return undefined;
  const all = patterns.map((pattern) =>
    pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", "."),
  );
  return new RegExp(`^(?:${all.join("|")})$`, "iu");
}

/** @throws {Misuse} unless the value of an option is one of those */
export function oneOf<Value extends string>(known: readonly Value[], option: string, given: string): Value {
  const found = known.find((value) => value === given);
  if (found === undefined) throw new Misuse(`--${option} takes ${known.join(", ")}, not "${given}".`);
  return found;
}

/** @throws {Misuse} unless a value of `--config` is a key and a value */
export function pairOf(text: string): [string, string] {
  const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === "") throw new Misuse(`--config takes key=value, not "${text}".`);
  return [key, value];
}

/** @throws {Misuse} for what is no option */
export function refusePositionals(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new Misuse(`There is nothing to do with ${positionals.join(" ")}.`);
}

export const usageOf = ({ name, usage }: Command): string => `Usage: pulumi-brightdata ${name} ${usage}\n`;

export function helpOf(command: Command): string {
  const all = Object.entries<Option>({ ...command.options, help: HELP });
  const heads = all.map(([name, { value, isList, isWhole }]) => {
    const more = isList && !isWhole ? ",..." : "";
    return `  --${name}${value === undefined ? "" : ` <${value}>${more}`}`;
  });
  const width = 2 + Math.max(...heads.map((head) => head.length));
  const lines = all.map(([, { says }], index) => `${heads[index]?.padEnd(width)}${wrapped(says, width)}\n`);
  return `${usageOf(command)}\n${command.says}\n\n${lines.join("")}\n${command.notes}`;
}

/** Text in lines of 100 characters at most, those after the first indented. */
function wrapped(text: string, indent: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (indent + line.length + word.length >= 100) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
