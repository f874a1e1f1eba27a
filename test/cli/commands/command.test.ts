import { expect, test } from "vitest";
import { COMMANDS } from "../../../src/cli/commands/all";
import { Misuse, parsed } from "../../../src/cli/commands/command";

const OPTIONS = COMMANDS.flatMap((command) =>
  Object.entries(command.options).flatMap(([name, { value, isList }]) =>
    value === undefined ? [] : [{ title: `${command.name} --${name}`, name, isList, command }],
  ),
);

test.each(OPTIONS)("$title is not called with nothing, as from an empty variable", ({ command, name, isList }) => {
  for (const empty of ["", ...(isList ? [","] : [])]) {
    const wrong = () => parsed(command, [`--${name}`, empty]);
    expect(wrong).toThrow(Misuse);
    expect(wrong).toThrow(`--${name} is empty: give it a value, or leave it out.`);
  }
});
