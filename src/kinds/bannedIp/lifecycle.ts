import { z } from "zod";
import { sameJson } from "../../declaration/values";
import { ArgumentError, BrightDataError, NotFoundError } from "../../errors";
import type { JsonObject } from "../../json";
import { type Declared, type Lifecycle, PartialFailure, type Run, UNKNOWN } from "../../lifecycle/lifecycle";
import {
  booleanSchema,
  type Checks,
  failuresOf,
  inputNames,
  type Rule,
  timeoutsSchema,
} from "../../lifecycle/oldCheck";
import { type Comparison, difference } from "../../lifecycle/oldDiff";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { Ban } from "../../manager/bans";
import { isPortGone } from "../proxyPort/gone";
import { bannableIp, bannableSchema, domainSchema, portSchema } from "./bannable";

// The manager counts with a timer, and one that is set for longer runs out at once.
const LONGEST_MS = 2 ** 31 - 1;
const DURATION = `expected whole milliseconds from 1 to ${LONGEST_MS} (nearly 25 days: beyond that the manager lifts a ban at once). Leave it out for a ban without end.`;

const rules: readonly Rule[] = [
  {
    reads: ["port", "ports"],
    failure: ({ port, ports }) =>
      port !== undefined && ports !== undefined
        ? "`port` and `ports` exclude each other: give one, or neither for every port."
        : undefined,
  },
  {
    reads: ["renew", "durationMs"],
    failure: ({ renew, durationMs }) =>
      renew === true && durationMs === undefined
        ? "`renew` is true without `durationMs`: a ban without end never runs out. Leave it out."
        : undefined,
  },
];

