import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ArgumentError } from "../../../src/base/errors";
import { configured, readState } from "../../../src/cli/commands/stack";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "stack-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("what the CLI prints instead of JSON is not shown: it may be a configuration in clear", () => {
  const own = folder();
  writeFileSync(join(own, "pulumi"), "#!/bin/sh\necho key: hush\n", { mode: 0o755 });
  const environment = { ...process.env, PATH: `${own}${delimiter}${process.env.PATH}` };
  expect(() => configured("dev", [], environment)).toThrow(
    new ArgumentError(
      "`pulumi config --stack dev --show-secrets --json` failed: it printed something that is not JSON",
    ),
  );
});

test("what a file has that is no state is not shown", () => {
  const file = join(folder(), "state.json");
  writeFileSync(file, "key: hush\n");
  expect(() => readState(file)).toThrow(
    new ArgumentError(
      `${file} is no state: it is not JSON. Give a file that \`pulumi stack export --file\` has written.`,
    ),
  );
});
