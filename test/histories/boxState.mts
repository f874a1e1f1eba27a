import type { JsonObject } from "../../src/base/json.ts";
import { SIGNATURE } from "../protocol.mts";
import type { Entry } from "./engine.mts";
import type { Edit } from "./engines.mts";
import { componentOf, type Form, urnOf } from "./program.mts";

/** The name of an explicit provider. */
const EXPLICIT = /::pulumi:providers:(?:pulumi-nodejs|brightdata)::(?!default)(.+)::[^:]+$/;

/** What the types of resources of each form begin with. */
const TYPES: Readonly<Record<Form, string>> = {
  dynamic: "pulumi-nodejs:dynamic/brightdata:",
  native: "brightdata:index:",
  foreign: "brightdata:index:",
};

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
  dependencies?: string[];
  propertyDependencies?: Record<string, string[] | null>;
  deletedWith?: string;
  protect?: boolean;
  retainOnDelete?: boolean;
  taint?: boolean;
}

export interface Deployment {
  resources?: StateResource[];
  /** What had been begun when a run was cut short. */
  pending_operations?: { resource: StateResource; type: string }[];
}

/** What a program gave for a resource, by its URN and id. */
export type Given = ReadonlyMap<string, JsonObject>;

export const givenKey = (urn: string, id: string): string => `${urn} ${id}`;

export const typeOf = (kind: string, form: Form = "dynamic"): string => TYPES[form] + kind;

/** What a history calls a resource, by its URN; `undefined` where it is none of this package. */
export function shortUrn(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  const own = Object.values(TYPES).find((prefix) => type.startsWith(prefix));
  return own === undefined ? undefined : urnOf(type.slice(own.length), name);
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
      ...relationsOf(resource),
      ...(resource.retainOnDelete === true ? { retained: true } : {}),
      ...(resource.taint === true ? { tainted: true } : {}),
      ...(resource.type.startsWith(TYPES.native) ? { isNative: true as const } : {}),
      ...(resource.delete === true ? { doomed: true } : {}),
      ...(resource.pendingReplacement === true ? { recreated: true } : {}),
    };
  });
}

function relationsOf({ dependencies = [], deletedWith, ...resource }: StateResource): Partial<Entry> {
  const provider = EXPLICIT.exec(resource.provider ?? "")?.[1];
  const parent = componentOf(resource.parent ?? "");
  return {
    ...(dependencies.length > 0 && { dependencies: dependencies.flatMap((each) => shortUrn(each) ?? []) }),
    ...(deletedWith !== undefined && { deletedWith: shortUrn(deletedWith) as string }),
    ...(provider !== undefined && { provider }),
    ...(parent !== undefined && { parent }),
  };
}

/** Without the envelopes of secrets, which are not really encrypted here. */
export function decrypted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decrypted);
  if (typeof value !== "object" || value === null) return value;
  const { ciphertext } = value as { ciphertext?: string };
  if (SIGNATURE in value && ciphertext !== undefined) return JSON.parse(Buffer.from(ciphertext, "base64").toString());
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decrypted(item)]));
}

/** A state as a person leaves it. What cannot be done to it is not done. */
export function edited(state: Deployment, stack: string, edit: Edit): Deployment {
  const { resources = [] } = state;
  if (edit.what === "unprotect") {
    return { ...state, resources: resources.map(({ protect: _, ...resource }) => resource) };
  }
  if (edit.what === "rename") {
    const text = JSON.stringify(state)
      .replaceAll(`urn:pulumi:${stack}::`, `urn:pulumi:${edit.to}::`)
      .replaceAll(`::project-${stack}"`, `::project-${edit.to}"`);
    return JSON.parse(text) as Deployment;
  }
  const one = resources.find((resource) => shortUrn(resource.urn) === edit.urn && resource.delete !== true);
  if (one === undefined) return state;
  if (edit.what === "taint") {
    return { ...state, resources: resources.map((each) => (each === one ? { ...each, taint: true } : each)) };
  }
  const others = resources.filter((each) => each !== one);
  const isNeeded = others.some((each) => each.urn !== one.urn && JSON.stringify(each).includes(`"${one.urn}"`));
  return isNeeded || one.protect === true ? state : { ...state, resources: others };
}

/** A state without what is not among these, as `pulumi state delete` leaves it. */
export function withOnly(state: Deployment, entries: readonly Entry[]): Deployment {
  const { resources = [] } = state;
  const isKept = ({ urn, id = "" }: StateResource) => {
    const name = shortUrn(urn);
    return name === undefined || entries.some((entry) => entry.urn === name && entry.id === id);
  };
  const gone = new Set(resources.filter((each) => !isKept(each)).map(({ urn }) => urn));
  const kept = resources.filter(isKept).map(({ dependencies, propertyDependencies, deletedWith, ...resource }) => ({
    ...resource,
    ...(dependencies && { dependencies: dependencies.filter((urn) => !gone.has(urn)) }),
    ...(propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([key, urns]) => [key, urns?.filter((urn) => !gone.has(urn)) ?? null]),
      ),
    }),
    ...(deletedWith !== undefined && !gone.has(deletedWith) && { deletedWith }),
  }));
  return { ...state, resources: kept };
}
