import { ArgumentError, BrightDataError, NotFoundError } from "../../base/errors";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { lossOf, mayBeGone, settleSignal } from "../../lifecycle/settle";
import type { Ban } from "../../model/ban";
import { type BanWindow, endsAsAsked, find, isAsDeclared, isExact, type WantedBan } from "./ban";

/** A ban on a port, as it is wanted. */
export interface PortBan {
  port: number;
  wanted: WantedBan;
  step: Step;
}

/** The bans of a port, shared by all that ask at the same time; `undefined` when there certainly is no such port. */
export const observe = (port: number, step: Step): Promise<Ban[] | undefined> =>
  unlessGone(port, step, step.deadline.signal, step.context.bans(port).get(step.deadline.signal));

/** The same; where a ban is not among them, with those of another answer: one alone may be short. */
export const lookFor = async ({ port, wanted, step }: PortBan): Promise<Ban[] | undefined> =>
  withOthers(wanted, await observe(port, step), () => observeNow(port, step, step.deadline.signal));

async function withOthers(wanted: WantedBan, bans: Ban[] | undefined, again: () => Promise<Ban[] | undefined>) {
  if (bans === undefined || find(bans, wanted) !== undefined) return bans;
  const others = await again();
  return others && [...bans, ...others];
}

/** The same as they are now. */
const observeNow = (port: number, step: Step, signal = settleSignal()): Promise<Ban[] | undefined> =>
  unlessGone(port, step, signal, step.context.manager.bans.list(port, { signal }));

async function unlessGone(port: number, step: Step, signal: AbortSignal, bans: Promise<Ban[]>) {
  try {
    return await bans;
  } catch (error) {
    if (!(error instanceof NotFoundError) || !(await isPortGone(port, step, signal))) throw error;
    return undefined;
  }
}

/** Whether no list has the port. An empty one is believed only where the manager, asked for the port, has none of that number. */
async function isPortGone(port: number, { context: { manager } }: Step, signal: AbortSignal): Promise<boolean> {
  const ports = await manager.bans.everyPort({ signal });
  if (ports.length > 0) return !ports.includes(port);
  return (await manager.ports.get(port, { signal })) === undefined;
}

/** What time it is at the manager, by whose clock bans end; `undefined` where its answers have no date. */
export const managersNow = ({ context }: Step): number | undefined => context.manager.clock.now;

/** The `Date` of an answer says whole seconds, and is never ahead of the clock that it tells of. */
export const EXACT_MS = 1000;

/** By how much a clock that tells nothing may differ from this machine's. */
const CLOCKS_MS = 300_000;

/** When a ban may have begun that was asked for then, and is there now. */
function windowFrom(asked: number, step: Step): BanWindow {
  const now = managersNow(step);
  if (now === undefined) return { from: asked - CLOCKS_MS, to: Date.now() + CLOCKS_MS };
  return { from: asked - EXACT_MS, to: now + EXACT_MS };
}

/** How often a ban is asked for that the manager does not list, and how often it is lifted for it to begin again. */
const TRIES = 4;

/** Makes what is thrown when the port may have the ban, or has lost the one of before. */
type Unsure = (cause: unknown) => PartialFailure;

/** @param bans those that the port has */
export async function ensureOn(ban: PortBan, bans: Ban[], isAgain: boolean, unsure: Unsure): Promise<Ban> {
  const there = find(bans, ban.wanted);
  if (there === undefined) return begun(await add(ban, unsure));
  if (isAsDeclared(there, ban.wanted) && !(isAgain && there.until !== undefined)) return there;
  // A ban that is there keeps its end, whatever another says.
  await lift(ban);
  try {
    for (let tries = 1; ; tries++) {
      await untilLifted(ban);
      const added = await add(ban, unsure);
      if (!(added instanceof Error) || tries === TRIES) return begun(added);
      await lift(ban);
    }
  } catch (error) {
    throw error instanceof PartialFailure ? error : unsure(error);
  }
}

function begun(added: Ban | Error): Ban {
  if (added instanceof Error) throw added;
  return added;
}

/**
 * The ban that an accepted request came to, or what is wrong with what is listed. One that is not listed is asked for again:
 * a process of the manager may have told late that the ban of before was lifted.
 */
