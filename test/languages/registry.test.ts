import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writePages } from "../../scripts/registry.mts";
import { ROOT } from "../engine/harness";

const GENERATING_MS = 600_000;

/** Where the pages of a Registry lack an example, by language. */
const LACKING = /values="(\w+)">\s*Coming soon!/g;

// Compiles an older version of Pulumi's generators: minutes.
it.runIf(process.env.SDKS)(
  "the pages of the Registry are generated without a warning, with the examples of every generator",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "registry-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await writePages(folder);
    const schema = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as Record<string, object>;
    const named = Object.keys({ ...schema.resources, ...schema.functions }).map((token) =>
      (token.split(":").at(-1) ?? "").toLowerCase(),
    );
    const pages = globSync("*/_index.md", { cwd: folder }).sort();
    expect(pages.map(dirname)).toEqual([...named, "provider"].sort());

    const lacking = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), "utf8").matchAll(LACKING)].map(
        ([, language]) => `${dirname(page)} ${language}`,
      ),
    );
    const inCsharp = ["datasetcollection csharp", "snapshotdelivery csharp"];
    expect(lacking.sort()).toEqual([...inCsharp, ...named.map((name) => `${name} java`)].sort());
  },
  GENERATING_MS,
);
