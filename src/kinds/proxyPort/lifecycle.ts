import { randomBytes } from "node:crypto";
import { z } from "zod";
import { canonicalAddress } from "../../declaration/address";
import { sameJson } from "../../declaration/values";
import { AlreadyExistsError, ArgumentError, ConnectionError, NotFoundError, ServerError } from "../../errors";
import { isObject, type JsonObject } from "../../json";
import { createOnce, TakenError, UnknownOutcomeError } from "../../lifecycle/creation";
import { existsAlready } from "../../lifecycle/existing";
import { type Declared, type Lifecycle, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import {
  booleanSchema,
  type Checks,
  failuresOf,
  inputNames,
  type Rule,
  timeoutsSchema,
} from "../../lifecycle/oldCheck";
import { type Comparison, difference } from "../../lifecycle/oldDiff";
import { keysOf } from "../../lifecycle/paths";
import { settleSignal } from "../../lifecycle/settle";
import {
  addressSet,
  emptyValue,
  isPortField,
  PORT_FIELDS,
  type PortField,
  type PortFieldKind,
  type PortRecord,
  portField,
  portValue,
} from "../../manager/portFields";
import type { GeneralSettings } from "../../manager/settings";
import { requireZone } from "./knownZone";

// The manager refuses longer texts, but only on the first change.
const LONGEST_TEXT = 300;
/** From which on the manager gives numbers to ports that have none. */
const FIRST_AUTOMATIC_PORT = 24_000;
const HIGHEST_PORT = 65_535;

const text = z
  .string("expected a text.")
  .min(1, "expected a text that is not empty; leave the property out instead.")
  .max(LONGEST_TEXT, `expected at most ${LONGEST_TEXT} characters.`);
const wholeNumber = (least: number, most: number) =>
  z
    .number(`expected a whole number from ${least} to ${most}.`)
    .int(`expected a whole number from ${least} to ${most}.`)
    .min(least, `expected a whole number from ${least} to ${most}.`)
    .max(most, `expected a whole number from ${least} to ${most}.`);
const oneOf = (...values: string[]) =>
  z.enum(values, `expected ${values.map((value) => JSON.stringify(value)).join(" or ")}.`);
const address = z.string("expected a text.").refine((value) => canonicalAddress(value) !== undefined, {
  message:
    'expected an IPv4 address or CIDR block of four octets, such as "203.0.113.7" or "10.20.0.0/16". The manager takes anything else in silence, and then every request to the port hangs.',
});

const COUNTRY = 'expected a two-letter country code, such as "us".';

const SESSION = "expected true (a new session for each connection of a client) or a name without dots and hyphens.";

const byKind: Record<PortFieldKind, z.ZodType> = {
  text,
  number: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  flag: z.boolean("expected true or false."),
  addresses: z.array(address, "expected a list of addresses."),
  names: z.array(text, "expected a list of texts."),
  list: z.array(z.unknown(), "expected a list."),
  object: z.record(z.string(), z.unknown(), "expected an object."),
};

const special: Partial<Record<PortField, z.ZodType>> = {
  port: wholeNumber(1000, HIGHEST_PORT),
  proxyType: z.literal(
    "persist",
    'expected "persist". With any other type the manager runs the port, but neither saves, lists nor updates it. Leave it out.',
  ),
  multiply: wholeNumber(0, 10_000),
  tlsLib: oneOf("open_ssl", "flex_tls"),
  proxyConnectionType: oneOf("http", "https", "socks"),
  dns: oneOf("local", "remote"),
  country: z.string(COUNTRY).regex(/^([a-z]{2}|any)$/i, COUNTRY),
  proxyCountry: z.string(COUNTRY).regex(/^([a-z]{2}|any)$/i, COUNTRY),
  debug: oneOf("full", "none"),
  proxyPort: wholeNumber(1, 65_535),
  extProxyPort: wholeNumber(1, 65_535),
  harLimit: wholeNumber(-1, Number.MAX_SAFE_INTEGER),
  session: z.union([z.literal(true), text.regex(/^[^.-]*$/, SESSION)], SESSION),
  extProxies: z.array(text, 'expected a list such as ["user:password@203.0.113.7:8080"].'),
  ips: z.array(text, "expected a list of allocated IPs."),
  vips: z.array(z.union([text, z.number()], "expected the name or number of a gIP."), "expected a list of gIPs."),
  rules: z.array(z.record(z.string(), z.unknown(), "expected an object."), "expected a list of objects."),
  headers: z.array(
    z.looseObject({ name: text, value: z.string("expected a text.") }, "expected { name, value }."),
    "expected a list such as [{ name, value }].",
  ),
};

const fields = Object.fromEntries(
  Object.entries(PORT_FIELDS).map(([name, { kind }]) => {
    const schema = special[name as PortField] ?? byKind[kind];
    return [name, name === "zone" ? schema : schema.optional()];
  }),
);

const rules: readonly Rule[] = [
  {
    reads: ["multiplyUsers", "users"],
    failure: ({ multiplyUsers, users }) =>
      multiplyUsers === true && (!Array.isArray(users) || users.length === 0)
        ? "`multiplyUsers` is true without `users`: give the users that the port is to be multiplied for."
        : undefined,
  },
  {
    reads: ["ip", "vip"],
    failure: ({ ip, vip }) =>
      ip !== undefined && vip !== undefined
        ? "`ip` and `vip` exclude each other: a port leaves by one of them."
        : undefined,
  },
  {
    reads: ["port", "multiply"],
    failure: (inputs) =>
      lastPort(inputs) > HIGHEST_PORT
        ? `\`multiply\` is ${inputs.multiply}: the ports from ${inputs.port} on would go beyond ${HIGHEST_PORT}, the last there is.`
        : undefined,
  },
];

/** Last of the numbers that a port listens on. */
const lastPort = ({ port, multiply }: JsonObject): number => numeric(port) + (numeric(multiply) || 1) - 1;

/** A number, of which the manager may make a text; none (NaN) for what is not there or not known yet. */
const numeric = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

const secrets = Object.keys(PORT_FIELDS).filter((name) => portField(name as PortField).secret);

const checks: Checks = {
  schema: z.strictObject({ ...fields, adopt: booleanSchema, timeouts: timeoutsSchema }),
  properties: {
    "": [...Object.keys(PORT_FIELDS), "adopt", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
  // A header may be an authorization.
  secrets: [...secrets, "headers"],
};

const comparison: Comparison = {
  same(path, left, right) {
    const [top, ...rest] = keysOf(path) as [string, ...string[]];
    // Without a number of its own a port keeps the one it has.
    if (top === "port" && right === undefined) return true;
    if (!isPortField(top) || rest.length > 0) return sameJson(left, right);
    const [found, wanted] = [portValue(top, left), portValue(top, right)];
    if (top === "rules") return sameJson(digits(found), digits(wanted));
    // The manager adds parts of its own to an object.
    if (isObject(found) && isObject(wanted))
      return Object.keys(wanted).every((key) => sameJson(found[key], wanted[key]));
    return sameJson(found, wanted);
  },
  replaces: (path) => isPortField(path) && portField(path).replaces === true,
};

// The manager makes integers of all texts in rules that begin with a digit.
function digits(value: unknown): unknown {
  if (typeof value === "string" && /^\d/.test(value)) return Number.parseInt(value, 10);
  if (Array.isArray(value)) return value.map(digits);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, digits(item)]));
}

