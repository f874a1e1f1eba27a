import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import * as brightdata from "../../src";
import { prose } from "./documents";
import type { Policy, ResourceValidation } from "./policy";
import { run, sample } from "./program";

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

const DYNAMIC = "pulumi-nodejs:dynamic/brightdata";

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
  function violations(kind: string, props: Record<string, unknown>, protect = true, form = DYNAMIC): string[] {
    const type = `${form}:${kind}`;
    const isType = (resourceClass: object): boolean =>
      "isInstance" in resourceClass &&
      (resourceClass as { isInstance(value: unknown): boolean }).isInstance({ __pulumiType: type });
    const said: string[] = [];
    const report = (message: string) => said.push(message);
    for (const { validateResource } of policies) validateResource({ type, props, opts: { protect }, isType }, report);
    return said;
  }

  test.each([
    ["a protected zone", "Zone", { plan: { type: "static" } }, true, []],
    [
      "an unprotected zone",
      "Zone",
      { plan: { type: "static" } },
      false,
      ["Set the resource option `protect: true` on the zone."],
    ],
    ["an unprotected port", "ProxyPort", {}, false, []],
  ])("%s", (_title, kind, props, protect, expected) => {
    expect(violations(kind, props, protect)).toEqual(expected);
  });

  test("check one form, as the page says", () => {
    expect(violations("Zone", {}, false, "brightdata:index")).toEqual([]);
    expect(prose("docs/testing.md")).toContain("the resources of one [form](dynamic-or-native.md)");
  });
});
