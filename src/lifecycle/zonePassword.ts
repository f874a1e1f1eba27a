import { randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import { ArgumentError } from "../errors";
import { triggersSchema } from "./action";
import { booleanSchema, type Checks, failuresOf, inputNames, type Rule, timeoutsSchema } from "./check";
import { type Comparison, difference, sameJson } from "./diff";
import { type Lifecycle, PartialFailure, type Run } from "./lifecycle";
import { unlessGone, zoneSchema } from "./ofZone";
import { isUnsettled, settleSignal, turnsUp } from "./settle";

const LENGTH = 16;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

const rules: readonly Rule[] = [
  {
    reads: [],
    failure: ({ password, triggers }) =>
      password !== undefined && triggers !== undefined
        ? "`triggers` make a new password be generated, and `password` is given: take one of them away. A change of a given password makes a new one by itself."
        : undefined,
  },
  {
    reads: [],
    failure: ({ password, adopt }) =>
      password === undefined && adopt === true
        ? "`adopt` takes over a password that the zone has: say which with `password`."
        : undefined,
  },
];

const checks: Checks = {
  schema: z.strictObject({
    zone: zoneSchema,
    password: z
      .string("expected a text.")
      .regex(/^[\x21-\x7e]+$/, "expected a password of printable ASCII characters without blanks.")
      .optional(),
    triggers: triggersSchema,
    adopt: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["zone", "password", "triggers", "adopt", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
  secrets: ["password"],
};

const comparison: Comparison = {
  same: (_path, left, right) => sameJson(left, right),
  replaces: (path) => ["zone", "password", "triggers"].includes(path),
};

/** A password of a zone; the proxies accept any that it has. */
export const zonePassword = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets: ["password"],

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  // The new one comes before the old one goes, so that there is always one that everybody knows.
  diff: (state, declared, inputs) => ({
    ...difference(state, declared, inputs, comparison),
    deleteBeforeReplace: false,
  }),

  async create(inputs, run) {
    const zone = inputs.zone as string;
    const password = (inputs.password as string | undefined) ?? generatedPassword();
    const state = { ...inputs, password };
    // Nothing about the password can be told from it, not even by guessing: ids are not secret.
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    return alone(zone, run, async () => {
      if (!(await passwordsOf(zone, run)).includes(password)) await add(id, zone, password, state, run);
      else if (inputs.adopt !== true) throw takenAlready(zone);
      return { id, state };
    });
  },

  async read(id, inputs, run, state) {
    const { password } = state;
    if (inputs === undefined || typeof password !== "string") {
      throw new ArgumentError(
        "A zone's password cannot be looked up by an id. Use getZonePasswords, or the `passwords` of Zone.get.",
      );
    }
    const zone = zoneOf(id);
    const present = await unlessGone(zone, run, () => passwordsOf(zone, run));
    return present?.includes(password) ? { ...inputs, password } : undefined;
  },

  async update(id, state, _declared, inputs, run) {
    const zone = zoneOf(id);
    const { password } = state;
    const kept = { ...inputs, password };
    await alone(zone, run, async () => {
      const present = await passwordsOf(zone, run);
      if (typeof password === "string" && !present.includes(password)) await add(id, zone, password, kept, run);
    });
    return kept;
  },

  async delete(id, { password }, run) {
    const zone = zoneOf(id);
    await alone(zone, run, async () => {
      const present = await unlessGone(zone, run, () => passwordsOf(zone, run));
      if (typeof password !== "string" || !present?.includes(password)) return;
      if (present.length === 1) throw lastOne(zone);
      await remove(zone, password, run);
    });
  },
} satisfies Lifecycle;

const zoneOf = (id: string): string => id.split("/")[0] as string;

// The last password of a zone is told from the list: changes of one zone's must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`passwords of zone ${zone}`, task);

const passwordsOf = (zone: string, { context, deadline }: Run, signal = deadline.signal): Promise<string[]> =>
  context.remote.passwords.list(zone, { signal });

const generatedPassword = (): string =>
  Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");

const takenAlready = (zone: string): Error =>
  new ArgumentError(
    `Zone ${JSON.stringify(zone)} has that password already, and it was not put there here. Set \`adopt: true\` to take it over (\`pulumi destroy\` will remove it then), or give another.`,
  );

const lastOne = (zone: string): Error =>
  new ArgumentError(
    `This is the only password of zone ${JSON.stringify(zone)}, which has to keep one. Add another first, or delete the zone; with the resource option \`retainOnDelete\` it stays on the zone.`,
  );

/**
 * Adds a password, and waits until the zone has it.
 *
 * @throws {PartialFailure} when it may have it
 */
async function add(
  id: string,
  zone: string,
  password: string,
  state: Record<string, unknown>,
  run: Run,
): Promise<void> {
  const { context, deadline } = run;
  const isThere = async (signal: AbortSignal) => (await passwordsOf(zone, run, signal)).includes(password);
  try {
    await context.remote.passwords.add(zone, [password], { signal: deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    const came = await turnsUp(isThere).catch(() => {
      throw new PartialFailure(id, state, error);
    });
    if (!came) throw error;
    return;
  }
  try {
    await deadline.poll(
      `waiting for zone ${JSON.stringify(zone)} to have its new password`,
      async () => (await isThere(deadline.signal)) || undefined,
    );
  } catch (error) {
    throw new PartialFailure(id, state, error);
  }
}

async function remove(zone: string, password: string, run: Run): Promise<void> {
  const { context, deadline } = run;
  try {
    await context.remote.passwords.remove(zone, [password], { signal: deadline.signal });
  } catch (error) {
    const present = await passwordsOf(zone, run, settleSignal()).catch(() => [password]);
    if (present.includes(password)) throw error;
  }
}
