import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { beforeAll, expect, expectTypeOf, test } from "vitest";
import type * as brightdata from "../src";

const ROOT = join(__dirname, "..");
const COMPILING_MS = 120_000;

const HEAD = `import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";
declare const maybe: string | undefined;
declare const later: pulumi.Output<string | undefined>;
`;

/** Programs that are right. */
const RIGHT = {
  "a zone of each product": `
    for (const plan of [
      { type: "static", ipsType: "dedicated", ips: 2, country: "us" },
      { type: "static", poolIpType: "static_res", ipsType: "shared" },
      { type: "resident", mobile: true, vips: 1, vip: true },
      { type: "unblocker", serp: true, solveCaptchaDisable: false },
      { type: "browser_api" },
    ] satisfies brightdata.ZonePlanArgs[]) new brightdata.Zone("zone", { plan });`,
  "arguments that may be undefined": `
    new brightdata.Zone("zone", { name: maybe, plan: { type: "static", country: maybe }, disabled: undefined, timeouts: undefined });
    new brightdata.ProxyPort("port", { zone: "web", country: maybe, city: later, adopt: undefined });
    void brightdata.getZoneCost({ zone: "web", from: maybe });`,
  "settings of a port as the manager knows them": `
    new brightdata.ProxyPort("port", {
      zone: "web",
      headers: [{ name: "accept-language", value: "de" }],
      users: ["ops"],
      rules: [{ status: "200", action: { banIp: 600000 } }],
    });`,
  "outputs with their types": `
    const zone = new brightdata.Zone("zone", { plan: { type: "static" } });
    export const password: pulumi.Output<string> = zone.password;
    export const country: pulumi.Output<string | undefined> = zone.plan.country;
    export const port: pulumi.Output<number> = new brightdata.ProxyPort("port", { zone: zone.name }).listenPort;`,
  "functions whose arguments hold what is known later": `
    const plan: brightdata.GetAvailableIpCountOutputArgs["plan"] = { country: later, geoDb: [pulumi.output("maxmind" as const)] };
    export const count: pulumi.Output<number> = brightdata.getAvailableIpCountOutput({ plan }).count;
    void brightdata.getAvailableIpCountOutput({ plan: pulumi.output({ country: "us" }), account: maybe });`,
  "sets of ports, single and in ranges": `
    const range = brightdata.portRange({ from: 24000, count: 2, prefix: "us-" }, (index) => ({ session: \`s\${index}\` }));
    const sets: brightdata.ProxyPorts[] = [
      new brightdata.ProxyPorts("keys", {
        defaults: { zone: "web" },
        ports: { "us-1": { port: 24000, country: maybe, proxyType: "persist" }, any: pulumi.output({ city: later }) },
      }),
      new brightdata.ProxyPorts("range", { defaults: { zone: "web" }, ports: { ...range, one: { port: 25000 } } }),
      new brightdata.ProxyPorts("later", { ports: pulumi.output(range) }),
    ];
    export const number: pulumi.Output<number> | undefined = sets[0]?.ports["us-1"]?.listenPort;
    export const numbers: (pulumi.Output<number[]>)[] = sets.map(({ ports }) =>
      ports.apply((all) => Object.values(all).map(({ listenPort }) => listenPort)),
    );`,
};