/** A port of the local Proxy Manager. */
export const proxyPort = {
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets,

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  diff(state, declared, inputs) {
    const { changed, replaces } = difference(state, declared, inputs, comparison);
    return { changed, replaces, deleteBeforeReplace: replaces.length > 0 && overlap(state, inputs) };
  },

  holds(id, { port }) {
    const number = id ?? (typeof port === "number" ? String(port) : undefined);
    return number === undefined ? [] : [number];
  },

  async create(inputs, run) {
    await requireZone(inputs.zone as string, run);
    const { port, isNew } = await make(inputs, run);
    if (isNew) return { id: String(port), state: { ...inputs, port, listenPort: port } };
    try {
      const live = await sync(port, {}, new Set(), inputs, run, true);
      return { id: String(port), state: { ...inputs, port, listenPort: live.listenPort ?? port } };
    } catch (error) {
      throw new PartialFailure(String(port), { ...inputs, port }, error);
    } finally {
      run.context.ports.forget();
    }
  },

  async read(id, inputs, run, state = {}) {
    const { context, deadline } = run;
    const port = portNumber(id);
    const listed = (await context.ports.get(deadline.signal)).find((record) => Number(record.port) === port);
    const live = listed ?? (await context.manager.ports.get(port, { signal: deadline.signal }));
    if (live === undefined || !mayBeOurs(live, state)) return undefined;
    return stateOf(inputs, live, await context.managerSettings.get(deadline.signal));
  },

  async update(id, state, declared, inputs, run) {
    const port = portNumber(id);
    if (typeof state.mark === "string") return finishMaking(port, state, inputs, run);
    try {
      const live = await sync(port, state, declared, inputs, run, false);
      return { ...inputs, port, listenPort: live.listenPort ?? port };
    } finally {
      run.context.ports.forget();
    }
  },

  async delete(id, state, run) {
    const { context, deadline } = run;
    const port = portNumber(id);
    const { signal } = deadline;
    const isThere = async () => {
      const listed = (await context.manager.ports.list({ signal })).find((other) => Number(other.port) === port);
      const record = listed ?? (await context.manager.ports.get(port, { signal }));
      return record !== undefined && mayBeOurs(record, state);
    };
    if (typeof state.mark === "string" && !(await isThere())) return;
    try {
      await context.manager.ports.remove(port, { signal });
    } catch (error) {
      if (error instanceof NotFoundError && !(await isThere())) return;
      if (!(error instanceof ServerError) || !/already being stopped/i.test(error.serviceMessage)) throw error;
      await deadline.poll(
        `waiting for port ${port}, which is being deleted already (a port that stays so needs a restart of the manager)`,
        async () => ((await isThere()) ? undefined : true),
      );
    } finally {
      context.ports.forget();
    }
  },
} satisfies Lifecycle;

