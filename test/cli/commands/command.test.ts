import type { ParseArgsConfig } from "node:util";
import { expect, test, vi } from "vitest";
import { COMMANDS } from "../../../src/cli/commands/all";
import { Misuse, parsed } from "../../../src/cli/commands/command";

// As before Node.js 22.4, which heeds no `allowNegative`.
vi.mock("node:util", async (original) => {
  const { parseArgs, ...rest } = await original<typeof import("node:util")>();
  return { ...rest, parseArgs: ({ allowNegative: _, ...config }: ParseArgsConfig) => parseArgs(config) };
});

const OPTIONS = COMMANDS.flatMap((command) =>
  Object.entries(command.options).flatMap(([name, { value, isList }]) =>
    value === undefined ? [] : [{ title: `${command.name} --${name}`, name, isList, command }],
  ),
);

test.each(OPTIONS)("$title is not called with nothing, as from an empty variable", ({ command, name, isList }) => {
  for (const empty of ["", ...(isList ? [",", " , "] : [])]) {
    const wrong = () => parsed(command, [`--${name}`, empty]);
    expect(wrong).toThrow(Misuse);
    expect(wrong).toThrow(`--${name} is empty: give it a value, or leave it out.`);
  }
});

test.each(COMMANDS)("$name knows each option that is on or off in both forms, the last of which counts", (command) => {
  const names = Object.keys(command.options).filter((name) => command.options[name]?.value === undefined);
  for (const name of names) {
    expect(parsed(command, [`--${name}`])?.options).toEqual({ [name]: true });
    expect(parsed(command, [`--no-${name}`])?.options).toEqual({ [name]: false });
    expect(parsed(command, [`--no-${name}`, `--${name}`])?.options).toEqual({ [name]: true });
    expect(parsed(command, [`--${name}`, `--no-${name}`])?.options).toEqual({ [name]: false });
  }
});

const LISTS = OPTIONS.filter(({ isList }) => isList).filter(
  ({ command, name }) => command.options[name]?.isWhole !== true,
);

test.each(LISTS)("blanks around the values of $title are none of them", ({ command, name }) => {
  expect(parsed(command, [`--${name}`, "old one, b ,,c"])?.options).toEqual({ [name]: ["old one", "b", "c"] });
});
