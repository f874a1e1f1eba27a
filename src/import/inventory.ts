import { ConnectionError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { CONNECTION } from "../declaration/connection";
import type { Kind } from "../declaration/kind";
import { LIFECYCLES } from "../generated/lifecycles";
import { Deadline } from "../lifecycle/deadline";
import type { Lifecycle, Run } from "../lifecycle/lifecycle";
import { leafPaths } from "../lifecycle/paths";
import { forEach } from "../lifecycle/pool";
import { importedKind, KIND_NAMES } from "./kinds";
import { inOrder } from "./order";
import { type Source, titleOf } from "./source";

/** What there is of a kind, by its id. */
export interface Thing {
  readonly source: Source;
  readonly kind: string;
  /** Without the name of a connection. */
  readonly id: string;
}

/** A thing as a program declares it. */
export interface Found extends Thing {
  /** The smallest that declare it. */
  readonly inputs: JsonObject;
  /** As a refresh would record it. */
  readonly state: JsonObject;
}

/** What is not imported, and why. */
export interface LeftOut {
  readonly source: Source;
  readonly kind: string;
  /** Absent where it is about all of a kind. */
  readonly id?: string;
  readonly why: string;
}

export interface Inventory<T extends Thing> {
  found: T[];
  leftOut: LeftOut[];
}

/** Which things are meant. */
export interface Selection {
  /** Names of kinds; `undefined` for those that are imported by default. */
  kinds: readonly string[] | undefined;
  isMeant(thing: Thing): boolean;
}

/** Seconds that reading an account may take: no request waits for longer than its own time limit. */
const LONGEST = 86_400;

/** How many things are read at a time. How many requests that is, and how fast, is for the clients to say. */
const AT_ONCE = 32;

/** What is known while a source is read. */
export const runOn = ({ context }: Source): Run => {
  const deadline = new Deadline(LONGEST, "timeouts.read");
  deadline.release();
  return { context, deadline, isImported: true };
};

/** The ids of all that there is, in the order of {@link KIND_NAMES}. */
export async function listed(
  sources: readonly Source[],
  selection: Selection,
  onListed: (done: number) => void = () => {},
): Promise<Inventory<Thing>> {
  const inventory: Inventory<Thing> = { found: [], leftOut: [] };
  const seen = new Map<string, Source>();
  for (const [index, source] of sources.entries()) {
    onListed(index);
    const location = await source.location();
    const same = location === undefined ? undefined : seen.get(location);
    if (same === undefined) await listSource(source, selection, inventory);
    else inventory.leftOut.push({ source, kind: "", why: `it is the same as ${titleOf(same)}` });
    if (location !== undefined && same === undefined) seen.set(location, source);
  }
  onListed(sources.length);
  return inventory;
}

async function listSource(source: Source, { kinds, isMeant }: Selection, all: Inventory<Thing>): Promise<void> {
  const users = new Set(all.found.flatMap(({ kind, id }) => (kind === "ManagerUser" ? [id.toLowerCase()] : [])));
  // Several managers of an account have its users.
  const isNew = ({ kind, id }: Thing) => kind !== "ManagerUser" || !users.has(id.toLowerCase());
  for (const kind of KIND_NAMES) {
    const isWanted = kinds?.includes(kind) ?? importedKind(kind).leftOut === undefined;
    const { service, list } = lifecycleOf(kind);
    if (!isWanted || service !== source.service || list === undefined) continue;
    try {
      const ids = await list(runOn(source));
      const things = ids.sort(byId).map((id) => ({ source, kind, id }));
      all.found.push(...things.filter((thing) => isNew(thing) && isMeant(thing)));
    } catch (error) {
      const why = reasonOf(error, kind, source);
      all.leftOut.push({ source, kind: why.isOfAll ? "" : kind, why: why.words });
      if (!why.isOfAll) continue;
      // What is there of itself was listed without a request.
      all.found = all.found.filter((thing) => thing.source !== source);
      return;
    }
  }
}

/** Why a kind, or all of a source, is left out: what costs money, and a service that is configured, must not be missed. */
function reasonOf(error: unknown, kind: string, { isConfigured }: Source): { words: string; isOfAll: boolean } {
  const isMissing = error instanceof ConnectionError;
  if (isMissing && !isConfigured) {
    return { words: "no Proxy Manager answers there, and none is configured", isOfAll: true };
  }
  if (!(error instanceof Error) || isMissing || kind === "Zone" || kind === "ProxyPort") throw error;
  return { words: error.message, isOfAll: false };
}

const byId = (left: string, right: string): number =>
  /^\d+$/.test(left) && /^\d+$/.test(right)
    ? Number(left) - Number(right)
    : Number(left > right) - Number(left < right);

/** @param onRead told how many of the things are read */
export async function described(things: readonly Thing[], onRead: (done: number) => void): Promise<Inventory<Found>> {
  const all = new Map<Thing, Found | string | undefined>();
  await forEach(things, AT_ONCE, async (thing) => {
    all.set(thing, await describedThing(thing));
    onRead(all.size);
  });
  const inventory: Inventory<Found> = { found: [], leftOut: [] };
  for (const thing of things) {
    const found = all.get(thing);
    if (typeof found === "string") inventory.leftOut.push({ ...thing, why: found });
    else if (found !== undefined) inventory.found.push(found);
  }
  return inventory;
}

/** What a program declares of a thing; why it cannot, in words, where it cannot; `undefined` where it needs not. */
async function describedThing(thing: Thing): Promise<Found | string | undefined> {
  const { kind, id, source } = thing;
  const { describe, read, secrets = [] } = lifecycleOf(kind);
  const { declaration, trim } = importedKind(kind);
  const live = await read?.(id, undefined, runOn(source), {});
  if (live === undefined || describe === undefined) return "it is gone meanwhile";
  const known = secrets.flatMap(([name = "", ...deeper]) => {
    const isKnown = deeper.length === 0 && declaration.inputs[name]?.writeOnly === undefined;
    return isKnown && name in declaration.inputs && !isEmpty(live[name]) ? [[name, live[name]] as const] : [];
  });
  const inputs = { ...describe(live), ...Object.fromEntries(known) };
  const trimmed = trim === undefined ? inputs : trim(inputs);
  return trimmed && settled(thing, trimmed);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);

/**
 * A thing with the state that a refresh would record for these inputs.
 *
 * @returns why no program can declare it so, in words, where none can
 */
export async function settled(thing: Thing, given: JsonObject): Promise<Found | string> {
  const { source, kind, id } = thing;
  const lifecycle = lifecycleOf(kind);
  const { declaration } = importedKind(kind);
  const inputs = inOrder(declaration, given);
  const { failures, inputs: checked } = lifecycle.check(inputs, undefined);
  if (failures.length > 0) return failures.join(" ");
  const state = await lifecycle.read?.(id, checked, runOn(source), checked);
  if (state === undefined) return "it is gone meanwhile";
  const { changed } = lifecycle.diff(state, new Set(leafPaths(checked)), checked);
  if (changed.length > 0) return `it would differ from itself in ${changed.join(", ")}`;
  return { ...thing, inputs: withConnection(inputs, source, declaration), state };
}

/** Inputs with the connection, before those that are about how they are managed. */
function withConnection(inputs: JsonObject, { service, name }: Source, declaration: Kind): JsonObject {
  return name === undefined ? inputs : inOrder(declaration, { ...inputs, [CONNECTION[service]]: name });
}

export function lifecycleOf(kind: string): Lifecycle {
  const { [kind]: lifecycle } = LIFECYCLES;
  if (lifecycle === undefined) throw new TypeError(`There is no kind ${kind}.`);
  return lifecycle;
}

/** In words: `zone web`, where a person looks for it. */
export const thingTitle = ({ source, kind, id }: Thing): string => `${kind} ${id} (${titleOf(source)})`;
