import { ArgumentError } from "../base/errors";

/**
 * The refusal of something that exists already. Most often the program itself made it, under another name: following any other
 * advice first would delete it.
 *
 * @param what as a sentence says it, such as `Zone "web" exists already`
 * @param ways what else can be done, one infinitive each, such as "choose another name"
 */
export const existsAlready = (what: string, ways: readonly string[], cause?: unknown): ArgumentError =>
  new ArgumentError(
    `${what}. If this program created it, as a resource that was renamed or moved since, give the resource the option \`aliases\` with its former name or parent, and nothing is created or deleted. Otherwise ${listed(ways)}.`,
    { cause },
  );

const listed = (ways: readonly string[]): string =>
  ways.length < 2 ? ways.join("") : `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;
