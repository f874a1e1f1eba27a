import { randomBytes } from "node:crypto";
import { AlreadyExistsError, ArgumentError, ConnectionError, NotFoundError, ServerError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { addressSet, isSame, sameJson } from "../../declaration/values";
import { createOnce, leftBehind, single, TakenError, UnknownOutcomeError } from "../../lifecycle/creation";
import { type Known, lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { type Declared, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { isMark, originOf } from "../../lifecycle/mark";
import { keysOf, leafPaths } from "../../lifecycle/paths";
import { settleSignal } from "../../lifecycle/settle";
import {
  type ConfiguredPort,
  emptyValue,
  FIXED_FIELDS,
  PORT_FIELDS,
  type PortField,
  type PortFields,
  portField,
  portValue,
} from "../../manager/portFields";
import { HIGHEST_PORT, lastPort, overlap } from "../../model/portRange";
import { portThing } from "../shared/things";
import { proxyPort } from "./declaration";
import { requireZone } from "./knownZone";

type Inputs = InputsOf<typeof proxyPort>;
type State = Known<StateOf<typeof proxyPort>>;

/** From which on the manager gives numbers to ports that have none. */
const FIRST_AUTOMATIC_PORT = 24_000;

export const proxyPortLifecycle = lifecycle(proxyPort, {
  // Without a number of its own a port keeps the one it has.
  same: (path, _, wanted) => (path === "port" && wanted === undefined ? true : undefined),

  judge: (difference, state, _, inputs) => ({
    ...difference,
    deleteBeforeReplace: difference.replaces.length > 0 && overlap(state, inputs),
  }),

  holds(id, { port }) {
    const number = id ?? (typeof port === "number" ? port : undefined);
    return number === undefined ? [] : [portThing(number)];
  },

  adopts(inputs) {
    const { port, adopt } = inputs;
    const isAnyTaken = FIXED_FIELDS.every((field) => field === "port" || !(field in inputs));
    return adopt === true && typeof port === "number" && isAnyTaken ? [portThing(port)] : [];
  },

  async create(inputs, run) {
    await requireZone(inputs.zone, run);
    const { port, found, declared = NOTHING } = await ensure(inputs, run);
    try {
      if (found !== undefined) await sync(found, {}, declared, inputs, run);
      return {
        id: String(port),
        state: { ...inputs, ...borneBy(found, run), port, listenPort: found?.listenPort ?? port },
      };
    } catch (error) {
      throw new PartialFailure(String(port), { ...inputs, ...borneBy(found, run), port }, error);
    }
  },

  async read(id, inputs, run, state) {
    const live = await observe(portNumber(id), state, run);
    return live && { ...(await stateOf(inputs, live, run)), ...borneBy(live, run) };
  },

  async update(id, state, declared, inputs, run) {
    const { context, deadline } = run;
    const port = portNumber(id);
    const isMade = state.mark === undefined;
    const listed = isMade ? ours(await context.ports.find(port, deadline.signal), state, run) : undefined;
    if (listed !== undefined && (await syncListed(listed, state, declared, inputs, run)))
      return { ...inputs, ...borneBy(listed, run), port, listenPort: listed.listenPort ?? port };
    const live = await ask(port, state, run);
    if (live === undefined && isMade) {
      throw new ArgumentError(
        `Proxy port ${port} is gone from the manager. Run \`pulumi refresh\`, and the next \`pulumi up\` creates it again.`,
      );
    }
    const found = live ?? (await ensure({ ...inputs, port }, run)).found;
    // What a port has that was there before it was taken over is not this resource's to take away.
    if (found !== undefined)
      await sync(found, isMade ? state : {}, live === undefined ? NOTHING : declared, inputs, run);
    return { ...inputs, ...borneBy(found, run), port, listenPort: found?.listenPort ?? port };
  },

  async delete(id, state, run) {
    const { context, deadline } = run;
    const port = portNumber(id);
    const isThere = async () => (await ask(port, state, run)) !== undefined;
    if (state.mark !== undefined && !(await isThere())) return;
    const listed = await context.ports.find(port, deadline.signal);
    if (listed !== undefined && ours(listed, state, run) === undefined) {
      run.say?.(`port ${port} is another program's by now, and is kept.`);
      return;
    }
    try {
      await context.manager.ports.remove(port, { signal: deadline.signal });
    } catch (error) {
      if (error instanceof NotFoundError && !(await isThere())) return;
      if (!(error instanceof ServerError) || !/already being stopped/i.test(error.serviceMessage)) throw error;
      await deadline.poll(
        `waiting for port ${port}, which is being deleted already (a port that stays so needs a restart of the manager)`,
        async () => ((await isThere()) ? undefined : true),
      );
    } finally {
      context.ports.drop(port);
    }
  },

  async isMarked(id, state, run) {
    const live = await run.context.manager.ports.get(portNumber(id), { signal: run.deadline.signal });
    return live !== undefined && bearsMark(live, state, run);
  },

  async list({ context, deadline }) {
    const records = await context.manager.ports.list({ signal: deadline.signal });
    return records.filter(({ proxyType }) => proxyType === "persist").map(({ port }) => String(port));
  },
});

const NOTHING: Declared = new Set();

/** The port as the manager lists it, or has it by itself; `undefined` where it certainly has none. */
async function observe(port: number, state: State, run: Run): Promise<ConfiguredPort | undefined> {
  const listed = await run.context.ports.find(port, run.deadline.signal);
  return listed === undefined ? ask(port, state, run) : ours(listed, state, run);
}

/** The port as the manager has it now, `undefined` where it has none. */
const ask = async (port: number, state: State, run: Run): Promise<ConfiguredPort | undefined> =>
  ours(await run.context.manager.ports.get(port, { signal: run.deadline.signal }), state, run);

/**
 * A port is told from others by its mark: where the manager has lost its configuration, its number may be somebody else's by
 * now. A port that bears none, or that of an earlier version, may be anybody's, unless its creation had an outcome that nobody
 * knew.
 */
export function ours(live: ConfiguredPort | undefined, state: State, run: Run): ConfiguredPort | undefined {
  if (live === undefined) return undefined;
  const { pulumiId } = live;
  if (state.mark !== undefined) return pulumiId === state.mark ? live : undefined;
  if (pulumiId === undefined || !isMark(pulumiId) || run.me?.mark === undefined || run.isImported) return live;
  return bearsMark(live, state, run) ? live : undefined;
}

/** Whether a port bears the mark of its resource, or that with which it was taken over. Earlier versions began it with the place. */
export const bearsMark = ({ pulumiId = "" }: ConfiguredPort, { bears }: State, { me }: Run): boolean =>
  originOf(pulumiId) === me?.mark ||
  pulumiId === bears ||
  (me?.place !== undefined && pulumiId.startsWith(`${me.place}-`));

/** The mark of a port that was not made for its resource, and which it keeps. */
export const borneBy = (found: ConfiguredPort | undefined, { me }: Run): Pick<State, "bears"> =>
  found?.pulumiId === undefined || !isMark(found.pulumiId) || originOf(found.pulumiId) === me?.mark
    ? {}
    : { bears: found.pulumiId };

function fieldsOf({ adopt: _adopt, timeouts: _timeouts, ...fields }: Partial<Inputs>): PortFields {
  const { whitelistIps } = fields;
  return whitelistIps === undefined ? fields : { ...fields, whitelistIps: [...addressSet(whitelistIps)] };
}

function portNumber(id: string): number {
  const port = Number(id);
  if (Number.isInteger(port) && port > 0) return port;
  throw new ArgumentError(`${JSON.stringify(id)} is not the id of a proxy port: expected its number, such as "24000".`);
}

/** A port that is there by now. */
interface Ensured {
  port: number;
  /** As it was found, where it was not made just now. */
  found?: ConfiguredPort;
  /** What it was made with, where an update that was cut short has made it. */
  declared?: Declared;
}

/** Makes a port, or takes over the one that has the number. */
async function ensure(inputs: Inputs, run: Run): Promise<Ensured> {
  const { port } = inputs;
  try {
    const listed = await listedToAdopt(inputs, run);
    if (listed !== undefined) return { port: listed.port, found: await takenOver(listed, inputs, run) };
    return await make(inputs, run);
  } catch (error) {
    const isTaken = error instanceof AlreadyExistsError || error instanceof TakenError;
    if (!isTaken || port === undefined) throw error;
    return { port, found: await adoptable(port, error, inputs, run) };
  } finally {
    if (port !== undefined) run.context.ports.drop(port);
  }
}

/**
 * Makes a port, once. It gets a mark, which the manager keeps with its record: by it a port is told, when the answer was lost,
 * from one that somebody else has made at the same time.
 */
async function make(inputs: Inputs, run: Run): Promise<Ensured> {
  const { manager } = run.context;
  const wanted = fieldsOf(inputs);
  const { port: number } = wanted;
  const mark = run.journal?.mark ?? randomBytes(8).toString("hex");
  const title = number === undefined ? "the proxy port" : `proxy port ${number}`;
  // Not while it is sent: a failure of this one leaves no doubt that nothing was made.
  const first = number ?? (await afterExpected(run));
  const told = new Set<number>();
  let isNew = false;
  const creation = {
    title,
    facts: { mark, declared: leafPaths(wanted) },
    ...(number === undefined ? {} : { thing: portThing(number) }),
    async look(facts: JsonObject, signal: AbortSignal) {
      const records = await manager.ports.list({ signal });
      const atNumber = records.find(({ port }) => port === number);
      if (atNumber !== undefined && atNumber.pulumiId !== facts.mark)
        throw new TakenError(`${title} is somebody else's`);
      const marked = records.filter(({ pulumiId }) => pulumiId === facts.mark);
      const others = marked.filter(({ port }) => number !== undefined && port !== number);
      for (const { port } of others) if (!told.has(port)) run.say?.(orphan(port));
      for (const { port } of others) told.add(port);
      const declared = madeWith(facts);
      const own = marked.filter((record) => !others.includes(record));
      return own.map((found): Ensured => ({ port: found.port, found, declared }));
    },
    async send(signal: AbortSignal): Promise<Ensured[]> {
      isNew = true;
      const marked = { ...wanted, pulumiId: mark };
      const port =
        number === undefined
          ? await createAnywhere(marked, first, signal, run)
          : await manager.ports.create(marked, { signal });
      return [{ port }];
    },
    // There is one port of a number; without one, a request that the manager works on yet would make another.
    isRepeatable: (lost: Error) => number !== undefined || lost instanceof ConnectionError,
    remedy: "The next `pulumi up` on this machine looks for it again.",
    advice: leftBehind(
      number === undefined ? `a proxy port at ${manager.url}` : `${title} at ${manager.url}`,
      "If it is there, declare a ProxyPort of its number with `adopt: true` to manage it, or delete it in the manager.",
    ),
  };
  try {
    const made = single(await createOnce<Ensured>(creation, run));
    return isNew ? { port: made.port } : made;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError) || number === undefined) throw error;
    throw new PartialFailure(String(number), { ...inputs, mark }, error);
  }
}

/** The paths of what an update that was cut short has made ports with. */
export const madeWith = ({ declared }: JsonObject): Declared =>
  new Set(Array.isArray(declared) ? declared.map(String) : []);

const orphan = (port: number): string =>
  `proxy port ${port}, which an update that was cut short has made, was in no state when this update began, and the program declares another. To manage it, declare a ProxyPort with \`port: ${port}\` and \`adopt: true\`; otherwise delete it in the manager.`;

/**
 * The manager chooses the number after its highest port, even one that another program holds or that another resource of this
 * program is about to get: go on from there.
 */
async function createAnywhere(
  wanted: PortFields,
  first: number | undefined,
  signal: AbortSignal,
  run: Run,
): Promise<number> {
  const { ports } = run.context.manager;
  const createAt = async (port: number | undefined): Promise<number | AlreadyExistsError> => {
    try {
      return await ports.create(port === undefined ? wanted : { ...wanted, port }, { signal });
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
      return error;
    }
  };
  const taken = await createAt(first);
  if (!(taken instanceof AlreadyExistsError)) return taken;
  const refused = first ?? Number(/(?:\bport |:)(\d+)\b/i.exec(taken.serviceMessage)?.[1]);
  const tried: number[] = [];
  for (const number of numbersAfter(refused, wanted)) {
    const made = await createAt(number);
    if (!(made instanceof AlreadyExistsError)) return made;
    tried.push(number);
  }
  const others =
    tried.length === 0
      ? "there is none after it"
      : `neither is any of the ${tried.length} after it that were tried, up to ${tried.at(-1)}`;
  throw new ArgumentError(
    `No free port was found: ${taken.serviceMessage}, and ${others}. Choose one that is free with \`port\`.`,
    { cause: taken },
  );
}

const CLOSE_TRIES = 20;

/**
 * The numbers to try after one that is taken. The manager's own ports are all before it; what other programs hold is often a
 * range, so the steps grow.
 */
function* numbersAfter(taken: number, wanted: PortFields): Generator<number> {
  const isPossible = (port: number) => lastPort({ ...wanted, port }) <= HIGHEST_PORT;
  let step = 1;
  for (let number = taken + 1, tries = 1; isPossible(number); number += step, tries++) {
    yield number;
    if (tries >= CLOSE_TRIES) step *= 2;
  }
}

/** A number beyond those that the program declares and the manager would give away; `undefined` where there are none. */
async function afterExpected({ context, deadline }: Run): Promise<number | undefined> {
  const { claims, manager } = context;
  const expected = claims.highest("port", "expected");
  // Beyond what the manager has given away in this run it goes on by itself.
  if (expected === undefined || expected <= (claims.highest("port", "made") ?? 0)) return undefined;
  const listed = (await manager.ports.list({ signal: deadline.signal })).map(({ port }) => port);
  const offered = 1 + Math.max(FIRST_AUTOMATIC_PORT - 1, ...listed);
  return expected >= offered && expected < HIGHEST_PORT ? expected + 1 : undefined;
}

/** The port that is to be taken over, where the list that many share tells of it: making one would be refused. */
async function listedToAdopt({ port, adopt }: Inputs, run: Run): Promise<ConfiguredPort | undefined> {
  if (adopt !== true || port === undefined || run.journal?.unfinished !== undefined) return undefined;
  const listed = await run.context.ports.find(port, run.deadline.signal);
  return listed?.proxyType === undefined ? undefined : listed;
}

/**
 * The port that has a number.
 *
 * @throws unless it is to be taken over, and can be
 */
async function adoptable(
  port: number,
  taken: AlreadyExistsError | TakenError,
  inputs: Inputs,
  run: Run,
): Promise<ConfiguredPort> {
  const { words, record } = await ownerOf(port, taken.message, run);
  // A request that was given up has been carried out meanwhile.
  if (record?.pulumiId !== undefined && record.pulumiId === run.journal?.mark) return record;
  await refuseAnothers(port, run);
  const another = "choose another number; without `port` the manager takes a free one";
  if (record === undefined) {
    throw new ArgumentError(`Port ${port} is in use by ${words}: ${another}.`, { cause: taken });
  }
  if (inputs.adopt !== true) {
    const ways = ["set `adopt: true` to take it over (`pulumi destroy` will delete it then)", another];
    throw existsAlready(`Port ${port} is in use by ${words}`, ways, taken);
  }
  return takenOver(record, inputs, run, taken);
}

async function refuseAnothers(port: number, run: Run): Promise<void> {
  await run.others?.();
  if (run.context.claims.whoHas(portThing(port), run.me) !== "has") return;
  throw new ArgumentError(
    `Port ${port} is another resource's of this program: one that declares it too, or one without \`port\`, to which the manager has given that number. Declare each port once, and give numbers to all or to none.`,
  );
}

/**
 * A port that is there and is to be taken over.
 *
 * @throws where it differs in what cannot be changed, or is another resource's
 */
async function takenOver(record: ConfiguredPort, inputs: Inputs, run: Run, cause?: Error): Promise<ConfiguredPort> {
  const { port } = record;
  await refuseAnothers(port, run);
  const fixed = FIXED_FIELDS.filter((field) => inputs[field] !== undefined);
  const differing = fixed.filter((field) => !isSame(portField(field), record[field], inputs[field]));
  if (differing.length === 0) return record;
  const shown = (value: unknown) => JSON.stringify(value) ?? "not set";
  throw new ArgumentError(
    `Port ${port} is ${described(record)}, and differs in what cannot be changed in place: ${differing
      .map((field) => `\`${field}\` is ${shown(record[field])} and not ${shown(inputs[field])}`)
      .join(", ")}. Declare what it is, or choose another number.`,
    { cause },
  );
}

function described({ zone = "(the default)", internalName }: ConfiguredPort): string {
  const name = internalName === undefined ? "" : `, named ${JSON.stringify(internalName)}`;
  return `a proxy port of zone ${JSON.stringify(zone)}${name}`;
}

/** Who has a number, in words; with the record where it is a port that can be adopted. */
async function ownerOf(port: number, words: string, run: Run): Promise<{ words: string; record?: ConfiguredPort }> {
  if (/another app|EADDRINUSE/i.test(words)) return { words: "another program on the manager's machine" };
  if (/UI\/API/i.test(words)) return { words: "the Proxy Manager itself (its UI and API)" };
  const ports = await run.context.manager.ports.list({ signal: settleSignal() }).catch(() => []);
  const record = ports.find((other) => other.port === port);
  if (record !== undefined && record.proxyType === undefined) return { words: "the Proxy Manager's drop-in port" };
  if (record !== undefined) return { words: described(record), record };
  const range = ports.find((other) => port > other.port && port <= lastPort(other));
  return {
    words: range === undefined ? "another proxy port" : `the range that port ${range.port} is multiplied to`,
  };
}

/**
 * Sends the fields of a port that are not as declared, and what the manager needs repeated beside them.
 *
 * @param live the port as it was found
 * @param state what is known to have been sent, of values that cannot be read back
 * @param declared what was declared, and is taken away where it is no more
 */
async function sync(live: ConfiguredPort, state: State, declared: Declared, inputs: Inputs, run: Run): Promise<void> {
  const changes = await changesOf(live, state, declared, inputs, run);
  if (changes.length > 0) await send(live, changes, inputs, run);
}

/**
 * The same with a port as the shared list has it, which spares a request for each of many. Somebody else may have changed it
 * since: the answer tells whether it is as declared now.
 *
 * @returns whether it certainly is; otherwise it has to be asked for
 */
async function syncListed(
  listed: ConfiguredPort,
  state: State,
  declared: Declared,
  inputs: Inputs,
  run: Run,
): Promise<boolean> {
  const changes = await changesOf(listed, state, declared, inputs, run);
  // What is repeated without being declared could take back what somebody else has changed.
  const repeats = REPEATED.some((field) => inputs[field] === undefined && (listed[field]?.length ?? 0) > 0);
  if (changes.length === 0 || repeats) return false;
  let updated: ConfiguredPort;
  try {
    updated = await send(listed, changes, inputs, run);
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
  const sent = new Set(changes.map(([field]) => field));
  return (await changesOf(updated, state, declared, inputs, run)).every(([field]) => sent.has(field));
}

/** The fields of a port that are not as declared, with what has to be sent for them. Parameters as those of {@link sync}. */
async function changesOf(
  live: ConfiguredPort,
  state: State,
  declared: Declared,
  inputs: Inputs,
  run: Run,
): Promise<[PortField, unknown][]> {
  const wasDeclared = new Set([...declared].map((path) => keysOf(path)[0]));
  const hasAddresses = inputs.whitelistIps !== undefined || wasDeclared.has("whitelistIps");
  const inherited = hasAddresses ? await inheritedAddresses(run) : NO_ADDRESSES;
  const sent = fieldsOf(inputs);
  const [found, wanted] = [withOwnAddresses(live, inherited), withOwnAddresses(sent, inherited)];
  const changes: [PortField, unknown][] = [];
  for (const field of PORT_FIELDS) {
    if (field === "port") continue;
    if (sent[field] === undefined) {
      if (wasDeclared.has(field) && portValue(field, found[field]) !== undefined)
        changes.push([field, emptyValue(field)]);
      continue;
    }
    const { writeOnly } = portField(field);
    const isThere = writeOnly
      ? sameJson(state[field], sent[field])
      : isSame(portField(field), found[field], wanted[field]);
    if (!isThere) changes.push([field, sent[field]]);
  }
  return changes;
}

/** Without `zone` the manager blanks it, and without `ips` and `vips` it makes the port anew and drops its connections. */
const REPEATED = ["ips", "vips"] as const;

/** Returns the port as it runs then. */
async function send(
  { port, ips = [], vips = [], zone }: ConfiguredPort,
  changes: readonly [PortField, unknown][],
  inputs: Inputs,
  run: Run,
): Promise<ConfiguredPort> {
  const { context, deadline } = run;
  if (zone !== inputs.zone) await requireZone(inputs.zone, run);
  const repeated = { zone: inputs.zone, ...(ips.length > 0 && { ips }), ...(vips.length > 0 && { vips }) };
  const fields = { ...repeated, ...Object.fromEntries(changes) };
  try {
    return await context.manager.ports.update(port, fields, { signal: deadline.signal });
  } finally {
    context.ports.drop(port);
  }
}

/** The addresses that every port has beside its own. */
async function inheritedAddresses({ context, deadline }: Run): Promise<ReadonlySet<string>> {
  const settings = await context.managerSettings.get(deadline.signal);
  return addressSet([...settings.fixedWhitelistIps, ...settings.wwwWhitelistIps, ...settings.whitelistIps]);
}

const NO_ADDRESSES: ReadonlySet<string> = new Set();

/** The fields with those addresses alone that not every port has: one that was given to the port too cannot be told from them. */
function withOwnAddresses<Fields extends PortFields>(fields: Fields, inherited: ReadonlySet<string>): Fields {
  const { whitelistIps } = fields;
  if (whitelistIps === undefined) return fields;
  return { ...fields, whitelistIps: [...addressSet(whitelistIps)].filter((ip) => !inherited.has(ip)).sort() };
}

/** The state of a port: the fields that were declared with the values that the manager has, its number, nothing else. */
export async function stateOf(inputs: Partial<Inputs> | undefined, live: ConfiguredPort, run: Run): Promise<State> {
  const hasAddresses = inputs === undefined || inputs.whitelistIps !== undefined;
  const inherited = hasAddresses ? await inheritedAddresses(run) : NO_ADDRESSES;
  const { pulumiId: _mark, ...found } = withOwnAddresses(live, inherited);
  const numbers = { port: live.port, listenPort: live.listenPort ?? live.port };
  if (inputs === undefined) return { ...found, ...numbers };
  const wanted = withOwnAddresses(fieldsOf(inputs), inherited);
  const values = PORT_FIELDS.filter((field) => wanted[field] !== undefined && !portField(field).writeOnly).map(
    (field) => {
      const value = wanted[field];
      const present = found[field] ?? (portValue(field, value) === undefined ? value : portField(field).default);
      return [field, isSame(portField(field), present, value) ? inputs[field] : present];
    },
  );
  return { ...inputs, ...Object.fromEntries(values), ...numbers };
}
