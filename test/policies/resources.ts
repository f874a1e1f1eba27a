import { type Declared, type Properties, UNKNOWN } from "../../policies/declared";
import { type Policy, type Violation, withDefaults } from "../../policies/policy";

export { UNKNOWN };

/** A resource that a program of the stack `prod` declares. */
export const resource = (kind: string, name: string, props: Properties, further: Partial<Declared> = {}): Declared => ({
  kind,
  urn: urnOf(kind, name),
  name,
  stack: "prod",
  props,
  isProtected: false,
  secrets: [],
  comesFrom: {},
  provider: { urn: "default", configuration: {} },
  ...further,
});

export const urnOf = (kind: string, name: string): string =>
  `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/brightdata:${kind}::${name}`;

export const zone = (name: string, plan: Properties, further: Properties = {}): Declared =>
  resource("Zone", name, { name, plan, ...further });

/** What a policy says of a resource. */
export const saysOf = <Options>(rule: Policy<Options>, checked: Declared, options: Partial<Options> = {}) =>
  rule.ofResource?.(checked, withDefaults(rule, options));

/** What a policy says of a stack. */
export const saysOfStack = async <Options>(
  rule: Policy<Options>,
  resources: readonly Declared[],
  options: Partial<Options> = {},
): Promise<readonly Violation[] | undefined> => rule.ofStack?.(resources, withDefaults(rule, options));
