import { isObject, type JsonObject, ownIn } from "../../base/json";
import { once } from "../../base/once";
import { CONNECTION, type Service } from "../../declaration/connection";
import { LIFECYCLES } from "../../generated/lifecycles";
import { Identity } from "../../pulumi/identity";
import { AT_KEY } from "../../pulumi/keys";
import { propertiesFromEngine } from "../../pulumi/properties";
import { kindIn, nameIn, nativeTypeOf } from "../../pulumi/types";
import { objectFromEngine } from "../../pulumi/values";
import { isSameService } from "../../settings/connections";
import type { Settings } from "../../settings/settings";
import { lifecycleOf, type Thing } from "./inventory";
import { locationsOf, type Source } from "./source";

export interface Holder {
  readonly kind: string;
  readonly name: string;
  readonly state: JsonObject;
}

/** The connection of a resource, and where the state says that this leads. */
interface Destination {
  readonly service: Service;
  readonly connection: unknown;
  readonly at: unknown;
}

/** What stacks hold, by their states as `pulumi stack export` writes them. */
export class Held {
  /** The names of the resources, each after its kind and a blank. */
  readonly names = new Set<string>();
  readonly #types = new Set<string>();
  readonly #settings: Settings;
  /** The resources that have each thing, as a kind's holdings call it. */
  readonly #holders = new Map<string, (Holder & Destination)[]>();

  constructor(states: readonly unknown[], settings: Settings) {
    this.#settings = settings;
    for (const state of states) for (const resource of resourcesIn(state)) this.#add(resource);
  }

  /** Whether all of this package's resources are those of the plugin, and there are some. */
  get isNative(): boolean {
    return this.#types.size > 0 && [...this.#types].every((type) => type === nativeTypeOf(kindIn(type) ?? ""));
  }

  async lacking(things: readonly Thing[]): Promise<Thing[]> {
    const locations = await locationsOf(new Set(things.flatMap(sourcesOf)));
    const isHeld = (thing: Thing) =>
      sourcesOf(thing).some((source) => this.holderOf({ ...thing, source }, locations.get(source)) !== undefined);
    return things.filter((thing) => !isHeld(thing));
  }

  /**
   * The resource that has a thing; of several that have parts of it, the first.
   *
   * @param location where the thing's source is, as far as it is known: stacks may have one name for several accounts
   */
  holderOf({ kind, id, source }: Thing, location: string | undefined): Holder | undefined {
    const parts = lifecycleOf(kind).holdings(id, {}).has;
    const holders = parts.map((part) => this.holderOfPart(part, source, location));
    const whole = this.holderOfPart(`${kind} ${id}`, source, location);
    return whole ?? (holders.includes(undefined) ? undefined : holders[0]);
  }

  /** @param part as a kind's holdings call it */
  holderOfPart(part: string, source: Source, location: string | undefined): Holder | undefined {
    return this.#holders.get(part)?.find(({ service, connection, at }) => {
      if (service !== source.service) return false;
      if (at !== undefined && location !== undefined) return at === location;
      return isSameService(service, connection, source.name, this.#settings);
    });
  }

  #add({ type, id, urn, outputs }: JsonObject): void {
    const kind = kindIn(type) ?? "";
    const lifecycle = ownIn(LIFECYCLES, kind);
    if (lifecycle === undefined || typeof id !== "string" || !isObject(outputs)) return;
    this.#types.add(String(type));
    const name = nameIn(urn);
    this.names.add(`${kind} ${name}`);
    const { service } = lifecycle;
    const { [CONNECTION[service]]: connection, [AT_KEY]: at } = objectFromEngine(outputs);
    const local = new Identity(service, lifecycle.localId).local(id);
    const state = propertiesFromEngine(outputs);
    const holder = { kind, name, state, service, connection, at };
    for (const thing of [`${kind} ${local}`, ...lifecycle.holdings(local, state).has])
      once(this.#holders, thing, () => []).push(holder);
  }
}

const sourcesOf = ({ source, also = [] }: Thing): Source[] => [source, ...also];

/** The resources of a state, as `pulumi stack export` or a backend's file has them. */
function resourcesIn(state: unknown): JsonObject[] {
  if (!isObject(state)) return [];
  const { checkpoint } = state;
  const deployment = state.deployment ?? (isObject(checkpoint) ? checkpoint.latest : undefined);
  const resources = isObject(deployment) ? deployment.resources : undefined;
  return Array.isArray(resources) ? resources.filter((each) => isObject(each) && each.external !== true) : [];
}
