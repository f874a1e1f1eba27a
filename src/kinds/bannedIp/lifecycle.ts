import { ArgumentError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { bannableIp } from "../../declaration/formats";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { begunBefore, leftBehind } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { keeping, PartialFailure, type Step, UNKNOWN } from "../../lifecycle/lifecycle";
import { type Ban, LONGEST_BAN_MS } from "../../model/ban";
import { banThing, portThing } from "../shared/things";
import {
  ending,
  find,
  idOf,
  isAsDeclared,
  isExact,
  isPast,
  portsIn,
  type WantedBan,
  wantedById,
  wantedIn,
} from "./ban";
import { bannedIp } from "./declaration";
import { EXACT_MS, ensureOn, lift, lookFor, managersNow, observe } from "./portBan";

type Inputs = InputsOf<typeof bannedIp>;
type State = StateOf<typeof bannedIp>;

export const bannedIpLifecycle = lifecycle(bannedIp, {
  resumes: true,

  complete(inputs) {
    const ip = typeof inputs.ip === "string" ? bannableIp(inputs.ip) : undefined;
    return ip === undefined ? inputs : { ...inputs, ip };
  },

  open: ({ missingOn, expired }, { renew }) =>
    Array.isArray(missingOn) || (expired === true && renew === true) ? ["ports"] : [],

  // Beside a ban of every host the manager takes none for one host, and lifting the former would leave none.
  judge: (difference) => ({ ...difference, deleteBeforeReplace: true }),

  holdings(id, state) {
    const ban = id ?? certainId(state);
    const ports = portsIn(state) ?? [];
    const has = ban === undefined ? [] : ports.map((port) => banThing(ban, port));
    // One that is there is left as it is, whoever has made it: then nothing is open in between. A port that is made anew has none.
    return { has, ...(id === undefined ? { takesOver: has } : {}), standsOn: ports.map(portThing) };
  },

  // A ban of every port is for those, too, where another resource has made it, or has lifted it, since.
  without(state, others) {
    const { port: _port, missingOn = [], ...rest } = state;
    const id = idOf(wantedIn(state));
    const ports = portsIn(state) ?? [];
    const lost = ports.filter((port) => others.has(banThing(id, port)));
    const own = ports.filter((port) => !lost.includes(port));
    return { ...rest, ports: own, ...missing(union(missingOn, lost)) };
  },

  async create(inputs, step) {
    const wanted = wantedIn(inputs);
    const id = idOf(wanted);
    const ports = portsIn(inputs) ?? (await everyPort(step));
    const lists = await listsOf(ports, step);
    return { id, state: await noting(id, notedOn(id, step), ports, step, () => ensure(lists, wanted, inputs, step)) };
  },

  async read(id, inputs, step, state) {
    const wanted = inputs === undefined ? wantedById(id) : wantedIn(inputs);
    const ports = portsIn(state) ?? (await everyPort(step));
    const lists = await Promise.all(ports.map((port) => lookFor({ port, wanted, step })));
    const bans = new Map(ports.map((port, index) => [port, find(lists[index] ?? [], wanted)]));
    const isInForce = (port: number) => {
      const ban = bans.get(port);
      return ban !== undefined && (inputs === undefined || isAsDeclared(ban, wanted));
    };
    const { ip, domain } = wanted;
    const found = { ...inputs, ip, ...(domain === undefined ? {} : { domain }) };
    const inForce = ports.filter(isInForce);
    if (inForce.length === 0 && isPast(state.until, latestFor(step)))
      return { ...found, ports, until: state.until, expired: true };
    // One with another end is there all the same.
    if ([...bans.values()].every((ban) => ban === undefined)) return undefined;
    const ends = ending(inForce.map((port) => bans.get(port)));
    if (inputs === undefined) {
      const isOpen = inForce.some((port) => bans.get(port)?.until === undefined);
      return { ...found, ports: inForce, ...ends, ...(isOpen ? {} : leftUntil(ends.until, nowFor(step))) };
    }
    // Where the program names no ports, a port that is gone is no place where the ban is missing.
    const meant = portsIn(inputs) ?? ports.filter((_, index) => lists[index] !== undefined);
    return { ...found, ports: meant, ...ends, ...missing(meant.filter((port) => !isInForce(port))) };
  },

  async update(id, state, declared, inputs, step) {
    const wanted = wantedIn(inputs);
    const own = portsIn(state) ?? [];
    const noted = notedOn(id, step);
    const recorded = union(own, state.missingOn ?? []).sort((a, b) => a - b);
    const isEvery = declared.has("port") || declared.has("ports") || recorded.length === 0;
    const ports = portsIn(inputs) ?? (isEvery ? await everyPort(step) : await remaining(recorded, step));
    const isOver = isPast(state.until, await latestAtManager(ports, step));
    const beginsAgain = wanted.ms !== state.durationMs || (isOver && inputs.renew === true);
    // Where an update has failed, or was cut short, a ban may have another end.
    const unsure = [...noted, ...(state.missingOn ?? [])];
    const before = union(own, noted);
    const left = before.filter((port) => !ports.includes(port));
    const isDone = isOver && !beginsAgain;
    const lists = isDone ? [] : await listsOf(ports, step);
    const changed = noting(id, before, ports, step, async () => {
      if (isDone) return { ...inputs, ports, until: state.until, expired: true };
      return ensure(lists, wanted, inputs, step, (port) => beginsAgain || unsure.includes(port));
    });
    if (left.length === 0) return changed;
    // Of those, some may be lifted.
    const { port: _port, ...rest } = state;
    return changed.catch(keeping(id, { ...rest, ports: before, ...missing(union(state.missingOn ?? [], left)) }));
  },

  async delete(id, state, step) {
    const wanted = wantedById(id);
    await liftOn(union(portsIn(state) ?? [], notedOn(id, step)), wanted, step);
  },

  async list(step) {
    const ports = await step.context.manager.bans.everyPort(step.deadline);
    const bans = await Promise.all(ports.map((port) => observe(port, step)));
    // A ban that ends by itself is not for a program to declare.
    const lasting = bans.flatMap((found) => found ?? []).filter(({ until }) => until === undefined);
    return [...new Set(lasting.map(idOf))];
  },
});

function certainId({ ip, domain }: JsonObject): string | undefined {
  if (typeof ip !== "string" || domain === UNKNOWN) return undefined;
  return idOf(typeof domain === "string" ? wantedIn({ ip, domain }) : wantedIn({ ip }));
}

/** What is left of a ban: without it, a program that declares what was imported would have it last for good. */
function leftUntil(until: string | undefined, now: number): Pick<State, "durationMs"> {
  const left = Math.round(Date.parse(until ?? "") - now);
  return { durationMs: Math.min(Math.max(1, left), LONGEST_BAN_MS) };
}

const union = (ports: readonly number[], others: readonly number[]): number[] => [...new Set([...ports, ...others])];

const missing = (ports: number[]): Pick<State, "missingOn"> => (ports.length === 0 ? {} : { missingOn: ports });

/** The ports that an update which was cut short was about, but for those where the ban is another resource's by now. */
function notedOn(id: string, step: Step): number[] {
  const { ports } = begunBefore(step, ({ ban }) => ban === id)?.facts ?? {};
  const isAnothers = (port: number) => step.context.claims.isAnothers(banThing(id, port), step.me);
  return (portsIn({ ports }) ?? []).filter((port) => !isAnothers(port));
}

/** What time it is by the manager's clock, as far as an answer has told; else by this machine's. */
const nowFor = (step: Step): number => managersNow(step) ?? Date.now();

/** The latest that it may be there: a ban may be over by then that has not ended yet as far as an answer has told. */
const latestFor = (step: Step): number => nowFor(step) + EXACT_MS;

/** The same, where it may not have been asked for anything yet. */
async function latestAtManager([port]: readonly number[], step: Step): Promise<number> {
  if (managersNow(step) === undefined && port !== undefined) await observe(port, step);
  return latestFor(step);
}

async function everyPort(step: Step): Promise<number[]> {
  const ports = await step.context.manager.bans.everyPort(step.deadline);
  if (ports.length > 0) return ports;
  throw new ArgumentError(
    "The Proxy Manager has no ports yet that an IP could be banned on. Declare one, and let this resource depend on it.",
  );
}

async function remaining(ports: readonly number[], step: Step): Promise<number[]> {
  const lists = await Promise.all(ports.map((port) => observe(port, step)));
  return ports.filter((_, index) => lists[index] !== undefined);
}

/** Lifts a ban `before` the rest where it is not meant any more. What it is about is noted until a state tells of it. */
async function noting<T>(
  id: string,
  before: number[],
  ports: number[],
  step: Step,
  task: () => Promise<T>,
): Promise<T> {
  const left = before.filter((port) => !ports.includes(port));
  const noted = union(before, ports);
  const title = `a ban of ${id} on ${noted.length === 1 ? "port" : "ports"} ${noted.join(", ")}`;
  await step.journal?.begin(
    { ban: id, ports: noted },
    leftBehind(title, "If it is there, lift it with a PortIpUnban."),
  );
  try {
    await liftOn(left, wantedById(id), step);
    return await task();
  } catch (error) {
    if (left.length === 0 && !(error instanceof PartialFailure)) step.journal?.takeBack();
    throw error;
  }
}

async function liftOn(ports: readonly number[], wanted: WantedBan, step: Step): Promise<void> {
  for (const port of ports) {
    step.deadline.requireGoing(`before the ban of ${wanted.ip} on port ${port} was lifted`);
    await lift({ port, wanted, step });
    await sayUncovered(port, wanted, step);
  }
}

/** Beside a ban of every host the manager has taken none for one host: of those that resources of the program have, nothing is there. */
async function sayUncovered(port: number, { ip, domain }: WantedBan, step: Step): Promise<void> {
  const { claims } = step.context;
  if (domain !== undefined) return;
  const [from = "", to = ""] = banThing(`${ip}/*`, port).split("*");
  const narrower = claims
    .othersOf("ban", step.me)
    .map((ban) => `ban ${ban}`)
    .filter((ban) => ban.startsWith(from) && ban.endsWith(to) && claims.isAnothers(ban, step.me));
  if (narrower.length === 0) return;
  // The ban is lifted: that nobody answers by now makes no failure of it.
  const there = await observe(port, step).catch(() => []);
  const hosts = narrower.map((ban) => ban.slice(from.length, -to.length));
  const open = hosts.filter((host) => there?.every((ban) => !isExact(ban, { ip, domain: host })));
  if (open.length > 0)
    step.say?.(
      `The ban of ${ip} on port ${port} that is lifted was for ${open.join(", ")}, too, where another resource of this program bans it: \`pulumi up --refresh\` creates that ban.`,
    );
}

interface Banned {
  port: number;
  there: Ban[];
}

/** What is banned on ports. All are asked before the first is changed: one that does not exist is noticed in time. */
const listsOf = (ports: readonly number[], { context, deadline }: Step): Promise<Banned[]> =>
  Promise.all(ports.map(async (port) => ({ port, there: await context.manager.bans.list(port, deadline) })));

/** @param isAgain whether a ban with an end that is there begins again on a port */
async function ensure(
  lists: readonly Banned[],
  wanted: WantedBan,
  inputs: Inputs,
  step: Step,
  isAgain: (port: number) => boolean = () => true,
): Promise<State> {
  const ports = lists.map(({ port }) => port);
  const state = { ...inputs, ip: wanted.ip, ports };
  const done: Ban[] = [];
  for (const [index, { port, there }] of lists.entries()) {
    if (isLeftToAnother(port, there, wanted, inputs, step)) continue;
    const kept = (cause: unknown) =>
      new PartialFailure(idOf(wanted), { ...state, ...ending(done), ...missing(ports.slice(index)) }, cause);
    try {
      step.deadline.requireGoing(`before ${wanted.ip} was banned on port ${port}`);
      done.push(await ensureOn({ port, wanted, step }, there, isAgain(port), kept));
    } catch (error) {
      throw index === 0 || error instanceof PartialFailure ? error : kept(error);
    } finally {
      step.context.bans(port).forget();
    }
  }
  return { ...state, ...ending(done) };
}

/** A ban of every port gives a port's no other end than a resource wants that bans the same there: it is banned. */
function isLeftToAnother(port: number, there: readonly Ban[], wanted: WantedBan, inputs: Inputs, step: Step): boolean {
  const isAnothers = step.context.claims.isAnothers(banThing(idOf(wanted), port), step.me);
  return portsIn(inputs) === undefined && isAnothers && find(there, wanted) !== undefined;
}
