import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject, it } from "vitest";
import { run } from "../../scripts/process.mts";
import { staged, walk } from "../engine/exampleScenes";
import { ROOT } from "../engine/harness";
import { languageScene } from "./languageScene";

const PROGRAMS = globSync("examples/{python,yaml}/*/Pulumi.yaml", { cwd: ROOT }).map(dirname).sort();

it.each(PROGRAMS)("%s does what the example of its name does", async (program) => {
  const [, language, name = ""] = program.split("/");
  const here = await staged(name, (options) => languageScene(language as "python" | "yaml", program, options));
  // A program in YAML asks functions about a zone in the preview already, when the zone is not there.
  const looked = language === "yaml" ? { dollarsThisMonth: 0, bytesThisMonth: 0 } : {};
  await walk({ ...here, made: (scene, outputs) => here.made(scene, { ...outputs, ...looked }) });
});

it("the examples in Python have the types that the SDK declares", async () => {
  for (const program of globSync("examples/python/*/__main__.py", { cwd: ROOT })) {
    const [, python = ""] = /^(.*?):/.exec(inject("languagePaths").python) ?? [];
    const ending = await run(join(python, "python"), ["-m", "mypy", "--strict", program], {
      cwd: ROOT,
      timeoutMs: 120_000,
    });
    expect(ending).toMatchObject({ status: 0 });
  }
});
