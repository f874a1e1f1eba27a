import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { blocks, prose } from "../docs/documents";
import { newProject } from "./newProject";

const PAGE = "docs/dynamic-or-native.md";
const [CHOICE, IMPORTED] = blocks(PAGE, "ts").map(({ text }) => text) as [string, string];
const [INSTALL, IMPORT] = blocks(PAGE, "sh").map(({ text }) => text.trim()) as [string, string];

const DYNAMIC = `"pulumi-brightdata"`;
const NATIVE = `"pulumi-brightdata/native"`;

/** The requests that change something. */
const changes = ({ remote, manager }: Simulator): number =>
  [remote.service, manager.service].flatMap(({ requests }) => requests).filter(({ method }) => method !== "GET").length;

async function project() {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const { folder, shell } = await newProject(simulator);
  const write = (program: string) => writeFile(join(folder, "index.ts"), program);
  return { simulator, shell, write };
}

const unchanged = (count: number) => new RegExp(`^Resources:\\n +${count} unchanged$`, "m");

it("a program goes to the native form and back as the page says, and nothing changes at a service", async () => {
  const { simulator, shell, write } = await project();
  const native = `${CHOICE}
const second = new brightdata.Provider("second", { proxyManagerUrl: ${JSON.stringify(simulator.manager.url)} });
const shop = new brightdata.ProxyPort("shop", { zone: zone.name, port: 24100 }, { provider: second });
export const isNumber = shop.listenPort.apply((port) => port === 24100);
export const product = brightdata.getZoneOutput({ name: zone.name }).plan.product;
`;
  const dynamic = native.replace(NATIVE, DYNAMIC);
  await write(dynamic);
  await shell("pulumi up --skip-preview");
  const made = changes(simulator);

  await write(native);
  const [message = ""] = prose(PAGE).match(/(?<=^> )Pulumi does not have the plugin.*\n> .*/m) ?? [];
  const words = message.replace(/\s*\n> /, " ");
  expect(await shell("! pulumi preview")).toContain(words);
  expect(await shell("! npx pulumi-brightdata plugin install --check")).toContain("is not registered");
  await shell(INSTALL);
  expect(await shell("npx pulumi-brightdata plugin install --check")).toContain("is registered");
  const preview = await shell("pulumi preview");
  expect(preview).toMatch(/\+ {2}pulumi:providers:brightdata second create/);
  expect(preview).toMatch(/- {2}pulumi:providers:pulumi-nodejs second delete/);
  expect(preview).toMatch(/^Resources:\n +\+ 1 to create\n +- 1 to delete\n +2 changes\. 4 unchanged$/m);
  await shell("pulumi up --skip-preview");
  const recorded = await shell("pulumi stack export");
  expect(recorded).toContain('"type": "brightdata:index:Zone"');
  expect(recorded).not.toContain('"type": "pulumi-nodejs:dynamic');
  expect(await shell("pulumi preview")).toMatch(unchanged(5));

  await shell("pulumi refresh");
  await write(dynamic);
  expect(await shell("pulumi preview")).toContain("Zone web update [diff: ~provider]");
  await shell("pulumi up --skip-preview");
  expect(await shell("pulumi preview")).toMatch(unchanged(5));
  expect(await shell("pulumi stack export")).not.toContain('"type": "brightdata:index:');
  expect(changes(simulator)).toBe(made);
}, 600_000);

it("a zone is imported by the command of the page, and its program previews no change", async () => {
  const { simulator, shell, write } = await project();
  simulator.account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "de" });
  await shell(INSTALL);
  await write(IMPORTED);
  const made = changes(simulator);
  await shell(`${IMPORT} --generate-code=false`);
  expect(await shell("pulumi preview")).toMatch(unchanged(2));
  await write(IMPORTED.replace("{ protect: true }", '{ import: "web_scraping" }'));
  await shell(
    "pulumi state unprotect --all && pulumi state delete $(pulumi stack --show-urns | grep -o 'urn:.*Zone::scraping')",
  );
  expect(await shell("pulumi up --skip-preview")).toContain("= 1 imported");
  await write(IMPORTED.replace(`, country: "de"`, ""));
  expect(await shell("pulumi preview")).toMatch(/\+-1 to replace/);
  await write(IMPORTED.replace(`"de"`, `"us"`));
  const { steps } = JSON.parse(await shell("pulumi preview --json"));
  const [paths] = steps.flatMap(({ detailedDiff }: { detailedDiff?: object }) => (detailedDiff ? [detailedDiff] : []));
  expect(Object.keys(paths)).toEqual(["plan.country"]);
  expect(changes(simulator)).toBe(made);
}, 600_000);

it("a program has both forms, each for resources of its own", async () => {
  const { simulator, shell, write } = await project();
  await shell(INSTALL);
  await write(`import { Zone } from ${NATIVE};
import { ProxyPort } from ${DYNAMIC};
const { name } = new Zone("web", { plan: { type: "static", ipsType: "shared" } });
new ProxyPort("search", { zone: name, port: 24000 });
`);
  expect(await shell("pulumi up --skip-preview")).toMatch(/\+ 3 created/);
  expect(await shell("pulumi preview")).toMatch(unchanged(3));
  await shell("pulumi destroy");
  expect(simulator.account.liveZones()).toEqual([]);
}, 600_000);
