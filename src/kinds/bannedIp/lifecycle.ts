import { ArgumentError, BrightDataError, NotFoundError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { bannableIp } from "../../declaration/formats";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { begunBefore, leftBehind } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { type Declared, PartialFailure, type Run, UNKNOWN } from "../../lifecycle/lifecycle";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { Ban } from "../../model/ban";
import { isPortGone } from "../proxyPort/gone";
import { banThing, portThing } from "../shared/things";
import { bannedIp } from "./declaration";

type Inputs = InputsOf<typeof bannedIp>;
type State = StateOf<typeof bannedIp>;

export const bannedIpLifecycle = lifecycle(bannedIp, {
  resumes: true,

  complete(inputs) {
    const ip = typeof inputs.ip === "string" ? bannableIp(inputs.ip) : undefined;
    return ip === undefined ? inputs : { ...inputs, ip };
  },

  judge({ changed, replaces }, { missingOn, expired }, _declared, { renew }) {
    const isDue = Array.isArray(missingOn) || (expired === true && renew === true);
    return {
      changed: isDue && !changed.includes("ports") ? [...changed, "ports"] : changed,
      replaces,
      // Beside a ban of every host the manager takes none for one host, and lifting the former would leave none.
      deleteBeforeReplace: true,
    };
  },

  holds(id, state) {
    const ban = id ?? certainId(state);
    return ban === undefined ? [] : (portsIn(state) ?? []).map((port) => banThing(ban, port));
  },

  // A port that is made anew has no bans.
  standsOn: (state) => (portsIn(state) ?? []).map(portThing),

  without(state, others) {
    const { port: _port, ...rest } = state;
    const id = idOf(wantedIn(state));
    return { ...rest, ports: (portsIn(state) ?? []).filter((port) => !others.has(banThing(id, port))) };
  },

  async create(inputs, run) {
    const wanted = wantedIn(inputs);
    const id = idOf(wanted);
    const ports = portsIn(inputs) ?? (await everyPort(run));
    const state = await noting(id, notedOn(id, run), ports, run, () => ensure(ports, wanted, inputs, run, () => true));
    return { id, state };
  },

  async read(id, inputs, run, state) {
    const wanted = inputs === undefined ? wantedById(id) : wantedIn(inputs);
    const ports = portsIn(state) ?? (await everyPort(run));
    const lists = await Promise.all(ports.map((port) => listed(port, run)));
    const bans = new Map(ports.map((port, index) => [port, find(lists[index] ?? [], wanted)]));
    const isInForce = (port: number) => {
      const ban = bans.get(port);
      return ban !== undefined && (inputs === undefined || isAsDeclared(ban, wanted));
    };
    const { ip, domain } = wanted;
    const found = { ...inputs, ip, ...(domain === undefined ? {} : { domain }) };
    const inForce = ports.filter(isInForce);
    if (inForce.length === 0 && isPast(state.until)) return { ...found, ports, until: state.until, expired: true };
    // One with another end is there all the same.
    if ([...bans.values()].every((ban) => ban === undefined)) return undefined;
    const ends = ending(inForce.map((port) => bans.get(port)));
    if (inputs === undefined) return { ...found, ports: inForce, ...ends };
    // Where the program names no ports, a port that is gone is no place where the ban is missing.
    const meant = portsIn(inputs) ?? ports.filter((_, index) => lists[index] !== undefined);
    return { ...found, ports: meant, ...ends, ...missing(meant.filter((port) => !isInForce(port))) };
  },

  async update(id, state, declared, inputs, run) {
    const wanted = wantedIn(inputs);
    const own = portsIn(state) ?? [];
    const noted = notedOn(id, run);
    const ports =
      portsIn(inputs) ?? (namesPorts(declared) || own.length === 0 ? await everyPort(run) : await remaining(own, run));
    const isOver = isPast(state.until);
    const beginsAgain = wanted.ms !== state.durationMs || (isOver && inputs.renew === true);
    // Where an update has failed, or was cut short, a ban may have another end.
    const unsure = [...noted, ...(state.missingOn ?? [])];
    return noting(id, union(own, noted), ports, run, async () => {
      if (isOver && !beginsAgain) return { ...inputs, ports, until: state.until, expired: true };
      return ensure(ports, wanted, inputs, run, (port) => beginsAgain || unsure.includes(port));
    });
  },

  async delete(id, state, run) {
    const wanted = wantedById(id);
    for (const port of union(portsIn(state) ?? [], notedOn(id, run))) await lift(port, wanted, run);
  },

  async list(run) {
    const ports = await run.context.manager.bans.everyPort({ signal: run.deadline.signal });
    const bans = await Promise.all(ports.map((port) => listed(port, run)));
    // A ban that ends by itself is not for a program to declare.
    const lasting = bans.flatMap((found) => found ?? []).filter(({ until }) => until === undefined);
    return [...new Set(lasting.map(idOf))];
  },
});

/** What is banned, on whatever port. Without milliseconds it has no end. */
interface Wanted {
  ip: string;
  domain?: string;
  ms?: number;
}

const wantedIn = ({ ip, domain, durationMs }: Inputs): Wanted => ({
  ip: bannableIp(ip) ?? ip,
  ...(domain === undefined ? {} : { domain }),
  ...(durationMs === undefined ? {} : { ms: durationMs }),
});

const idOf = ({ ip, domain }: Pick<Ban, "ip" | "domain">): string => (domain === undefined ? ip : `${ip}/${domain}`);

/** The id that inputs, of which some may not be known yet, are certain to give. */
function certainId({ ip, domain }: JsonObject): string | undefined {
  if (typeof ip !== "string" || domain === UNKNOWN) return undefined;
  return idOf(typeof domain === "string" ? wantedIn({ ip, domain }) : wantedIn({ ip }));
}

function wantedById(id: string): Wanted {
  const [first = "", domain, ...rest] = id.split("/");
  const ip = bannableIp(first);
  if (ip === undefined || domain === "" || rest.length > 0) {
    throw new ArgumentError(
      `${JSON.stringify(id)} is not the id of a banned IP: expected the IP, with the host where the ban is for one, such as "203.0.113.7" or "203.0.113.7/example.com".`,
    );
  }
  return domain === undefined ? { ip } : { ip, domain };
}

/** The ports that inputs name, `undefined` for every port; or those of a state, which has them always but after an import. */
function portsIn({ port, ports }: { port?: unknown; ports?: unknown }): number[] | undefined {
  if (typeof port === "number") return [port];
  if (!Array.isArray(ports)) return undefined;
  return [...new Set(ports.filter((each) => typeof each === "number"))].sort((a, b) => a - b);
}

const namesPorts = (declared: Declared): boolean => declared.has("port") || declared.has("ports");

const union = (ports: readonly number[], others: readonly number[]): number[] => [...new Set([...ports, ...others])];

/** The ports that an update which was cut short was about, but for those where the ban is another resource's by now. */
function notedOn(id: string, run: Run): number[] {
  const { ports } = begunBefore(run, ({ ban }) => ban === id)?.facts ?? {};
  const isAnothers = (port: number) => run.context.claims.isAnothers(banThing(id, port), run.me);
  return (portsIn({ ports }) ?? []).filter((port) => !isAnothers(port));
}

/**
 * Lifts a ban on the ports that are not meant any more, and does the rest. What it is about is noted until a state tells of it.
 *
 * @param before the ports that may have the ban
 * @param task fails with anything but a {@link PartialFailure} only when it has changed nothing
 */
async function noting<T>(
  id: string,
  before: readonly number[],
  ports: readonly number[],
  run: Run,
  task: () => Promise<T>,
): Promise<T> {
  const left = before.filter((port) => !ports.includes(port));
  const noted = union(before, ports);
  const made = `a ban of ${id} on ${noted.length === 1 ? "port" : "ports"} ${noted.join(", ")}`;
  run.journal?.begin({ ban: id, ports: noted }, leftBehind(made, "If it is there, lift it with a PortIpUnban."));
  try {
    for (const port of left) await lift(port, wantedById(id), run);
    return await task();
  } catch (error) {
    if (left.length === 0 && !(error instanceof PartialFailure)) run.journal?.takeBack();
    throw error;
  }
}

async function everyPort(run: Run): Promise<number[]> {
  const ports = await run.context.manager.bans.everyPort({ signal: run.deadline.signal });
  if (ports.length > 0) return ports;
  throw new ArgumentError(
    "The Proxy Manager has no ports yet that an IP could be banned on. Declare one, and let this resource depend on it.",
  );
}

/** The bans of a port, shared by all that ask at the same time; `undefined` when there certainly is no such port. */
const listed = (port: number, run: Run): Promise<Ban[] | undefined> =>
  unlessGone(port, run, run.deadline.signal, () => run.context.bans(port).get(run.deadline.signal));

/** The bans of a port as they are now; `undefined` when there certainly is no such port. */
function listedNow(port: number, run: Run): Promise<Ban[] | undefined> {
  const signal = settleSignal();
  return unlessGone(port, run, signal, () => run.context.manager.bans.list(port, { signal }));
}

async function unlessGone<T>(
  port: number,
  run: Run,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NotFoundError) || !(await isPortGone(port, run, signal))) throw error;
    return undefined;
  }
}

