import { isObject, type JsonObject } from "../../base/json";
import { CONNECTION } from "../../declaration/connection";
import { LIFECYCLES } from "../../generated/lifecycles";
import { Identity } from "../../pulumi/identity";
import { AT_KEY } from "../../pulumi/keys";
import { propertiesFromEngine } from "../../pulumi/properties";
import { kindIn, nameIn, nativeTypeOf } from "../../pulumi/types";
import { isSameService } from "../../settings/connections";
import type { Settings } from "../../settings/settings";
import { lifecycleOf, type Thing } from "./inventory";
import type { Source } from "./source";

export interface Holder {
  readonly kind: string;
  readonly name: string;
  readonly state: JsonObject;
}

/** What stacks hold, by their states as `pulumi stack export` writes them. */
export class Held {
  /** The names of the resources, each after its kind and a blank. */
  readonly names = new Set<string>();
  readonly #types = new Set<string>();
  readonly #settings: Settings;
  /** The resource that has each thing, by the kind's service, the connection's name, and where the state says that this leads. */
  readonly #things = new Map<string, Map<string, Holder>>();

  constructor(states: readonly unknown[], settings: Settings) {
    this.#settings = settings;
    for (const state of states) for (const resource of resourcesIn(state)) this.#add(resource);
  }

  /** Whether all of this package's resources are those of the plugin, and there are some. */
  get isNative(): boolean {
    return this.#types.size > 0 && [...this.#types].every((type) => type === nativeTypeOf(kindIn(type) ?? ""));
  }

  /** @param location where the thing's source is, as far as it is known: stacks may have one name for several accounts */
  has(thing: Thing, location: string | undefined): boolean {
    return this.holderOf(thing, location) !== undefined;
  }

  async lacking(things: readonly Thing[]): Promise<Thing[]> {
    const all = [...new Set(things.map(({ source }) => source))];
    const locations = new Map(await Promise.all(all.map(async (source) => [source, await source.location()] as const)));
    return things.filter((thing) => !this.has(thing, locations.get(thing.source)));
  }

  /** The resource that has a thing; of several that have parts of it, the first. */
  holderOf({ kind, id, source }: Thing, location: string | undefined): Holder | undefined {
    const parts = lifecycleOf(kind).holdings(id, {}).has;
    const holders = parts.map((part) => this.holderOfPart(part, source, location));
    const whole = this.holderOfPart(`${kind} ${id}`, source, location);
    return whole ?? (holders.includes(undefined) ? undefined : holders[0]);
  }

  /** @param part as a kind's holdings call it */
  holderOfPart(part: string, source: Source, location: string | undefined): Holder | undefined {
    const isHere = (key: string): boolean => {
      const [service, name, at] = JSON.parse(key) as [string, string | null, string | null];
      if (service !== source.service) return false;
      if (at !== null && location !== undefined) return at === location;
      return isSameService(service, name ?? undefined, source.name, this.#settings);
    };
    return [...this.#things].find(([key, holders]) => holders.has(part) && isHere(key))?.[1].get(part);
  }

  #add({ type, id, urn, outputs }: JsonObject): void {
    const kind = kindIn(type) ?? "";
    const lifecycle = Object.hasOwn(LIFECYCLES, kind) ? LIFECYCLES[kind] : undefined;
    if (lifecycle === undefined || typeof id !== "string" || !isObject(outputs)) return;
    this.#types.add(String(type));
    const name = nameIn(urn);
    this.names.add(`${kind} ${name}`);
    const { [CONNECTION[lifecycle.service]]: connection = null } = outputs;
    const local = new Identity(lifecycle.service, lifecycle.localId).local(id);
    const { [AT_KEY]: at = null } = outputs;
    const key = JSON.stringify([lifecycle.service, connection, at]);
    const known = this.#things.get(key) ?? new Map();
    const state = propertiesFromEngine(outputs);
    const things = lifecycle.holdings(local, state).has;
    const holder = { kind, name, state };
    for (const thing of [`${kind} ${local}`, ...things]) known.set(thing, holder);
    this.#things.set(key, known);
  }
}

/** The resources of a state, as `pulumi stack export` or a backend's file has them. */
function resourcesIn(state: unknown): JsonObject[] {
  if (!isObject(state)) return [];
  const { checkpoint } = state;
  const deployment = state.deployment ?? (isObject(checkpoint) ? checkpoint.latest : undefined);
  const resources = isObject(deployment) ? deployment.resources : undefined;
  return Array.isArray(resources) ? resources.filter((each) => isObject(each) && each.external !== true) : [];
}
