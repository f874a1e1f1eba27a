import { messageOf } from "../base/cause";
import { PermissionError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { meant } from "../base/nearest";
import { once } from "../base/once";
import type { Service } from "../declaration/connection";
import type { Account } from "../lifecycle/account";
import type { Context } from "../lifecycle/context";
import { namesIn } from "../remote/zoneList";
import { named } from "./decisions";

/** A resource that a preview looks ahead for. */
export interface Planned {
  kind: string;
  service: Service;
  inputs: JsonObject;
  /** What its creation is to make, such as `zone web`; nothing where it is there. */
  made: readonly string[];
}

/** What a service has, or why it does not say; neither where it may not. */
interface ServiceReading {
  names?: readonly string[];
  problem?: string;
}

/** How long a preview waits for a service. */
const MOST_SECONDS = 10;

/** What a program says of a preview that is to read from the services. */
export interface PreviewNotice {
  /** Whether the zone that a resource names comes from a resource of the program. */
  zoneIsDeclared?: unknown;
}

/** What the previews of one run look ahead for: each list is read once. */
export class Foresight {
  /** The names of the zones that the program has declared before, by their accounts. */
  readonly #declaredZones = new Map<Account, Set<string>>();
  readonly #zoneLists = new Map<Account, Promise<ServiceReading>>();
  readonly #portLists = new Map<Context, Promise<ServiceReading>>();
  readonly #managerZoneLists = new Map<Context, Promise<ServiceReading>>();
  readonly #cancelled: AbortSignal;

  /** @param cancelled aborted when the run is */
  constructor(cancelled: AbortSignal) {
    this.#cancelled = cancelled;
  }

  /**
   * Tells what an update would fail for, as far as a list of each service tells, which all resources share. It only reads, and it
   * never fails.
   *
   * @returns warnings, of which others may say the same
   */
  async foresee(preview: PreviewNotice, planned: Planned, context: Context): Promise<string[]> {
    const { kind, inputs } = planned;
    const zonesOf = (account: Account) => once(this.#declaredZones, account, () => new Set<string>());
    if (kind === "Zone" && typeof inputs.name === "string") zonesOf(context.account).add(inputs.name);
    // Other processes of the run tell what they are told of.
    const isClaimed = ({ scope }: Account, name: string) =>
      scope.claims.whoHas(`${LISTED.remote} ${name}`) !== undefined;
    const isDeclared = (name: string) =>
      accountsOf(planned, context).some((account) => zonesOf(account).has(name) || isClaimed(account, name));
    const zones = zonesToFind(preview, inputs).filter((name) => !isDeclared(name));
    return this.#warnings(zones, planned, context);
  }

  async #warnings(zones: string[], planned: Planned, context: Context): Promise<string[]> {
    const { service, made, kind } = planned;
    const own = await (service === "remote" ? this.#zonesOf(context.account) : this.#portsOf(context));
    const taken = made.filter((thing) => (own.names ?? []).some((name) => thing === `${LISTED[service]} ${name}`));
    const missing = await Promise.all(zones.map((zone) => this.#missingZone(zone, service, context)));
    return [
      ...(own.problem === undefined ? [] : [own.problem]),
      ...(taken.length === 0 ? [] : [isTaken(taken)]),
      ...missing.filter((words) => words !== undefined).map((words) => `${kind}: ${words}`),
    ];
  }

  /** That there is no such zone, in words; `undefined` where there is, or where nobody can tell. */
  async #missingZone(zone: string, service: Service, context: Context): Promise<string | undefined> {
    const readings = await Promise.all(accountsOf({ service }, context).map((account) => this.#zonesOf(account)));
    const lists = readings.map(({ names }) => names);
    const names = lists.flatMap((list) => list ?? []);
    if (names.includes(zone)) return undefined;
    // While it is logged out, a manager knows none.
    const known = service === "remote" ? [] : ((await this.#managerZonesOf(context)).names ?? []);
    if (known.includes(zone) || (known.length === 0 && lists.includes(undefined))) return undefined;
    const near = meant(zone, [...names, ...known]);
    const guess = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
    return `there is no zone ${JSON.stringify(zone)}, and the program has not declared one of that name before.${guess}`;
  }

  #zonesOf(account: Account): Promise<ServiceReading> {
    return once(this.#zoneLists, account, async () => {
      if (!account.hasToken) return {};
      // A token may be allowed to make zones, but not to list them.
      return this.#read(account.title, [PermissionError], async (signal) =>
        namesIn(await account.client.zones.listAll({ signal })),
      );
    });
  }

  #portsOf(context: Context): Promise<ServiceReading> {
    const { url, ports } = context.manager;
    const ask = async (signal: AbortSignal) => (await ports.list({ signal })).map(({ port }) => String(port));
    return once(this.#portLists, context, () => this.#read(url, [], ask));
  }

  #managerZonesOf(context: Context): Promise<ServiceReading> {
    const { url, zones } = context.manager;
    const ask = async (signal: AbortSignal) => (await zones.list({ signal })).map(({ name }) => name);
    // One that has not answered is not waited for again.
    return once(this.#managerZoneLists, context, async () =>
      (await this.#portsOf(context)).problem === undefined ? this.#read(url, [], ask) : {},
    );
  }

  /** @param silent errors that say nothing of an update */
  async #read(
    title: string,
    silent: readonly (new (...args: never[]) => Error)[],
    ask: (signal: AbortSignal) => Promise<string[]>,
  ): Promise<ServiceReading> {
    const timeout = AbortSignal.timeout(MOST_SECONDS * 1000);
    try {
      return { names: await ask(AbortSignal.any([timeout, this.#cancelled])) };
    } catch (error) {
      if (this.#cancelled.aborted || silent.some((type) => error instanceof type)) return {};
      if (timeout.aborted) return { problem: `${title} has not answered within ${MOST_SECONDS} s.` };
      return { problem: messageOf(error) };
    }
  }
}

/** The accounts whose zones a resource can name. */
const accountsOf = ({ service }: Pick<Planned, "service">, { accounts }: Context): readonly Account[] =>
  service === "remote" ? [accounts[0]] : accounts;

/** What the lists that are read are lists of. */
const LISTED = { remote: "zone", manager: "port" } as const;

function isTaken(things: readonly string[]): string {
  const [verb, it] = things.length === 1 ? ["exists", "it"] : ["exist", "them"];
  return `${named(things)} ${verb} already, so the creation will fail. Set \`adopt: true\` to take ${it} over, or choose another name or number.`;
}

/** The zones that inputs name and that come from nothing that is yet to be created. */
function zonesToFind({ zoneIsDeclared }: PreviewNotice, { zone, defaults, ports }: JsonObject): string[] {
  if (zoneIsDeclared !== false) return [];
  const holders = [{ zone }, defaults, ...(isObject(ports) ? Object.values(ports) : [])];
  const named = holders.flatMap((holder) => (isObject(holder) && typeof holder.zone === "string" ? [holder.zone] : []));
  return [...new Set(named)];
}