/**
 * A port whose creation had an outcome that nobody knew is told from others by the mark that it was to get: its number may be
 * somebody else's by now.
 */
const mayBeOurs = (live: PortRecord, { mark }: JsonObject): boolean =>
  typeof mark !== "string" || live.pulumiId === mark;

/** Whether two ports could not listen at the same time. One without a number gets one that is free. */
const overlap = (left: JsonObject, right: JsonObject): boolean =>
  numeric(left.port) <= lastPort(right) && numeric(right.port) <= lastPort(left);

const portFields = (inputs: JsonObject): PortRecord => {
  const wanted = Object.fromEntries(Object.entries(inputs).filter(([name]) => isPortField(name))) as PortRecord;
  const { whitelistIps } = wanted;
  return Array.isArray(whitelistIps) ? { ...wanted, whitelistIps: [...addressSet(whitelistIps)] } : wanted;
};

function portNumber(id: string): number {
  const port = Number(id);
  if (Number.isInteger(port) && port > 0) return port;
  throw new ArgumentError(`${JSON.stringify(id)} is not the id of a proxy port: expected its number, such as "24000".`);
}

/** A port that is there by now, and whether it is as it was asked to be. */
interface Made {
  port: number;
  isNew: boolean;
}

/** Makes a port, or takes over the one that has the number. */
async function make(inputs: JsonObject, run: Run): Promise<Made> {
  const { port: number } = inputs;
  try {
    return await makeOnce(inputs, run);
  } catch (error) {
    const isTaken = error instanceof AlreadyExistsError || error instanceof TakenError;
    if (!isTaken || typeof number !== "number") throw error;
    await refuseUnlessAdoptable(number, error, inputs, run);
    return { port: number, isNew: false };
  } finally {
    run.context.ports.forget();
  }
}

