import { BrightDataError, ConnectionError } from "../../base/errors";
import { LIFECYCLES } from "../../generated/lifecycles";
import { Deadline } from "../../lifecycle/deadline";
import type { Lifecycle, Step } from "../../lifecycle/lifecycle";
import { importedKind, KIND_NAMES } from "./kinds";
import { type Source, titleOf } from "./source";

export interface Thing {
  readonly source: Source;
  readonly kind: string;
  /** Without the name of a connection. */
  readonly id: string;
  /** Further sources that have this very thing. */
  readonly also?: readonly Source[];
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

/** Stands for all kinds of a source that does not answer as it should. */
export const EVERYTHING = "everything";

export interface Selection {
  /** Names of kinds; `undefined` for those that are imported by default. */
  kinds: readonly string[] | undefined;
  isMeant(thing: Thing): boolean;
  /** Whether an account that cannot be read is left out, too, instead of failing all. */
  mayLackAccounts?: true;
}

/** Whether a thing is, or belongs to, one of the zones that are asked for, by its id: the zone of a port is not in it. */
export const mayBeOf = ({ kind, id }: Thing, zones: RegExp | undefined): boolean =>
  zones === undefined || kind === "ProxyPort" || (/^Zone/.test(kind) && zones.test(id.split("/")[0] ?? ""));

/** Seconds that reading an account may take: no request waits for longer than its own time limit. */
const LONGEST = 86_400;

/** What is known while a source is read. */
export const runOn = ({ context }: Source): Step => {
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
  const users: Users = new Map();
  for (const [index, source] of sources.entries()) {
    onListed(index);
    const location = await source.location();
    const same = location === undefined ? undefined : seen.get(location);
    if (same === undefined) await listSource(source, selection, inventory, users);
    else inventory.leftOut.push({ source, kind: "", why: `it is the same as ${titleOf(same)}` });
    if (location !== undefined && same === undefined) seen.set(location, source);
  }
  onListed(sources.length);
  return inventory;
}

/** By account and address. */
type Users = Map<string, Thing & { readonly also: Source[] }>;

async function listSource(source: Source, selection: Selection, all: Inventory<Thing>, users: Users): Promise<void> {
  const { kinds, isMeant, mayLackAccounts = false } = selection;
  for (const kind of KIND_NAMES) {
    const isWanted = kinds?.includes(kind) ?? importedKind(kind).leftOut === undefined;
    const { service, list } = lifecycleOf(kind);
    if (!isWanted || service !== source.service || list === undefined) continue;
    try {
      const ids = await list(runOn(source));
      const things = ids.sort(byId).map((id) => ({ source, kind, id }));
      const meant = things.filter(isMeant);
      all.found.push(...(kind === "ManagerUser" ? await newUsers(meant, all, users) : meant));
    } catch (error) {
      const why = reasonOf(error, kind, source, mayLackAccounts && error instanceof BrightDataError);
      all.leftOut.push({ source, ...why });
      if (why.kind === kind) continue;
      // What is there of itself was listed without a request.
      all.found = all.found.filter((thing) => thing.source !== source);
      return;
    }
  }
}

/** Several managers of an account have its users: those that none before has. */
async function newUsers(things: readonly Thing[], { found }: Inventory<Thing>, users: Users): Promise<Thing[]> {
  const fresh: Thing[] = [];
  for (const { source, kind, id } of things) {
    const { customer } = await source.context.manager.settings.get();
    const key = `${customer} ${id.toLowerCase()}`;
    const known = users.get(key);
    if (known !== undefined && found.includes(known)) known.also.push(source);
    else {
      const user = { source, kind, id, also: [] };
      users.set(key, user);
      fresh.push(user);
    }
  }
  return fresh;
}

/**
 * Why a kind, or all of a source, is left out. One manager of many does not keep back the others.
 *
 * @throws for an account, unless it may be missed: it costs money
 */
function reasonOf(error: unknown, kind: string, { isConfigured, service }: Source, mayMiss: boolean) {
  const isMissing = error instanceof ConnectionError;
  if (isMissing && !isConfigured) return { why: "no Proxy Manager answers there, and none is configured", kind: "" };
  const isOfAll = isMissing || kind === "Zone" || kind === "ProxyPort";
  if (!(error instanceof Error) || (isOfAll && service === "remote" && !mayMiss)) throw error;
  return { why: error.message, kind: isOfAll ? EVERYTHING : kind };
}

const byId = (left: string, right: string): number =>
  /^\d+$/.test(left) && /^\d+$/.test(right)
    ? Number(left) - Number(right)
    : Number(left > right) - Number(left < right);

export function lifecycleOf(kind: string): Lifecycle {
  const { [kind]: lifecycle } = LIFECYCLES;
  if (lifecycle === undefined) throw new TypeError(`There is no kind ${kind}.`);
  return lifecycle;
}

/** In words: `zone web`, where a person looks for it. */
export const thingTitle = ({ source, kind, id }: Thing): string => `${kind} ${id} (${titleOf(source)})`;
