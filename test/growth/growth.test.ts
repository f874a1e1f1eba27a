import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(__dirname, "../..");
const LIMIT_MS = 300_000;

let copy: string;

const write = (file: string, content: string): void => {
  mkdirSync(join(copy, dirname(file)), { recursive: true });
  writeFileSync(join(copy, file), content);
};

const run = async (file: string, ...args: string[]): Promise<string> => {
  const options = { cwd: copy, env: { ...process.env, VITEST: undefined }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], options).catch((error) => {
    throw new Error(`${file} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
};

const FOLDERS = ["src", "simulator", "test", "scripts", "docs", "examples", "templates", "api", "bench"];
const FILES = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "DESIGN.md", "SECURITY.md", "LICENSE", "Pulumi.yaml"],
  ...["package.json", "biome.json", "schema.json", "tsconfig.json", "tsconfig.build.json", "vitest.config.mts"],
];

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "pulumi-brightdata-growth-"));
  for (const folder of FOLDERS)
    cpSync(join(ROOT, folder), join(copy, folder), {
      recursive: true,
      filter: (source) => !source.includes("node_modules"),
    });
  for (const file of FILES) cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

const FIELD = `madeUp: text({ says: "A field that was made up.", secret: true, most: 9, compares: "lenient", example: "made up" }),`;

const KIND = `import { kind } from "../../declaration/kind";
import { text } from "../../declaration/property";
import { zoneName } from "../../model/zone";

export const madeUpThing = kind("MadeUpThing", {
  says: "A thing that was made up.",
  brief: "a thing that was made up",
  service: "remote",
  id: { says: "Name of the zone.", example: "web" },
  endpoints: ["GET /made/up"],
  timeouts: 30,
  inputs: {
    zone: zoneName({ says: "Name of the zone.", required: true, replaces: true }),
    color: text({ says: "Its color.", oneOf: ["red", "blue"], default: "red", compares: "lenient" }),
  },
  outputs: { shade: text({ says: "Its shade.", required: true }) },
  example: 'new brightdata.MadeUpThing("thing", { zone: "web" });',
});
`;

const LIFECYCLE = `import { lifecycle } from "../../lifecycle/define";
import { madeUpThing } from "./declaration";

export const madeUpThingLifecycle = lifecycle(madeUpThing, {
  create: async (inputs) => ({ id: inputs.zone, state: { ...inputs, shade: "dark " + (inputs.color ?? "red") } }),
  read: async (_id, _inputs, _run, state) => state,
  update: async (_id, state, _declared, inputs) => ({ ...inputs, shade: state.shade }),
  delete: async () => undefined,
});
`;

const FUNCTION = `import { count, text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";

export const getMadeUp = remoteLookup("getMadeUp", {
  says: "Looks up what was made up.",
  brief: "what was made up",
  endpoints: ["GET /made/up"],
  arguments: { name: text({ says: "Its name.", required: true }) },
  gives: "What was made up.",
  result: { length: count({ says: "Length of its name.", required: true }) },
  example: 'const { length } = await brightdata.getMadeUp({ name: "it" });',
  outputExample: 'export const { length } = brightdata.getMadeUpOutput({ name: "it" });',
  ask: async (_client, { name }) => ({ length: name.length }),
});
`;

const TEST = `import { expect, expectTypeOf, test } from "vitest";
import * as brightdata from "../../../src";
import { LIFECYCLES } from "../../../src/generated/lifecycles";

test("a made-up field and a made-up kind are checked, compared and typed", () => {
  const { ProxyPort, MadeUpThing } = LIFECYCLES;
  const failures = ProxyPort?.check({ zone: "web", madeUp: "far too long" }, undefined).failures ?? [];
  expect(failures).toEqual(["\`madeUp\` is not usable (its value is a secret and not shown): expected at most 9 characters."]);
  const change = ProxyPort?.diff({ zone: "web", madeUp: "a" }, new Set(["zone", "madeUp"]), { zone: "web", madeUp: "b" });
  expect(change?.changed).toEqual(["madeUp"]);
  expect(ProxyPort?.secrets).toContainEqual(["madeUp"]);
  expect(MadeUpThing?.check({ zone: "web", colour: "red" }, undefined).failures).toEqual([
    "\`colour\` is not a property of this resource. Did you mean \`color\`?",
  ]);
  expect(MadeUpThing?.describe?.({ zone: "web", color: "red", shade: "dark red" })).toEqual({ zone: "web" });
  expectTypeOf<brightdata.ProxyPortArgs>().toHaveProperty("madeUp");
  expectTypeOf<brightdata.MadeUpThingArgs["color"]>().toExtend<brightdata.MadeUpThingArgs["color"] | "red">();
  expectTypeOf<ReturnType<typeof brightdata.getMadeUp>>().resolves.toEqualTypeOf<{ length: number }>();
});
`;

test(
  "a field is one place, a kind its declaration and lifecycle, a function its declaration and its place in a topic",
  async () => {
    const port = "src/model/portFields.ts";
    const declared = readFileSync(join(copy, port), "utf8");
    const grown = declared.replace(/^( *)internalName:/m, (line, indent: string) => `${indent}${FIELD}\n${line}`);
    expect(grown).not.toBe(declared);
    write(port, grown);
    write("src/kinds/madeUpThing/declaration.ts", KIND);
    write("src/kinds/madeUpThing/lifecycle.ts", LIFECYCLE);
    write("test/kinds/madeUpThing/lifecycle.test.ts", TEST);
    write(
      "test/laws/samples/MadeUpThing.ts",
      'import type { Sample } from "../sample";\n\nexport const samples: readonly Sample[] = [];\n',
    );
    write("src/functions/getMadeUp.ts", FUNCTION);
    const topics = "scripts/generate/topics.mts";
    write(topics, readFileSync(join(copy, topics), "utf8").replace('"getBalance"', '"getBalance", "getMadeUp"'));

    const written = (await run("scripts/generate/index.mts")).trim().split("\n");
    expect(written.map((line) => line.replace(" written", "")).sort()).toEqual(
      [
        ...[
          "README.md",
          "docs/_index.md",
          "docs/functions.md",
          "docs/functions/ports.md",
          "docs/functions/usage.md",
          "docs/made-up-thing.md",
          "docs/proxy-port.md",
        ],
        ...["schema.json", "src/generated/functions/getMadeUp.ts", "src/generated/index.ts"],
        ...["resources/madeUpThing", "resources/proxyPort", "types/portSettings"].map(
          (file) => `src/generated/${file}.ts`,
        ),
        "src/generated/kinds.ts",
        "src/generated/lifecycles.ts",
        "src/generated/native.ts",
        "test/laws/samples/index.ts",
      ].sort(),
    );
    const readme = readFileSync(join(copy, "README.md"), "utf8");
    expect(readme).toMatch(/\| \[`MadeUpThing`\]\(docs\/made-up-thing\.md\) +\| A thing that was made up +\|/);
    const program = join(copy, "tsconfig.made-up.json");
    writeFileSync(
      program,
      JSON.stringify({
        extends: "./tsconfig.json",
        include: ["src/*.ts", "src/**/*.d.ts", "test/kinds/madeUpThing", "test/kinds/proxyPort"],
        compilerOptions: { noEmit: true },
      }),
    );
    await run("node_modules/typescript/bin/tsc", "-p", program);
    await run(
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project",
      "unit",
      "test/kinds/madeUpThing",
      "test/kinds/proxyPort",
      "test/generate.test.ts",
    );
  },
  LIMIT_MS,
);

test(
  "what cannot be generated is named with its remedy, after the sources are written",
  async () => {
    const zone = "src/kinds/zone/declaration.ts";
    write(zone, readFileSync(join(copy, zone), "utf8").replace("A zone:", "One zone:"));
    write("docs/zone.md", "# Zone\n");
    const failure = await run("scripts/generate/index.mts").catch((error: Error) => error.message);
    expect(failure).toContain("src/generated/resources/zone.ts written\n");
    expect(failure).toMatch(
      /\ndocs\/zone\.md has no place for its inputs: write <!-- inputs --> and <!-- \/inputs --> .+\n$/,
    );
    const named = FUNCTION.replace("length: count({", 'length: count({ named: "MadeUp",');
    write("src/functions/getMadeUp.ts", named);
    write("src/functions/getMadeUpToo.ts", named.replaceAll("getMadeUp", "getMadeUpToo"));
    await expect(run("scripts/generate/index.mts")).rejects.toThrow(
      "MadeUp is needed by functions/getMadeUp and functions/getMadeUpToo: declare it in a file of src/model.",
    );
    write(zone, "export const zone = {};\n");
    await expect(run("scripts/generate/index.mts")).rejects.toThrow(
      `${zone} declares nothing: export what \`kind(…)\` returns.`,
    );
  },
  LIMIT_MS,
);