/**
 * Makes a port, once. It gets a mark, which the manager keeps with its record: by it a port is told, when the answer was lost,
 * from one that somebody else has made at the same time.
 */
async function makeOnce(inputs: JsonObject, run: Run): Promise<Made> {
  const { manager } = run.context;
  const wanted = portFields(inputs);
  const { port: number } = wanted;
  const mark = run.journal?.mark ?? randomBytes(8).toString("hex");
  const title = number === undefined ? "the proxy port" : `proxy port ${number}`;
  let isNew = false;
  const creation = {
    title,
    facts: { mark },
    async look(facts: JsonObject, signal: AbortSignal) {
      const records = await manager.ports.list({ signal });
      const atNumber = records.find((record) => Number(record.port) === number);
      if (atNumber !== undefined && atNumber.pulumiId !== facts.mark)
        throw new TakenError(`${title} is somebody else's`);
      const marked = records.filter(({ pulumiId }) => pulumiId === facts.mark).map(({ port }) => Number(port));
      const others = marked.filter((port) => number !== undefined && port !== number);
      for (const port of others) run.say?.(orphan(port));
      return marked.filter((port) => !others.includes(port));
    },
    async send(signal: AbortSignal) {
      isNew = true;
      const marked = { ...wanted, pulumiId: mark };
      return [
        await (number === undefined ? createAnywhere(marked, signal, run) : manager.ports.create(marked, { signal })),
      ];
    },
    // There is one port of a number; without one, a request that the manager works on yet would make another.
    isRepeatable: (lost: Error) => number !== undefined || lost instanceof ConnectionError,
    remedy: "The next `pulumi up` on this machine looks for it again.",
  };
  try {
    const [port = Number.NaN] = await createOnce(creation, run);
    return { port, isNew };
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError) || number === undefined) throw error;
    throw new PartialFailure(String(number), { ...inputs, mark }, error);
  }
}

const orphan = (port: number): string =>
  `proxy port ${port}, which an update that was cut short has made, is in no state, and the program declares another. To manage it, declare a ProxyPort with \`port: ${port}\` and \`adopt: true\`; otherwise delete it in the manager.`;

/** Goes on with a port of which it was not known whether it had been made. */
async function finishMaking(port: number, state: JsonObject, inputs: JsonObject, run: Run): Promise<JsonObject> {
  const { context, deadline } = run;
  const live = await context.manager.ports.get(port, { signal: deadline.signal });
  const isOurs = live !== undefined && mayBeOurs(live, state);
  const made = isOurs ? { isNew: false } : await make({ ...inputs, port }, run);
  if (!made.isNew) await sync(port, {}, new Set(), inputs, run, true);
  return { ...inputs, port, listenPort: live?.listenPort ?? port };
}

const MOST_TRIES = 100;

/**
 * The manager chooses the number after its highest port, even one that another program holds or that another resource of this
 * program is about to get: go on from there.
 */
async function createAnywhere(wanted: PortRecord, signal: AbortSignal, run: Run): Promise<number> {
  const { ports } = run.context.manager;
  let taken: AlreadyExistsError | undefined;
  let number = await afterExpected(signal, run);
  for (let tries = 0; tries <= MOST_TRIES; tries++) {
    try {
      return await ports.create(number === undefined ? wanted : { ...wanted, port: number }, { signal });
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
      taken ??= error;
      number = 1 + (number ?? Number(/(?:\bport |:)(\d+)\b/i.exec(error.serviceMessage)?.[1]));
      if (!(number <= HIGHEST_PORT)) break;
    }
  }
  throw new ArgumentError(
    `The Proxy Manager found no free port: ${taken?.serviceMessage}, and neither is one of those after it free. Choose one with \`port\`.`,
    { cause: taken },
  );
}

