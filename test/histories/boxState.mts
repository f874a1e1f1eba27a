import type { JsonObject } from "../../src/base/json.ts";
import { SIGNATURE } from "../protocol.mts";
import type { Entry } from "./engine.mts";
import { urnOf } from "./program.mts";

const TYPE = "pulumi-nodejs:dynamic/brightdata:";

/** A resource as a state has it, as far as that is of interest here. */
export interface StateResource {
  urn: string;
  type: string;
  custom: boolean;
  id?: string;
  parent?: string;
  provider?: string;
  inputs?: JsonObject;
  outputs?: JsonObject;
  delete?: boolean;
  pendingReplacement?: boolean;
  initErrors?: string[];
}

export interface Deployment {
  resources?: StateResource[];
}

/** What a program gave for a resource, by its URN and id. */
export type Given = ReadonlyMap<string, JsonObject>;

export const givenKey = (urn: string, id: string): string => `${urn} ${id}`;

export const typeOf = (kind: string): string => TYPE + kind;

export const stackUrnOf = (stack: string): string =>
  `urn:pulumi:${stack}::project::pulumi:pulumi:Stack::project-${stack}`;

/** What a history calls a resource, by its URN; `undefined` where it is none of this package. */
export function shortUrn(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  return type.startsWith(TYPE) ? urnOf(type.slice(TYPE.length), name) : undefined;
}

/** The resources that a history is about. */
export function entriesOf({ resources = [] }: Deployment, given: Given): Entry[] {
  return resources.flatMap((resource) => {
    const urn = shortUrn(resource.urn);
    if (urn === undefined) return [];
    const { id = "", inputs = {}, outputs = {}, initErrors = [] } = resource;
    return {
      urn,
      id,
      inputs: decrypted(inputs) as JsonObject,
      outputs: decrypted(outputs) as JsonObject,
      declared: given.get(givenKey(resource.urn, id)) ?? {},
      initErrors,
      ...(resource.delete === true ? { doomed: true } : {}),
      ...(resource.pendingReplacement === true ? { recreated: true } : {}),
    };
  });
}

/** Without the envelopes of secrets, which are not really encrypted here. */
function decrypted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decrypted);
  if (typeof value !== "object" || value === null) return value;
  const { ciphertext } = value as { ciphertext?: string };
  if (SIGNATURE in value && ciphertext !== undefined) return JSON.parse(Buffer.from(ciphertext, "base64").toString());
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decrypted(item)]));
}

/** A state that was edited by hand: with a resource more. `undefined` where there is no provider yet. */
export function withResource(state: Deployment, stack: string, kind: string, entry: Entry): Deployment | undefined {
  const { resources = [] } = state;
  const provider = resources.find(({ urn }) => /pulumi:providers:pulumi-nodejs::default/.test(urn));
  if (provider === undefined) return undefined;
  const { id, inputs, outputs } = entry;
  const name = entry.urn.slice(kind.length + 1);
  const resource: StateResource = {
    urn: `urn:pulumi:${stack}::project::${typeOf(kind)}::${name}`,
    type: typeOf(kind),
    custom: true,
    id,
    inputs,
    outputs,
    parent: stackUrnOf(stack),
    provider: `${provider.urn}::${provider.id}`,
  };
  return { ...state, resources: [...resources, resource] };
}
