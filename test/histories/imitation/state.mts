import type { JsonObject } from "../../../src/base/json.ts";
import { unsealed } from "../../protocol.mts";
import { type Deployment, decrypted, type StateResource } from "../boxState.mts";
import { sorted } from "../sorted.mts";

/** A resource as the engine has it in memory: what is done to it in one place is seen in all. */
export interface State {
  urn: string;
  type: string;
  custom: boolean;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  parent: string;
  provider: string;
  dependencies: string[];
  deletedWith: string;
  initErrors: string[];
  delete: boolean;
  pendingReplacement: boolean;
  /** The name that it had until this run. */
  aliases: string[];
}

export type Doing = "creating" | "updating" | "deleting" | "importing";

export interface Operation {
  resource: State;
  type: Doing;
}

/** A state that a run begins with. It changes while the run goes on. */
export interface Snapshot {
  resources: State[];
  operations: Operation[];
}

export const PROVIDERS = "pulumi:providers:";
export const STACK = "pulumi:pulumi:Stack";

export const isProvider = (type: string): boolean => type.startsWith(PROVIDERS);

export const nameOf = (urn: string): string => urn.split("::")[3] ?? "";

/** Values as the engine keeps and sends them: their keys are sorted. */
export const wire = (values: JsonObject): JsonObject => sorted(unsealed(values)) as JsonObject;

export const copyOf = (state: State): State => ({ ...state });

/** The URN of a provider, by what refers to it. */
export const providerUrnOf = (reference: string): string => reference.slice(0, reference.lastIndexOf("::"));

/** URNs of all that a resource needs, but for its provider. */
export const dependenciesOf = ({ parent, dependencies, deletedWith }: State): string[] =>
  [parent, ...dependencies, deletedWith].filter((urn) => urn !== "");

function stateOf(resource: StateResource): State {
  const { inputs = {}, outputs = {}, ...rest } = resource;
  return {
    urn: rest.urn,
    type: rest.type,
    custom: rest.custom,
    id: rest.id ?? "",
    inputs: sorted(decrypted(inputs)) as JsonObject,
    outputs: sorted(decrypted(outputs)) as JsonObject,
    parent: rest.parent ?? "",
    provider: rest.provider ?? "",
    dependencies: [...(rest.dependencies ?? [])],
    deletedWith: rest.deletedWith ?? "",
    initErrors: [...(rest.initErrors ?? [])],
    delete: rest.delete === true,
    pendingReplacement: rest.pendingReplacement === true,
    aliases: [],
  };
}

export function snapshotOf({ resources = [], pending_operations: operations = [] }: Deployment): Snapshot {
  return {
    resources: resources.map(stateOf),
    operations: operations.map(({ resource, type }) => ({ resource: stateOf(resource), type: type as Doing })),
  };
}

/** What a state file has of a resource, in which others may have other names by now. */
function resourceOf(state: State, names: ReadonlyMap<string, string>): StateResource {
  const nameOf = (urn: string) => names.get(urn) ?? urn;
  const { type, custom, id, inputs, outputs, parent, provider, dependencies, deletedWith, initErrors } = state;
  return {
    urn: nameOf(state.urn),
    type,
    custom,
    inputs,
    outputs,
    ...(id !== "" && { id }),
    ...(parent !== "" && { parent: nameOf(parent) }),
    ...(provider !== "" && { provider }),
    ...(dependencies.length > 0 && { dependencies: dependencies.map(nameOf) }),
    ...(deletedWith !== "" && { deletedWith: nameOf(deletedWith) }),
    ...(initErrors.length > 0 && { initErrors }),
    ...(state.delete && { delete: true }),
    ...(state.pendingReplacement && { pendingReplacement: true }),
  };
}

export function deploymentOf({ resources, operations }: Snapshot): Deployment {
  const names = new Map(resources.flatMap(({ urn, aliases }) => aliases.map((alias) => [alias, urn] as const)));
  return {
    resources: resources.map((state) => resourceOf(state, names)),
    ...(operations.length > 0 && {
      // What is begun has the name that it was begun under.
      pending_operations: operations.map(({ resource, type }) => ({ resource: resourceOf(resource, new Map()), type })),
    }),
  };
}