async function remaining(ports: readonly number[], run: Run): Promise<number[]> {
  const lists = await Promise.all(ports.map((port) => listed(port, run)));
  return ports.filter((_, index) => lists[index] !== undefined);
}

const isExact = (ban: Ban, { ip, domain }: Wanted): boolean => ban.ip === ip && ban.domain === domain;

/** The ban, or one without end for every host: beside such a one the manager takes none for a single host. */
const find = (bans: readonly Ban[], wanted: Wanted): Ban | undefined =>
  bans.find((ban) => isExact(ban, wanted)) ??
  bans.find(({ ip, domain, until }) => ip === wanted.ip && domain === undefined && until === undefined);

/** Whether a ban that was found ends, or does not, as declared. */
const isAsDeclared = (ban: Ban, wanted: Wanted): boolean =>
  !isExact(ban, wanted) || (ban.until === undefined) === (wanted.ms === undefined);

/** By how much the clock of the manager's machine may differ from this one's. */
const CLOCKS_MS = 300_000;

/** Whether a ban that was found ends as one does that was asked for at a moment. */
const endsAsAsked = (ban: Ban, wanted: Wanted, began: number): boolean =>
  isAsDeclared(ban, wanted) &&
  (ban.until === undefined ||
    wanted.ms === undefined ||
    Math.abs(Date.parse(ban.until) - began - wanted.ms) <= CLOCKS_MS);

