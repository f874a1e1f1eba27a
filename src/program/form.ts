import type * as pulumi from "@pulumi/pulumi";
import { type Besides, hiddenInputs } from "../dynamic/hidden";
import { PROVIDER_TYPE, typeOf } from "../dynamic/type";
import { warnOfConfiguration, warnOfTimeouts } from "./warnings";

/** What dynamic resources and those of the plugin register in ways of their own. */
export interface Form {
  /** How a program imports it. */
  readonly module: string;
  readonly providerType: string;
  typeOf(kind: string): string;
  /** Inputs that a class adds. */
  inputs(kind: string, besides: Besides): pulumi.Inputs;
  options(kind: string, name: string, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions;
  /** Whether the engine knows in a preview what the class could say of its outputs. */
  readonly isPreviewed: boolean;
}

/** The type of the same kind in the plugin: a program can go from one form to the other, and back. */
export const nativeTypeOf = (kind: string): string => `brightdata:index:${kind}`;

export const DYNAMIC: Form = {
  module: "pulumi-brightdata",
  providerType: PROVIDER_TYPE,
  typeOf,
  inputs: hiddenInputs,
  isPreviewed: false,
  options(kind, name, options) {
    warnOfConfiguration();
    warnOfTimeouts(kind, name, options);
    return withAliases(nativeTypeOf(kind), options);
  },
};

/** Options by which the engine finds what another type has, at this place or at those that other aliases name. */
export function withAliases(type: string, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const { aliases } = options;
  if (aliases !== undefined && !Array.isArray(aliases)) return options;
  const given: readonly pulumi.Input<pulumi.URN | pulumi.Alias>[] = aliases ?? [];
  const renamed = given.filter((alias): alias is pulumi.Alias => isAlias(alias) && alias.type === undefined);
  return { ...options, aliases: [...given, { type }, ...renamed.map((alias) => ({ ...alias, type }))] };
}

const isAlias = (alias: unknown): alias is pulumi.Alias =>
  typeof alias === "object" && alias !== null && Object.getPrototypeOf(alias) === Object.prototype;
