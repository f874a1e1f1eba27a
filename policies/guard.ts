import {
  PolicyPack,
  type PolicyPackConfig,
  type PolicyResource,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  UnknownValueError,
} from "@pulumi/policy";
import { type Declared, isLookUp, kindOf, object, stackOf, UNKNOWN } from "./declared";
import { type Level, type Option, type Policy, withDefaults } from "./policy";
import { RULES } from "./rules";

type Rule = (typeof RULES)[number];

type OptionsOf<R> = R extends Policy<infer Options> ? Options : never;

/** Levels and options by the names of the policies; `all` is for those that are not named. */
export type GuardConfig = { all?: Level } & {
  [R in Rule as R["name"]]?: Level | ({ enforcementLevel?: Level } & Partial<OptionsOf<R>>);
};

/** The policies of this pack as a pack of your own, with your levels and options. */
export class BrightdataGuard extends PolicyPack {
  constructor(config: GuardConfig = {}, name = "pulumi-brightdata-policy") {
    super(
      name,
      { policies: RULES.map((rule) => enforced(rule as unknown as Policy<object>)) },
      config as PolicyPackConfig,
    );
  }
}

/**
 * URNs of resources that the program only looks up, which `pulumi policy analyze` gives too. Their inputs show it, which the
 * policies of single resources see, and not the outputs, which those of stacks see afterwards.
 */
const lookedUp = new Set<string>();

function enforced(rule: Policy<object>): ResourceValidationPolicy | StackValidationPolicy {
  const { name, title, says, level, severity, remedy, options, ofResource, ofStack } = rule;
  const properties = Object.entries(options as Record<string, Option<unknown>>).map(
    ([key, { says: description, schema, initial }]) => [
      key,
      { description, ...schema, ...(initial !== undefined && { default: initial }) },
    ],
  );
  const common = {
    name,
    displayName: title,
    description: says,
    enforcementLevel: level,
    severity,
    remediationSteps: remedy,
    tags: ["brightdata"],
    configSchema: { properties: Object.fromEntries(properties) },
  };
  if (ofResource !== undefined) {
    return {
      ...common,
      validateResource(args, report) {
        const resource = declared(args);
        if (resource === undefined) return;
        if (isLookUp(resource.kind, resource.props)) {
          lookedUp.add(resource.urn);
          return;
        }
        for (const message of ofResource(resource, withDefaults(rule, args.getConfig()))) report(message);
      },
    };
  }
  return {
    ...common,
    async validateStack(args, report) {
      const managed = args.resources.filter(({ urn }) => !lookedUp.has(urn));
      const resources = managed.flatMap((resource) => declared(resource) ?? []);
      const violations = (await ofStack?.(resources, withDefaults(rule, args.getConfig()))) ?? [];
      for (const { message, urn } of violations) report(message, urn);
    },
  };
}

/** What a policy checks, of a resource of this package. */
function declared(resource: ResourceValidationArgs | PolicyResource): Declared | undefined {
  const { type, urn, name, props, opts, provider } = resource;
  const kind = kindOf(type);
  if (kind === undefined) return undefined;
  const origins = "propertyDependencies" in resource ? Object.entries(resource.propertyDependencies) : [];
  return {
    kind,
    urn,
    name,
    stack: stackOf(urn),
    props: object(known(props)),
    isProtected: opts.protect,
    secrets: opts.additionalSecretOutputs,
    comesFrom: Object.fromEntries(origins.map(([property, from]) => [property, from.map((other) => other.urn)])),
    provider: { urn: provider?.urn ?? "", configuration: object(known(provider?.props ?? {})) },
  };
}

/** A copy without the guard that throws where a value is not known yet. */
function known(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [key, item(value, key)] as const);
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

function item(container: object, key: string): unknown {
  try {
    return known(Reflect.get(container, key));
  } catch (error) {
    if (error instanceof UnknownValueError) return UNKNOWN;
    throw error;
  }
}