const isPast = (until: unknown): boolean => typeof until === "string" && Date.parse(until) <= Date.now();

/** The latest of the moments at which bans end. */
function ending(bans: readonly (Ban | undefined)[]): { until?: string } {
  const until = bans
    .flatMap((ban) => ban?.until ?? [])
    .sort()
    .at(-1);
  return until === undefined ? {} : { until };
}

const missing = (ports: number[]): Pick<State, "missingOn"> => (ports.length === 0 ? {} : { missingOn: ports });

/**
 * Sees to it that ports have a ban as declared.
 *
 * @param isAgain whether a ban with an end that is there begins again on a port
 * @throws {PartialFailure} when some may have it
 */
async function ensure(
  ports: number[],
  wanted: Wanted,
  inputs: Inputs,
  run: Run,
  isAgain: (port: number) => boolean,
): Promise<State> {
  const { bans } = run.context.manager;
  // All are asked before the first is changed: a port that does not exist is noticed in time.
  const lists = await Promise.all(ports.map((port) => bans.list(port, { signal: run.deadline.signal })));
  const state = { ...inputs, ip: wanted.ip, ports };
  const done: Ban[] = [];
  for (const [index, port] of ports.entries()) {
    const kept = (cause: unknown) =>
      new PartialFailure(idOf(wanted), { ...state, ...ending(done), ...missing(ports.slice(index)) }, cause);
    try {
      done.push(await ensureOn(port, lists[index] as Ban[], wanted, run, isAgain(port), kept));
    } catch (error) {
      throw index === 0 || error instanceof PartialFailure ? error : kept(error);
    } finally {
      run.context.bans(port).forget();
    }
  }
  return { ...state, ...ending(done) };
}