/** A number beyond those that the program declares and the manager would give away; `undefined` where there are none. */
async function afterExpected(signal: AbortSignal, run: Run): Promise<number | undefined> {
  const { ownership, manager } = run.context;
  if (ownership.expected("ProxyPort").length === 0) return undefined;
  const listed = (await manager.ports.list({ signal })).map(({ port }) => Number(port));
  const offered = 1 + Math.max(FIRST_AUTOMATIC_PORT - 1, ...listed);
  const expected = Math.max(...ownership.expected("ProxyPort").map(Number));
  return expected >= offered && expected < HIGHEST_PORT ? expected + 1 : undefined;
}

/** @throws unless the port that has the number is to be taken over, and can be */
async function refuseUnlessAdoptable(
  port: number,
  taken: AlreadyExistsError | TakenError,
  inputs: JsonObject,
  run: Run,
): Promise<void> {
  const { words, record } = await ownerOf(port, taken.message, run);
  if (run.context.ownership.has(`ProxyPort ${port}`)) {
    throw new ArgumentError(
      `Port ${port} is another resource's of this program: one that declares it too, or one without \`port\`, to which the manager has given that number. Declare each port once, and give numbers to all or to none.`,
    );
  }
  const another = "choose another number; without `port` the manager takes a free one";
  if (record === undefined) {
    throw new ArgumentError(`Port ${port} is in use by ${words}: ${another}.`, { cause: taken });
  }
  if (inputs.adopt !== true) {
    const ways = ["set `adopt: true` to take it over (`pulumi destroy` will delete it then)", another];
    throw existsAlready(`Port ${port} is in use by ${words}`, ways, taken);
  }
  const fixed = Object.keys(portFields(inputs)).filter(comparison.replaces) as PortField[];
  const differing = fixed.filter((field) => !comparison.same(field, record[field], inputs[field]));
  if (differing.length > 0) {
    const shown = (value: unknown) => JSON.stringify(value) ?? "not set";
    throw new ArgumentError(
      `Port ${port} is ${words}, and differs in what cannot be changed in place: ${differing
        .map((field) => `\`${field}\` is ${shown(record[field])} and not ${shown(inputs[field])}`)
        .join(", ")}. Declare what it is, or choose another number.`,
      { cause: taken },
    );
  }
}

/** Who has a number, in words; with the record where it is a port that can be adopted. */
async function ownerOf(port: number, words: string, run: Run): Promise<{ words: string; record?: PortRecord }> {
  if (/another app|EADDRINUSE/i.test(words)) return { words: "another program on the manager's machine" };
  if (/UI\/API/i.test(words)) return { words: "the Proxy Manager itself (its UI and API)" };
  const ports = await run.context.manager.ports.list({ signal: settleSignal() }).catch(() => []);
  const record = ports.find((other) => Number(other.port) === port);
  if (record !== undefined && record.proxyType === undefined) return { words: "the Proxy Manager's drop-in port" };
  if (record !== undefined) {
    const name = record.internalName === undefined ? "" : `, named ${JSON.stringify(record.internalName)}`;
    return { words: `a proxy port of zone ${JSON.stringify(record.zone ?? "(the default)")}${name}`, record };
  }
  const range = ports.find((other) => port > Number(other.port) && port <= lastPort(other));
  return {
    words: range === undefined ? "another proxy port" : `the range that port ${range.port} is multiplied to`,
  };
}

/**
 * Sends the fields of a port that are not as declared, and what the manager needs repeated beside them.
 *
 * @param resend whether values that cannot be read back are sent without a change: nobody knows what an adopted port has
 * @returns the port as it was found
 */
async function sync(
  port: number,
  state: JsonObject,
  declared: Declared,
  inputs: JsonObject,
  run: Run,
  resend: boolean,
): Promise<PortRecord> {
  const { context, deadline } = run;
  const { signal } = deadline;
  const live = await context.manager.ports.get(port, { signal });
  if (live !== undefined && live.zone !== inputs.zone) await requireZone(inputs.zone as string, run);
  if (live === undefined) {
    throw new ArgumentError(
      `Proxy port ${port} is gone from the manager. Run \`pulumi refresh\`, and the next \`pulumi up\` makes it anew.`,
    );
  }
  const defaults = inheritedAddresses(await context.manager.settings.get({ signal }));
  const wanted = portFields(inputs);
  const changes: PortRecord = {};
  for (const name of Object.keys(wanted)) {
    const field = name as PortField;
    const value = wanted[field];
    if (field === "port") continue;
    if (portField(field).writeOnly) {
      if (resend || !sameJson(state[field], value)) changes[field] = value;
    } else if (field === "whitelistIps") {
      if (!sameAddresses(value, live.whitelistIps, defaults)) changes[field] = value;
    } else if (!comparison.same(field, live[field], value)) {
      changes[field] = value;
    }
  }
  for (const path of declared) {
    const field = path.split(".")[0] as string;
    if (!isPortField(field) || field === "port" || wanted[field] !== undefined) continue;
    const rest = field === "whitelistIps" ? own(live.whitelistIps, defaults) : portValue(field, live[field]);
    const empty = rest === undefined || (Array.isArray(rest) && rest.length === 0);
    if (!empty) changes[field] = emptyValue(field);
  }
  if (Object.keys(changes).length > 0) {
    // Without `zone` the manager blanks it, and without `ips` and `vips` it makes the port anew and drops its connections.
    const repeated: PortRecord = { zone: wanted.zone };
    for (const field of ["ips", "vips"] as const) {
      if (Array.isArray(live[field]) && live[field].length > 0) repeated[field] = live[field];
    }
    await context.manager.ports.update(port, { ...repeated, ...changes }, { signal });
  }
  return live;
}

