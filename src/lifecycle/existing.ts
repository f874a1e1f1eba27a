import { ArgumentError } from "../base/errors";

/** Most often the program itself created it, under another name: to follow any of the `ways` would delete it. */
export const existsAlready = (what: string, ways: readonly string[], cause?: unknown): ArgumentError =>
  new ArgumentError(
    `${what}. If this program created it, as a resource that was renamed or moved since, give the resource the option \`aliases\` with its former name or parent, and nothing is created or deleted. Otherwise ${listed(ways)}.`,
    { cause },
  );

const listed = (ways: readonly string[]): string =>
  ways.length < 2 ? ways.join("") : `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;
