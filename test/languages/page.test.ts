import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { blocks } from "../docs/documents";
import { languageScene } from "./languageScene";

const PAGE = "docs/other-languages.md";

const programIn = (language: string): string => blocks(PAGE, language)[0]?.text ?? "";

it.each([
  ["python", "__main__.py", { "Pulumi.yaml": "name: proxies\nruntime: python\n" }],
  ["yaml", "Pulumi.yaml", {}],
] as const)("the program in %s on the page makes what it says", async (language, file, more) => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ ...more, [file]: programIn(language) }))
    writeFileSync(join(folder, name), text);
  const { stack, simulator } = await languageScene(language, folder);
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  const [zone] = simulator.account.liveZones();
  expect(zone?.plan).toMatchObject({ type: "static", ips_type: "shared", country: "us" });
  expect(await stack.outputs()).toEqual({ proxyUrl: "http://127.0.0.1:24000" });
  await stack.expect("destroy");
});

it("in YAML, a function about what is not there yet fails the preview, unless it is named by its id", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const previewed = async (zone: "name" | "id", port: "listenPort" | "id") => {
    const call = (name: string, args: object) =>
      JSON.stringify({ "fn::invoke": { function: `brightdata:${name}`, arguments: args } });
    const cost = call("getZoneCost", { zone: `\${web.${zone}}` });
    const found = call("getProxyPort", { port: `\${search.${port}}` });
    writeFileSync(join(folder, "Pulumi.yaml"), `${programIn("yaml")}  cost: ${cost}\n  port: ${found}\n`);
    const { stack } = await languageScene("yaml", folder);
    return { stack, ...(await stack.command("preview")) };
  };
  const { status, stdout } = await previewed("name", "listenPort");
  expect(status).not.toBe(0);
  expect(stdout).toMatch(/Could not read (?:the cost of zone|proxy port 24000)/);

  const { stack, ...ending } = await previewed("id", "id");
  expect(ending).toMatchObject({ status: 0 });
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({ cost: { periods: {} }, port: { port: 24_000 } });
  await stack.expect("destroy");
});