/** The addresses that every port has beside its own. */
const inheritedAddresses = (settings: GeneralSettings): Set<string> =>
  addressSet([...settings.fixedWhitelistIps, ...settings.wwwWhitelistIps, ...settings.whitelistIps]);

const own = (addresses: unknown, inherited: ReadonlySet<string>): string[] =>
  [...addressSet(Array.isArray(addresses) ? addresses : [])].filter((ip) => !inherited.has(ip)).sort();

// An address that every port has cannot be told from one that was given to this port too.
const sameAddresses = (left: unknown, right: unknown, inherited: ReadonlySet<string>): boolean =>
  sameJson(own(left, inherited), own(right, inherited));

/** The state of a port: the fields that were declared with the values that the manager has, its number, nothing else. */
function stateOf(inputs: JsonObject | undefined, live: PortRecord, settings: GeneralSettings): JsonObject {
  const port = Number(live.port);
  const numbers = { port, listenPort: Number(live.listenPort ?? port) };
  if (inputs === undefined) {
    const { pulumiId: _mark, ...fields } = live;
    return { ...fields, ...numbers };
  }
  const inherited = inheritedAddresses(settings);
  const state: JsonObject = {};
  for (const [name, value] of Object.entries(inputs)) {
    if (!isPortField(name) || portField(name).writeOnly) {
      state[name] = value;
    } else if (name === "whitelistIps") {
      const same = sameAddresses(value, live.whitelistIps, inherited);
      state[name] = same ? value : own(live.whitelistIps, inherited);
    } else {
      const found = live[name] ?? (portValue(name, value) === undefined ? value : portField(name).initial);
      state[name] = comparison.same(name, found, value) ? value : found;
    }
  }
  return { ...state, ...numbers };
}
