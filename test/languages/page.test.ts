import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { blocks } from "../docs/documents";
import { languageScene } from "./languageScene";

const PAGE = "docs/other-languages.md";

it.each([
  ["python", "__main__.py", { "Pulumi.yaml": "name: proxies\nruntime: python\n" }],
  ["yaml", "Pulumi.yaml", {}],
] as const)("the program in %s on the page makes what it says", async (language, file, more) => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [program] = blocks(PAGE, language);
  for (const [name, text] of Object.entries({ ...more, [file]: program?.text ?? "" }))
    writeFileSync(join(folder, name), text);
  const { stack, simulator } = await languageScene(language, folder);
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  const [zone] = simulator.account.liveZones();
  expect(zone?.plan).toMatchObject({ type: "static", ips_type: "shared", country: "us" });
  expect(await stack.outputs()).toEqual({ proxyUrl: "http://127.0.0.1:24000" });
  await stack.expect("destroy");
});