/** Programs that are wrong, with what the compiler says of it. */
const WRONG: Record<string, [program: string, complaint: RegExp]> = {
  "a mobile static zone": [
    `new brightdata.Zone("z", { plan: { type: "static", mobile: true } });`,
    /mobile|assignable/,
  ],
  "a residential SERP zone": [
    `new brightdata.Zone("z", { plan: { type: "resident", serp: true } });`,
    /serp|assignable/,
  ],
  "a plan without a type": [`new brightdata.Zone("z", { plan: { country: "us" } });`, /type|assignable/],
  "a zone without a plan": [`new brightdata.Zone("z", {});`, /'plan' is missing/],
  "a property that a plan does not have": [
    `export const x = new brightdata.Zone("z", { plan: { type: "static" } }).plan.colour;`,
    /'colour' does not exist/,
  ],
  "a port number in words": [`new brightdata.ProxyPort("p", { zone: "web", port: "24000" });`, /not assignable/],
  "a header without a value": [`new brightdata.ProxyPort("p", { zone: "web", headers: [{ name: "a" }] });`, /value/],
  "a list that there is not": [
    `new brightdata.WhitelistIp("w", { ip: "203.0.113.7", list: "both" });`,
    /not assignable/,
  ],
  "a misspelt argument": [`new brightdata.ZoneAccess("a", { zone: "web", allowedIPs: ["any"] });`, /allowedIps/],
  "a misspelt setting of a port": [
    `new brightdata.ProxyPorts("s", { ports: { a: { zone: "web", contry: "us" } } });`,
    /contry/,
  ],
  "a lookup without its argument": ["void brightdata.getZoneCost({});", /'zone' is missing/],
};

/** What an editor is asked about. */
const HOVERED = `
new brightdata.Zone("z", { plan: { type: "static" } });
new brightdata.ProxyPort("p", { zone: "web", stickyIp: true });
brightdata.getRunningPortsOutput().ports.apply(([running]) => running?.keepSession);
new brightdata.ProxyPorts("s", { ports: {} }).ports.apply(({ one }) => one?.rotateSession);
`;

let program: ts.Program;
let service: ts.LanguageService;
const files = new Map<string, string>();
const fileOf = (title: string): string => join(ROOT, "programs", `${title.replaceAll(" ", "-")}.ts`);

beforeAll(() => {
  for (const [title, text] of Object.entries(RIGHT)) files.set(fileOf(title), HEAD + text);
  for (const [title, [text]] of Object.entries(WRONG)) files.set(fileOf(title), HEAD + text);
  files.set(fileOf("hover"), HEAD + HOVERED);
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const strictest: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: false,
    paths: { "pulumi-brightdata": [join(ROOT, "src/index.ts")] },
  };
  const read = (file: string) => files.get(file) ?? ts.sys.readFile(file);
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => strictest,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = read(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  service = ts.createLanguageService(host);
  program = service.getProgram() as ts.Program;
}, COMPILING_MS);

function complaints(title: string): string[] {
  const file = program.getSourceFile(fileOf(title));
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, " "),
  );
}

test.each(Object.keys(RIGHT))(
  "programs with %s compile",
  (title) => {
    expect(complaints(title)).toEqual([]);
  },
  COMPILING_MS,
);

test.each(Object.entries(WRONG))("programs with %s do not compile", (title, [, complaint]) => {
  const found = complaints(title);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(complaint);
});

test.each([
  ["a constructor", "Zone(", "", /^A zone/],
  ["an argument of a port", "stickyIp", "Input<boolean | undefined>", /^Whether each client address has a session/],
  ["a part of a result", "keepSession", "boolean | undefined", /^Whether sessions are kept alive/],
  ["a part of an output", "rotateSession", "boolean | undefined", /^Whether every request has a session/],
])("programs say over %s what it is", (_, at, type, says) => {
  const text = files.get(fileOf("hover")) ?? "";
  const info = service.getQuickInfoAtPosition(fileOf("hover"), text.indexOf(at));
  expect(ts.displayPartsToString(info?.displayParts)).toContain(type);
  expect(ts.displayPartsToString(info?.documentation)).toMatch(says);
});

test("outputs have the types that programs rely on", () => {
  expectTypeOf<brightdata.Zone["password"]>().toEqualTypeOf<pulumi.Output<string>>();
  expectTypeOf<brightdata.Zone["name"]>().toEqualTypeOf<pulumi.Output<string>>();
  expectTypeOf<brightdata.ProxyPort["listenPort"]>().toEqualTypeOf<pulumi.Output<number>>();
  expectTypeOf<brightdata.ZonePlan["country"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<keyof brightdata.ZonePlan>().not.toEqualTypeOf<string>();
});

test("no declaration of the public API gives up on a type", () => {
  const report = readFileSync(join(ROOT, "api/pulumi-brightdata.api.md"), "utf8");
  expect(report).not.toMatch(/[:<|] any\b/);
});