/** @param unsure what is thrown when the port may have the ban, or has lost the one of before */
async function ensureOn(
  port: number,
  bans: Ban[],
  wanted: Wanted,
  run: Run,
  again: boolean,
  unsure: (cause: unknown) => PartialFailure,
): Promise<Ban> {
  const there = find(bans, wanted);
  if (there !== undefined && isAsDeclared(there, wanted) && !(again && there.until !== undefined)) return there;
  // A ban that is there keeps its end, whatever another says.
  if (there !== undefined) await lift(port, wanted, run);
  const refused = (cause: unknown) => (there === undefined ? cause : unsure(cause));
  const began = Date.now();
  let lost: unknown;
  try {
    await run.context.manager.bans.add(port, wanted, { signal: run.deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw refused(error);
    lost = error;
  }
  const now = await listedNow(port, run).catch((error: unknown) => {
    throw unsure(lost ?? error);
  });
  const found = find(now ?? [], wanted);
  if (found !== undefined && endsAsAsked(found, wanted, began)) return found;
  if (lost !== undefined) throw unsure(lost);
  if (found !== undefined) throw unsure(otherEnd(port, wanted));
  const end = began + (wanted.ms ?? Number.POSITIVE_INFINITY);
  if (end <= Date.now()) return { ip: wanted.ip, until: new Date(end).toISOString() };
  throw refused(notListed(port, now ?? [], wanted));
}

function notListed(port: number, bans: readonly Ban[], { ip, domain }: Wanted): BrightDataError {
  if (domain !== undefined && bans.some((ban) => ban.ip === ip && ban.domain === undefined)) {
    return new ArgumentError(
      `${ip} is banned on port ${port} for every host, for a while; beside that the manager takes no ban for ${domain} alone. Lift it (a PortIpUnban), or wait until it has run out.`,
    );
  }
  return new BrightDataError(
    `The Proxy Manager accepted the ban of ${ip}${domain === undefined ? "" : ` for ${domain}`} on port ${port}, and does not list it.`,
  );
}

const otherEnd = (port: number, { ip }: Wanted): BrightDataError =>
  new BrightDataError(
    `The Proxy Manager accepted the ban of ${ip} on port ${port}, and lists one with another end: somebody else may have made it at the same time, or the clocks of the machines differ. The next \`pulumi up\` makes it as declared.`,
  );

/** Lifts a ban; one that is certainly not there is no error. */
async function lift(port: number, wanted: Wanted, run: Run): Promise<void> {
  const { ip, domain } = wanted;
  const isThere = (bans: readonly Ban[] | undefined) => bans?.some((ban) => isExact(ban, wanted)) ?? false;
  let left: Ban[] | undefined;
  let failed: unknown;
  try {
    left = await run.context.manager.bans.remove(port, { ip, domain }, { signal: run.deadline.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError) && !isUnsettled(error, run)) throw error;
    failed = error;
    left = await listedNow(port, run);
  } finally {
    run.context.bans(port).forget();
  }
  if (!isThere(left)) return;
  throw (
    failed ?? new BrightDataError(`The Proxy Manager was to lift the ban of ${ip} on port ${port}, and still lists it.`)
  );
}