async function add(ban: PortBan, unsure: Unsure): Promise<Ban | Error> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const added = await addOnce(ban, unsure).catch((error: unknown) => {
      // What was accepted before may be in force.
      throw tries === 1 || error instanceof PartialFailure ? error : unsure(error);
    });
    if (added !== undefined) return added;
  }
  throw unsure(notListed(ban));
}

/** The same, or `undefined` where the manager accepts a ban and does not list it. */
async function addOnce({ port, wanted, step }: PortBan, unsure: Unsure): Promise<Ban | Error | undefined> {
  const began = Date.now();
  const asked = managersNow(step) ?? began;
  const lost = await lossOf(step.context.manager.bans.add(port, wanted, step.deadline), step);
  const look = () => observeNow(port, step);
  const now = await look()
    .then((bans) => withOthers(wanted, bans, look))
    .catch((error: unknown) => {
      throw unsure(lost ?? error);
    });
  const found = find(now ?? [], wanted);
  if (found !== undefined && endsAsAsked(found, wanted, windowFrom(asked, step))) return found;
  if (lost !== undefined) throw unsure(lost);
  if (found !== undefined) {
    const words = `The Proxy Manager accepted the ban of ${wanted.ip} on port ${port}, and lists one with another end: somebody else may have created it at the same time. The next \`pulumi up\` creates it as declared.`;
    return unsure(new BrightDataError(words));
  }
  const { ms = Number.POSITIVE_INFINITY } = wanted;
  if (began + ms <= Date.now()) return { ip: wanted.ip, until: new Date(asked + ms).toISOString() };
  return refusedBeside(port, now ?? [], wanted);
}

function refusedBeside(port: number, bans: readonly Ban[], { ip, domain }: WantedBan): ArgumentError | undefined {
  if (domain === undefined || !bans.some((ban) => ban.ip === ip && ban.domain === undefined)) return undefined;
  return new ArgumentError(
    `${ip} is banned on port ${port} for every host, for a while; beside that the manager takes no ban for ${domain} alone. Lift it (a PortIpUnban), or wait until it has run out.`,
  );
}

const notListed = ({ port, wanted: { ip, domain } }: PortBan): BrightDataError =>
  new BrightDataError(
    `The Proxy Manager accepted the ban of ${ip}${domain === undefined ? "" : ` for ${domain}`} on port ${port}, and does not list it.`,
  );

/**
 * The processes of a Proxy Manager tell each other of a ban that begins and of one that is lifted, some milliseconds later, and
 * nothing says when they have. What is banned again before that gets the end of the former ban, or is lifted once more.
 */
async function untilLifted({ port, wanted, step }: PortBan): Promise<void> {
  let looks = 0;
  await step.deadline.poll(`waiting for the ban of ${wanted.ip} to leave port ${port}`, async () => {
    const bans = (await observeNow(port, step)) ?? [];
    looks = bans.some((ban) => isExact(ban, wanted)) ? 0 : looks + 1;
    return looks === 2 || undefined;
  });
}

/**
 * Lifts a ban; one that is certainly not there is no error. One that is still listed is lifted again: a process of the manager may
 * have told late that it has begun.
 */
export async function lift(ban: PortBan): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { isLeft, lost } = await liftOnce(ban);
    if (!isLeft) return;
    const isAgain = lost === undefined || lost instanceof NotFoundError;
    if (isAgain && tries < TRIES) continue;
    const { port, wanted } = ban;
    throw (
      lost ??
      new BrightDataError(`The Proxy Manager was to lift the ban of ${wanted.ip} on port ${port}, and still lists it.`)
    );
  }
}

/** @returns whether it is still listed, and what the answer was lost with */
async function liftOnce({ port, wanted, step }: PortBan): Promise<{ isLeft: boolean; lost: Error | undefined }> {
  const { ip, domain } = wanted;
  let left: Ban[] | undefined;
  const lifting = async () => {
    left = await step.context.manager.bans.remove(port, { ip, domain }, step.deadline);
  };
  const lost = await lossOf(lifting(), step, mayBeGone).finally(() => step.context.bans(port).forget());
  if (lost !== undefined) left = await observeNow(port, step);
  return { isLeft: left?.some((ban) => isExact(ban, wanted)) === true, lost };
}