const checks: Checks = {
  schema: z.strictObject({
    ip: bannableSchema,
    domain: domainSchema.optional(),
    port: portSchema.optional(),
    ports: z
      .array(portSchema, "expected a list of port numbers.")
      .min(1, "expected one or more ports; leave it out for every port.")
      .optional(),
    durationMs: z.number(DURATION).int(DURATION).min(1, DURATION).max(LONGEST_MS, DURATION).optional(),
    renew: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["ip", "domain", "port", "ports", "durationMs", "renew", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
};

const comparison: Comparison = {
  same(path, left, right) {
    if (path === "ip") return bannableIp(String(left)) === bannableIp(String(right));
    if (path === "ports" && Array.isArray(left) && Array.isArray(right)) return sameJson(ordered(left), ordered(right));
    return sameJson(left, right);
  },
  replaces: (path) => path === "ip" || path === "domain",
};

/** An IP that proxy ports do not use. */
export const bannedIp = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),

  check(inputs) {
    const failures = failuresOf(inputs, checks);
    const ip = typeof inputs.ip === "string" ? bannableIp(inputs.ip) : undefined;
    return { inputs: ip === undefined ? inputs : { ...inputs, ip }, failures };
  },

  diff(state, declared, inputs) {
    const { changed, replaces } = difference(state, declared, inputs, comparison);
    const isDue = Array.isArray(state.missingOn) || (state.expired === true && inputs.renew === true);
    if (isDue && !changed.includes("ports")) changed.push("ports");
    // Beside a ban of every host the manager takes none for one host, and lifting the former would leave none.
    return { changed, replaces, deleteBeforeReplace: true };
  },

  holds(id, state) {
    const { ip, domain } = state;
    if (id === undefined && (typeof ip !== "string" || domain === UNKNOWN)) return [];
    return (portsIn(state) ?? []).map((port) => banOn(port, id ?? idOf(wantedIn(state))));
  },

  without(state, others) {
    const { port: _port, ...rest } = state;
    const id = idOf(wantedIn(state));
    return { ...rest, ports: portsIn(state)?.filter((port) => !others.has(banOn(port, id))) };
  },

  async create(inputs, run) {
    const wanted = wantedIn(inputs);
    const ports = portsIn(inputs) ?? (await everyPort(run));
    return { id: idOf(wanted), state: await enforce(ports, wanted, inputs, run, true) };
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
    if (inForce.length === 0) {
      return isPast(state.until) ? { ...found, ports, until: state.until, expired: true } : undefined;
    }
    const ends = ending([...bans.values()]);
    if (inputs === undefined) return { ...found, ports: inForce, ...ends };
    // Where the program names no ports, a port that is gone is no place where the ban is missing.
    const meant = portsIn(inputs) ?? ports.filter((_, index) => lists[index] !== undefined);
    return { ...found, ports: meant, ...ends, ...missing(meant.filter((port) => !isInForce(port))) };
  },

  async update(_id, state, declared, inputs, run) {
    const wanted = wantedIn(inputs);
    const before = portsIn(state) ?? [];
    const ports =
      portsIn(inputs) ??
      (namesPorts(declared) || before.length === 0 ? await everyPort(run) : await remaining(before, run));
    const isOver = isPast(state.until);
    const beginsAgain = wanted.ms !== state.durationMs || (isOver && inputs.renew === true);
    for (const port of before) if (!ports.includes(port)) await lift(port, wanted, run);
    if (isOver && !beginsAgain) return { ...inputs, ports, until: state.until, expired: true };
    return enforce(ports, wanted, inputs, run, beginsAgain);
  },

  async delete(id, state, run) {
    const wanted = wantedById(id);
    for (const port of portsIn(state) ?? []) await lift(port, wanted, run);
  },
} satisfies Lifecycle;

/** What is banned, on whatever port. Without milliseconds it has no end. */
interface Wanted {
  ip: string;
  domain?: string;
  ms?: number;
}

function wantedIn({ ip, domain, durationMs }: JsonObject): Wanted {
  return {
    ip: bannableIp(ip as string) as string,
    ...(typeof domain === "string" ? { domain } : {}),
    ...(typeof durationMs === "number" ? { ms: durationMs } : {}),
  };
}

const banOn = (port: number, id: string): string => `${id}@${port}`;

const idOf = ({ ip, domain }: Wanted): string => (domain === undefined ? ip : `${ip}/${domain}`);

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

const ordered = (ports: readonly unknown[]): unknown[] => [...new Set(ports)].sort((a, b) => Number(a) - Number(b));

/** The ports that inputs name, `undefined` for every port; or those of a state, which has them always but after an import. */
function portsIn({ port, ports }: JsonObject): number[] | undefined {
  if (typeof port === "number") return [port];
  return Array.isArray(ports) ? (ordered(ports.filter((each) => each !== UNKNOWN)) as number[]) : undefined;
}

const namesPorts = (declared: Declared): boolean => declared.has("port") || declared.has("ports");

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

const isPast = (until: unknown): boolean => typeof until === "string" && Date.parse(until) <= Date.now();

/** The latest of the moments at which bans end. */
function ending(bans: readonly (Ban | undefined)[]): { until?: string } {
  const until = bans
    .flatMap((ban) => ban?.until ?? [])
    .sort()
    .at(-1);
  return until === undefined ? {} : { until };
}

const missing = (ports: readonly number[]): JsonObject => (ports.length === 0 ? {} : { missingOn: ports });

/**
 * Sees to it that ports have a ban as declared.
 *
 * @param again whether a ban with an end that is there begins again
 * @throws {PartialFailure} when some may have it
 */
async function enforce(
  ports: readonly number[],
  wanted: Wanted,
  inputs: JsonObject,
  run: Run,
  again: boolean,
): Promise<JsonObject> {
  const { bans } = run.context.manager;
  // All are asked before the first is changed: a port that does not exist is noticed in time.
  const lists = await Promise.all(ports.map((port) => bans.list(port, { signal: run.deadline.signal })));
  const state = { ...inputs, ip: wanted.ip, ports };
  const done: Ban[] = [];
  for (const [index, port] of ports.entries()) {
    const kept = (cause: unknown) =>
      new PartialFailure(idOf(wanted), { ...state, ...ending(done), ...missing(ports.slice(index)) }, cause);
    try {
      done.push(await enforceOn(port, lists[index] as Ban[], wanted, run, again, kept));
    } catch (error) {
      throw index === 0 || error instanceof PartialFailure ? error : kept(error);
    } finally {
      run.context.bans(port).forget();
    }
  }
  return { ...state, ...ending(done) };
}

/** @param unsure what is thrown when the port may have the ban */
async function enforceOn(
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
  const began = Date.now();
  let lost: unknown;
  try {
    await run.context.manager.bans.add(port, wanted, { signal: run.deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    lost = error;
  }
  const now = await listedNow(port, run).catch((error: unknown) => {
    throw unsure(lost ?? error);
  });
  const found = find(now ?? [], wanted);
  if (found !== undefined) return found;
  if (lost !== undefined) throw unsure(lost);
  const end = began + (wanted.ms ?? Number.POSITIVE_INFINITY);
  if (end <= Date.now()) return { ip: wanted.ip, until: new Date(end).toISOString() };
  throw notListed(port, now ?? [], wanted);
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
