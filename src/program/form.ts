import * as pulumi from "@pulumi/pulumi";
import type { Kind } from "../declaration/kind";
import { type Besides, hiddenInputs } from "../dynamic/hidden";
import { typeOf } from "../dynamic/type";
import { nativeTypeOf, urnOf } from "../pulumi/types";
import { OF_DYNAMIC, type Provided } from "./provider";
import { secretsGiven } from "./secrets";
import { warnOfConfiguration, warnOfTimeouts } from "./warnings";

/** What dynamic resources and those of the plugin register in ways of their own. */
export interface Form extends Provided {
  typeOf(kind: string): string;
  /** Inputs that a class adds. */
  inputs(kind: Kind, besides: Besides, args: pulumi.Inputs): pulumi.Inputs;
  options(kind: string, name: string, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions;
  readonly isNative: boolean;
}

export const DYNAMIC: Form = {
  ...OF_DYNAMIC,
  typeOf,
  inputs: (kind, besides, args) => hiddenInputs(kind.name, { ...besides, secrets: secretsGiven(kind, args) }),
  isNative: false,
  options(kind, name, options) {
    warnOfConfiguration();
    warnOfTimeouts(kind, name, options);
    return withAliases(nativeTypeOf(kind), name, options);
  },
};

/** Options by which the engine finds what another type has, at this place or at those that other aliases name. */
export function withAliases(
  type: string,
  name: string,
  options: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const { aliases } = options;
  if (aliases !== undefined && !Array.isArray(aliases)) return options;
  const given: readonly pulumi.Input<pulumi.URN | pulumi.Alias>[] = aliases ?? [];
  const renamed = given.filter((alias): alias is pulumi.Alias => isAlias(alias) && alias.type === undefined);
  // Of a URN the SDK makes half as many outputs as of an alias with a type: a tenth of what a resource costs the program.
  const here = options.parent === undefined ? urnOf(type, name, pulumi.getStack(), pulumi.getProject()) : { type };
  return { ...options, aliases: [...given, here, ...renamed.map((alias) => ({ ...alias, type }))] };
}

const isAlias = (alias: unknown): alias is pulumi.Alias =>
  typeof alias === "object" && alias !== null && Object.getPrototypeOf(alias) === Object.prototype;
