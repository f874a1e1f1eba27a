import type { JsonObject } from "../../base/json";
import { CONNECTION } from "../../declaration/connection";
import type { Kind } from "../../declaration/kind";
import { leafPaths } from "../../lifecycle/paths";
import { forEach } from "../../lifecycle/pool";
import { type LeftOut, lifecycleOf, runOn, type Thing } from "../account/inventory";
import { importedKind } from "../account/kinds";
import type { Source } from "../account/source";
import { inOrder } from "./order";

/** A thing as a program declares it. */
export interface Described extends Thing {
  /** The smallest that declare it. */
  readonly inputs: JsonObject;
  /** As a refresh would record it. */
  readonly state: JsonObject;
}

interface DescribedThings {
  readonly found: Described[];
  readonly leftOut: (Thing & LeftOut)[];
}

/** How many things are read at a time. How many requests that is, and how fast, is for the clients to say. */
const AT_ONCE = 32;

/** @param onRead told how many of the things are read */
export async function described(things: readonly Thing[], onRead: (done: number) => void): Promise<DescribedThings> {
  const all = new Map<Thing, Described | string | undefined>();
  await forEach(things, AT_ONCE, async (thing) => {
    all.set(thing, await describedThing(thing));
    onRead(all.size);
  });
  const inventory: DescribedThings = { found: [], leftOut: [] };
  for (const thing of things) {
    const found = all.get(thing);
    if (typeof found === "string") inventory.leftOut.push({ ...thing, why: found });
    else if (found !== undefined) inventory.found.push(found);
  }
  return inventory;
}

/** What a program declares of a thing; why it cannot, in words, where it cannot; `undefined` where it needs not. */
async function describedThing(thing: Thing): Promise<Described | string | undefined> {
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
  const { context, deadline } = runOn(source);
  const trimmed =
    trim === undefined ? inputs : await trim(inputs, () => context.manager.bans.everyPort({ signal: deadline.signal }));
  return trimmed && settled(thing, trimmed);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);

/**
 * A thing with the state that a refresh would record for these inputs.
 *
 * @returns why no program can declare it so, in words, where none can
 */
export async function settled(thing: Thing, given: JsonObject): Promise<Described | string> {
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
