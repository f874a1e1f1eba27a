import { randomBytes } from "node:crypto";
import { unless } from "../../base/cause";
import { AlreadyExistsError, ArgumentError, ConnectionError, NotFoundError, ServerError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { advise, createOnce, leftBehind, single, TakenError } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { type Declared, keeping, PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { leafPaths } from "../../lifecycle/paths";
import { isUnsettled } from "../../lifecycle/settle";
import { type ConfiguredPort, FIXED_FIELDS, type PortField } from "../../manager/portFields";
import { HIGHEST_PORT, lastPort, overlap } from "../../model/portRange";
import { portThing } from "../shared/things";
import { adoptable, listedToAdopt, takenOver } from "./adoption";
import { proxyPort } from "./declaration";
import { sayDoubts, sayLoss } from "./doubts";
import { changesOf, eitherOf, fieldsOf, REPEATED, requestsOf, stateOf, type WantedPort } from "./fields";
import { afterExpected, createAnywhere } from "./freeNumber";
import { requireZone } from "./knownZone";
import { bearsMark, borneBy, ours, type State, sayAnothers, standing } from "./mark";

type Inputs = InputsOf<typeof proxyPort>;

export const proxyPortLifecycle = lifecycle(proxyPort, {
  // Without a number of its own a port keeps the one it has.
  same: (path, _, wanted) => (path === "port" && wanted === undefined ? true : undefined),

  judge: (difference, state, _, inputs) => ({
    ...difference,
    deleteBeforeReplace: difference.replaces.length > 0 && overlap(state, inputs),
  }),

  open: ({ unsettled }) => (Array.isArray(unsettled) ? unsettled : []),

  holdings(id, values) {
    const { port, adopt } = values;
    const declared = typeof port === "number" ? [portThing(port)] : [];
    const last = typeof port === "number" ? [portThing(lastPort(values))] : [];
    const isAnyTaken = FIXED_FIELDS.every((field) => field === "port" || !(field in values));
    return {
      // What is to be made goes up to the last of its numbers; what there is goes by the first.
      has: id === undefined ? [...new Set([...declared, ...last])] : [portThing(id)],
      takesOver: adopt === true && isAnyTaken ? declared : [],
    };
  },

  async create(inputs, step) {
    await requireZone(inputs.zone, step);
    const {
      port,
      found,
      declared = NOTHING,
    } = await ensure(inputs, step).catch((error: unknown) => {
      sayLoss(error, inputs, step);
      throw error;
    });
    const id = String(port);
    const partial = { ...inputs, ...markOf(found, step), port };
    const wanted = { inputs, state: {}, declared, kept: partial };
    // Where that breaks off, a port that is taken over may have nothing of it yet.
    const unsettled = Object.keys(fieldsOf(inputs)).filter((field) => !FIXED_FIELDS.some((fixed) => fixed === field));
    const live = found && (await sync(found, wanted, step).catch(keeping(id, { ...partial, unsettled })));
    await sayDoubts({ port, inputs, live, step });
    return { id, state: recorded(inputs, port, found, step) };
  },

  async read(id, inputs, step, state) {
    const port = portNumber(id);
    const there = await find(port, step);
    const live = ours(there, state, step);
    if (live === undefined && there !== undefined) sayAnothers([port], step);
    return live && { ...(await stateOf(inputs, live, step)), ...standing(live, state, step) };
  },

  async update(id, state, declared, inputs, step) {
    const port = portNumber(id);
    const live = await update(port, { inputs, state, declared }, step);
    await sayDoubts({ port, inputs, live, step });
    return recorded(inputs, port, live, step);
  },

  async delete(id, state, step) {
    const { context, deadline } = step;
    const port = portNumber(id);
    const look = () => context.manager.ports.get(port, deadline);
    const isThere = async () => ours(await look(), state, step) !== undefined;
    if (state.mark !== undefined && !(await isThere())) return;
    let kept = keptAs(await find(port, step), state, step);
    const mayRepeat = async () => {
      kept = keptAs(await look(), state, step);
      return kept === undefined;
    };
    try {
      if (kept === undefined) await context.manager.ports.remove(port, { signal: deadline.signal, mayRepeat });
    } catch (error) {
      const isDone = kept !== undefined || (error instanceof NotFoundError && !(await isThere()));
      if (!isDone && !(error instanceof ServerError && /already being stopped/i.test(error.serviceMessage)))
        throw error;
      await deadline.poll(
        `waiting for port ${port}, which is being deleted already (a port that stays so needs a restart of the manager)`,
        async () => isDone || !(await isThere()) || undefined,
      );
    } finally {
      context.ports.drop(port);
    }
    if (kept === undefined) return;
    context.claims.note("standing", [portThing(port)]);
    step.say?.(`port ${port} is ${kept}, and is kept.`);
  },

  async isMarked(id, state, step) {
    const live = await step.context.manager.ports.get(portNumber(id), step.deadline);
    return live !== undefined && bearsMark(live, state, step);
  },

  async list({ context, deadline }) {
    const records = await context.manager.ports.list(deadline);
    return records.filter(({ proxyType }) => proxyType === "persist").map(({ port }) => String(port));
  },
});

/** Whose a port is that its resource may not delete. The drop-in port, which has no type, would be gone until a restart. */
function keptAs(live: ConfiguredPort | undefined, state: State, step: Step): string | undefined {
  if (live === undefined) return undefined;
  if (live.proxyType === undefined) return "the Proxy Manager's drop-in port";
  return ours(live, state, step) === undefined ? "another program's by now" : undefined;
}

const NOTHING: Declared = new Set();

interface PortChange extends WantedPort {
  /** What the state is to say where nobody knows whether the change has come. */
  kept: JsonObject;
}

/** @returns the port as it is then; nothing where it was created */
async function update(port: number, { inputs, state, declared }: WantedPort, step: Step) {
  const { context, deadline } = step;
  const wanted = { inputs, state, declared, kept: eitherOf(state, inputs) };
  const listed =
    state.mark === undefined ? ours(await context.ports.find(port, deadline.signal), state, step) : undefined;
  const synced = listed && (await syncedAsListed(listed, wanted, step));
  if (synced) return synced;
  const updated = updateByItself(port, wanted, step);
  return synced === undefined ? updated : updated.catch(keeping(String(port), wanted.kept));
}

/** Updates a port as the manager has it now, whatever a list says. */
async function updateByItself(port: number, { inputs, state, declared, kept }: PortChange, step: Step) {
  const { context, deadline } = step;
  const isCreated = state.mark === undefined;
  const there = await context.manager.ports.get(port, deadline);
  const live = ours(there, state, step);
  if (live === undefined && isCreated) throw there === undefined ? isGone(port) : isAnother(port);
  const found = live ?? (await ensure({ ...inputs, port }, step)).found;
  // What a port has that was there before it was taken over is not this resource's to take away.
  const before = { state: isCreated ? state : {}, declared: live === undefined ? NOTHING : declared };
  return found && sync(found, { inputs, ...before, kept }, step);
}

const isGone = (port: number): ArgumentError =>
  new ArgumentError(
    `Proxy port ${port} is gone from the manager. Run \`pulumi refresh\`, and the next \`pulumi up\` creates it again.`,
  );

const isAnother = (port: number): ArgumentError =>
  new ArgumentError(
    `Proxy port ${port} is not the one that this resource has made: it does not bear its mark. The manager may have lost its configuration since, or be that of another machine. Nothing was changed. Run \`pulumi refresh\`; then set \`adopt: true\` to take the port over, or choose another number.`,
  );

function portNumber(id: string): number {
  const port = /^[1-9]\d{0,4}$/.test(id) ? Number(id) : 0;
  if (port > 0 && port <= HIGHEST_PORT) return port;
  throw new ArgumentError(`${JSON.stringify(id)} is not the id of a proxy port: expected its number, such as "24000".`);
}

const recorded = (inputs: Inputs, port: number, found: ConfiguredPort | undefined, step: Step) => ({
  ...{ ...inputs, ...markOf(found, step), port },
  listenPort: found?.listenPort ?? port,
});

/** What the state says of the mark of a port that was found; or was created just now. */
const markOf = (found: ConfiguredPort | undefined, step: Step) =>
  borneBy(found === undefined ? step.journal?.mark : found.pulumiId, step);

/** The port of a number as the manager lists it, or has it by itself; `undefined` where it certainly has none. */
const find = async (port: number, { context, deadline }: Step): Promise<ConfiguredPort | undefined> =>
  (await context.ports.find(port, deadline.signal)) ?? (await context.manager.ports.get(port, deadline));

interface Ensured {
  port: number;
  /** As it was found, where it was not created just now. */
  found?: ConfiguredPort;
  /** What it was created with, where an update that was cut short has done so. */
  declared?: Declared;
}

async function ensure(inputs: Inputs, step: Step): Promise<Ensured> {
  const { port } = inputs;
  try {
    // What an update that was cut short has created is looked for first, and told of where it is another.
    const listed = step.journal?.unfinished === undefined ? await listedToAdopt(inputs, step) : undefined;
    if (listed !== undefined) return { port: listed.port, found: takenOver(listed, inputs, step) };
    return await create(inputs, step);
  } catch (error) {
    const isTaken = error instanceof AlreadyExistsError || error instanceof TakenError;
    if (!isTaken || port === undefined) throw error;
    return { port, found: await adoptable(port, error, inputs, step) };
  } finally {
    if (port !== undefined) step.context.ports.drop(port);
  }
}

/** Creates a port, once. By its mark, which the manager keeps, it is told from one created at the same time. */
async function create(inputs: Inputs, step: Step): Promise<Ensured> {
  const { context, me } = step;
  const { manager } = context;
  const wanted = fieldsOf(inputs);
  const { port: number } = wanted;
  const mark = step.journal?.mark ?? randomBytes(8).toString("hex");
  const title = number === undefined ? "the proxy port" : `proxy port ${number}`;
  // Not while it is sent: a failure of this one leaves no doubt that nothing was created.
  const first = number ?? (await afterExpected(step));
  const told = new Set<number>();
  let isNew = false;
  const creation = {
    title,
    facts: { mark, declared: leafPaths(wanted) },
    ...(number !== undefined && { thing: portThing(number), kept: { id: String(number), state: { ...inputs, mark } } }),
    async look(facts: JsonObject, signal: AbortSignal) {
      const records = await manager.ports.list({ signal });
      const marked = records.filter(({ pulumiId }) => pulumiId === facts.mark);
      const isOther = ({ port }: ConfiguredPort) => number !== undefined && port !== number;
      for (const { port } of marked.filter(isOther)) {
        if (!told.has(port)) advise({ advice: orphan(port), thing: portThing(port) }, step);
        told.add(port);
      }
      const atNumber = records.find(({ port }) => port === number);
      if (atNumber !== undefined && atNumber.pulumiId !== facts.mark)
        throw new TakenError(`${title} is somebody else's`);
      const isAnothers = ({ port }: ConfiguredPort) => context.claims.isAnothers(portThing(port), me);
      const own = marked.filter((record) => !isOther(record) && !isAnothers(record));
      return own.map((found): Ensured => ({ port: found.port, found, declared: createdWith(facts) }));
    },
    async send(signal: AbortSignal): Promise<Ensured[]> {
      isNew = true;
      const marked = { ...wanted, pulumiId: mark };
      if (number === undefined) return [{ port: await createAnywhere(marked, first, signal, step) }];
      return [{ port: await manager.ports.create(marked, { signal }) }];
    },
    isMarked: true,
    // There is one port of a number; without one, a request that the manager works on yet would create another.
    isRepeatable: (lost: Error) => number !== undefined || lost instanceof ConnectionError,
    remedy: "The next `pulumi up` on this machine looks for it again.",
    advice: leftBehind(
      number === undefined ? `a proxy port at ${manager.url}` : `${title} at ${manager.url}`,
      "If it is there, declare a ProxyPort of its number with `adopt: true` to manage it, or delete it in the manager.",
    ),
  };
  const ensured = single(await createOnce<Ensured>(creation, step));
  return isNew ? { port: ensured.port } : ensured;
}

/** The paths of what an update that was cut short has created ports with. */
export const createdWith = ({ declared }: JsonObject): Declared =>
  new Set(Array.isArray(declared) ? declared.map(String) : []);

const orphan = (port: number): string =>
  `proxy port ${port}, which an update that was cut short has created, may be in no state, and the program declares another. To manage it, declare a ProxyPort with \`port: ${port}\` and \`adopt: true\`; otherwise delete it in the manager.`;

async function sync(live: ConfiguredPort, wanted: PortChange, step: Step): Promise<ConfiguredPort> {
  const changes = await changesOf(live, wanted, step);
  return changes.length > 0 ? send(live, changes, wanted, step) : live;
}

/**
 * The same with a port as the shared list has it, which spares a request for each of many. Somebody else may have changed it
 * since: the answer tells whether it is as declared now. Where that is not certain, the port has to be asked for.
 *
 * @returns the port as it is then; false where that is not certain, and nothing where nothing was sent
 */
async function syncedAsListed(listed: ConfiguredPort, wanted: PortChange, step: Step) {
  const { inputs } = wanted;
  const changes = await changesOf(listed, wanted, step);
  // What is repeated without being declared could take back what somebody else has changed.
  const repeats = REPEATED.some((field) => inputs[field] === undefined && (listed[field]?.length ?? 0) > 0);
  if (changes.length === 0 || repeats) return undefined;
  const updated = await send(listed, changes, wanted, step).catch(unless(NotFoundError));
  if (updated === undefined) return undefined;
  const sent = new Set(changes.map(([field]) => field));
  const left = await changesOf(updated, wanted, step).catch(keeping(String(listed.port), wanted.kept));
  return left.every(([field]) => sent.has(field)) && updated;
}

async function send(
  live: ConfiguredPort,
  changes: readonly [PortField, unknown][],
  { inputs, kept }: PortChange,
  step: Step,
): Promise<ConfiguredPort> {
  const { context, deadline } = step;
  const { port } = live;
  if (live.zone !== inputs.zone) await requireZone(inputs.zone, step);
  let updated = live;
  try {
    for (const fields of requestsOf(live, changes, inputs))
      updated = await context.manager.ports.update(port, fields, deadline);
    return updated;
  } catch (error) {
    if (updated === live && !isUnsettled(error, step)) throw error;
    throw new PartialFailure(String(port), { ...kept, unsettled: changes.map(([field]) => field) }, error);
  } finally {
    context.ports.drop(port);
  }
}
