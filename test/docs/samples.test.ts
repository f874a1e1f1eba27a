import * as pulumi from "@pulumi/pulumi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as brightdata from "../../src";
import { startService } from "../functions/harness";
import type { Policy, ResourceValidation } from "./policy";
import { run, sample } from "./program";

test("the program that adopts an account writes an import file and the declarations", async () => {
  const { account } = await startService();
  account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "de" });
  const { ports } = new brightdata.ManagerClient(brightdata.readSettings(() => undefined));
  await ports.create({ port: 24_000, zone: "web_scraping", internalName: "shop", country: "de" });

  const declarations: string[] = [];
  onTestFinished(vi.spyOn(console, "log").mockImplementation((line: string) => declarations.push(line)).mockRestore);
  const [file, text] = await new Promise<[string, string]>((resolve) => {
    const writeFileSync = (...written: [string, string]) => resolve(written);
    run(sample("docs/adopting.md", "writeFileSync"), { "node:fs": { writeFileSync }, "pulumi-brightdata": brightdata });
  });

  expect(file).toBe("import.json");
  const { resources } = JSON.parse(text) as { resources: Record<string, unknown>[] };
  expect(resources).toMatchObject([
    { type: "pulumi-nodejs:dynamic/brightdata:Zone", name: "web_scraping", id: "web_scraping" },
    { type: "pulumi-nodejs:dynamic/brightdata:ProxyPort", name: "port-24000", id: "24000" },
  ]);
  expect(resources.map(({ inputs }) => inputs)).toEqual(resources.map(({ outputs }) => outputs));
  expect(resources[1]?.inputs).toMatchObject({
    port: 24_000,
    zone: "web_scraping",
    internalName: "shop",
    country: "de",
  });
  expect(declarations).toHaveLength(2);
  expect(declarations[0]).toMatch(
    /^new brightdata\.Zone\("web_scraping", \{.*"type":"static".*\}, \{ protect: true \}\);$/,
  );
  expect(declarations[1]).toMatch(/^new brightdata\.ProxyPort\("port-24000", \{"port":24000,"zone":"web_scraping"/);
});

test("the unit test passes, and fails for another program", async () => {
  const program = sample("docs/testing.md", "docs/proxies.ts");
  const outcomeWith = async (text: string): Promise<unknown> => {
    const hooks: (() => Promise<void>)[] = [];
    const tests: (() => Promise<void>)[] = [];
    run(sample("docs/testing.md", "docs/proxies.test.ts"), {
      "@pulumi/pulumi": pulumi,
      vitest: {
        beforeAll: (hook: () => Promise<void>) => hooks.push(hook),
        test: (_title: string, body: () => Promise<void>) => tests.push(body),
        expect,
      },
      "./proxies.js": () => run(text, { "pulumi-brightdata": brightdata }),
    });
    expect([hooks.length, tests.length]).toEqual([1, 1]);
    await hooks[0]?.();
    return tests[0]?.().catch((error: unknown) => error);
  };
  expect(await outcomeWith(program)).toBeUndefined();
  expect(await outcomeWith(program.replace(", rotateSession: true", ""))).toBeInstanceOf(Error);
});

describe("the policies", () => {
  const policies: Policy[] = [];
  class PolicyPack {
    constructor(_name: string, args: { policies: Policy[] }) {
      policies.push(...args.policies);
    }
  }
  const validateResourceOfType =
    (kind: Parameters<Parameters<ResourceValidation>[0]["isType"]>[0], validate: (...args: unknown[]) => void) =>
    (args: Parameters<ResourceValidation>[0], report: Parameters<ResourceValidation>[1]): void => {
      if (args.isType(kind)) validate(args.props, args, report);
    };
  run(sample("docs/testing.md", "docs/policies.ts"), {
    "@pulumi/policy": { PolicyPack, validateResourceOfType },
    "pulumi-brightdata": brightdata,
  });

  /** What the policies say of a resource, as Pulumi's own package asks: by the type that the engine knows. */
  function violations(kind: string, props: Record<string, unknown>, protect = true): string[] {
    const type = `pulumi-nodejs:dynamic/brightdata:${kind}`;
    const isType = (resourceClass: object): boolean =>
      "isInstance" in resourceClass &&
      (resourceClass as { isInstance(value: unknown): boolean }).isInstance({ __pulumiType: type });
    const said: string[] = [];
    const report = (message: string) => said.push(message);
    for (const { validateResource } of policies) validateResource({ type, props, opts: { protect }, isType }, report);
    return said;
  }

  test.each([
    ["a protected zone with few IPs", "Zone", { plan: { type: "static", ips: 5 } }, true, []],
    [
      "an unprotected zone",
      "Zone",
      { plan: { type: "static" } },
      false,
      ["Set the resource option `protect: true` on the zone."],
    ],
    [
      "a zone with many IPs",
      "Zone",
      { plan: { type: "static", ips: 30 } },
      true,
      ["The zone has 30 IPs; at most 20 are allowed."],
    ],
  ])("%s", (_title, kind, props, protect, expected) => {
    expect(violations(kind, props, protect)).toEqual(expected);
  });
});
