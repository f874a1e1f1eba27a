import {
  PolicyPack,
  type PolicyPackConfig,
  type PolicyResource,
  type ReportViolation,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  UnknownValueError,
} from "@pulumi/policy";
import { type Declared, isLookUp, kindOf, object, settingsOf, stackOf, UNKNOWN } from "./declared";
import { type Level, misnamed, type Option, type Policy, type Violation, withDefaults } from "./policy";
import { RULES } from "./rules";
import { checkNames } from "./unknownPolicies";

type Rule = (typeof RULES)[number];

type OptionsOf<R> = R extends Policy<infer Options> ? Options : never;

/** Levels and options by the names of the policies; `all` is for those that are not named. */
export type GuardConfig = { all?: Level } & {
  [R in Rule as R["name"]]?: Level | ({ enforcementLevel?: Level } & Partial<OptionsOf<R>>);
};

/** The policies of this pack as a pack of your own, with your levels and options. */
export class BrightdataGuard extends PolicyPack {
  constructor(config: GuardConfig = {}, name = "pulumi-brightdata-policy") {
    refuse(faultsOf(config));
    checkNames((names) => refuse(unknownAmong(names)));
    super(name, { policies: POLICIES.map(enforced) }, config as PolicyPackConfig);
  }
}

const POLICIES = RULES as unknown as readonly Policy<object>[];

/** What there is not, of what a pack is configured with. */
function faultsOf(config: GuardConfig): readonly string[] {
  const options = POLICIES.flatMap((rule) => {
    const { [rule.name as keyof GuardConfig]: given } = config;
    return typeof given === "object" ? misnamed(rule, given) : [];
  });
  return [...unknownAmong(Object.keys(config)), ...options];
}

function unknownAmong(names: readonly string[]): readonly string[] {
  const known = POLICIES.map(({ name }) => name);
  const listed = known.map((name) => `\`${name}\``).join(", ");
  return names
    .filter((name) => name !== "all" && !known.includes(name))
    .map((name) => `There is no policy \`${name}\`: there are ${listed}.`);
}

/** Stops what the engine, which takes any option, would go on with as if nothing had been meant. */
function refuse(faults: readonly string[]): void {
  const words = faults.join(" ");
  // The SDK prints the stack.
  if (faults.length > 0) throw Object.assign(new Error(words), { stack: words });
}

/** The resources that this process has seen so far, by their URNs. */
const seen = new Map<string, Declared>();

/** What it has reported: the same is not said again of each resource. */
const said = new Set<string>();

/**
 * URNs of resources that the program only looks up, which `pulumi policy analyze` gives too. Their inputs show it, which the
 * policies of single resources see, and not the outputs, which those of stacks see afterwards.
 */
const lookedUp = new Set<string>();

/** The SDK takes both: what is to be said before something is created, and at the end. */
function enforced(rule: Policy<object>): ResourceValidationPolicy & Partial<StackValidationPolicy> {
  const { name, title, says, level, severity, remedy, options, ofResource, ofGrowing, ofStack } = rule;
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
  const reportAll = (violations: readonly Violation[], report: ReportViolation) => {
    for (const { message, urn } of violations) {
      const words = JSON.stringify([name, urn, message]);
      if (!said.has(words)) report(message, urn);
      said.add(words);
    }
  };
  return {
    ...common,
    validateResource(args, report) {
      const resource = declared(args);
      if (resource === undefined) return;
      if (isLookUp(resource.kind, resource.props)) {
        lookedUp.add(resource.urn);
        return;
      }
      refuse(misnamed(rule, args.getConfig()));
      const given = withDefaults(rule, args.getConfig());
      for (const message of ofResource?.(resource, given) ?? []) report(message);
      if (ofGrowing === undefined) return;
      seen.set(resource.urn, resource);
      reportAll(ofGrowing([...seen.values()], given), report);
    },
    ...(ofStack && {
      async validateStack(args, report) {
        const managed = args.resources.filter(({ urn }) => !lookedUp.has(urn));
        const resources = managed.flatMap((resource) => declared(resource) ?? []);
        reportAll(await ofStack(resources, withDefaults(rule, args.getConfig())), report);
      },
    }),
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
    provider: { urn: provider?.urn ?? "", configuration: settingsOf(object(known(provider?.props ?? {}))) },
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
