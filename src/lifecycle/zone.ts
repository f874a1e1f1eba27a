import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AlreadyExistsError, ArgumentError, BrightDataError, NotFoundError, PermissionError } from "../errors";
import type { JsonObject } from "../http/case";
import { camelCase, isObject } from "../http/case";
import { mayMeanNoZone } from "../remote/absence";
import { FLAG_VALUES, PLAN_FIELDS, type Plan, type PlanField, planValue, serviceField } from "../remote/plan";
import type { ZoneRecord, ZoneSummary } from "../remote/zones";
import { booleanSchema, type Checks, failuresOf, inputNames, type Rule, timeoutsSchema } from "./check";
import { type Comparison, difference, sameJson } from "./diff";
import { type Declared, type Lifecycle, PartialFailure, type Run, UNKNOWN } from "./lifecycle";
import { unlessGone } from "./ofZone";
import { at, pick } from "./paths";
import { isUnsettled, turnsUp } from "./settle";

/** The longest name that the service takes, and the suffix of a generated one: an underscore and seven hex digits. */
const LONGEST_NAME = 63;
const SUFFIX_DIGITS = 7;
const NAME = /^[a-z0-9_]{3,63}$/;

/**
 * The logical name of a resource whose zone's name is generated. It stands in the inputs as long as the program gives no
 * name: a generated name is made anew with a replacement, a given one has to be free first.
 */
const GENERATED_FROM = "__autoname";

const flag = z
  .custom((value) => FLAG_VALUES.has(value), `expected true or false (the service's "true", "false", 1 and 0 will do).`)
  .optional();
const count = z
  .custom(
    (value) => /^\d{1,9}$/.test(String(value)) && ["number", "string"].includes(typeof value),
    "expected a whole number from 0 on.",
  )
  .optional();
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `expected one of ${values.map((value) => JSON.stringify(value)).join(", ")}.`);
const text = z
  .string("expected a text.")
  .min(1, "expected a text that is not empty; leave the property out instead.")
  .optional();
const country = z
  .string('expected a two-letter country code, such as "us".')
  .regex(/^([a-z]{2}|any)$/i, 'expected a two-letter country code, such as "us", or "any".')
  .optional();

const planSchema = z.strictObject(
  {
    type: oneOf(["static", "resident", "unblocker", "browser_api"]),
    ipsType: oneOf(["shared", "dedicated", "selective"]).optional(),
    bandwidth: oneOf(["bandwidth", "unlimited", "payperusage"]).optional(),
    unlBwTiers: text,
    poolIpType: oneOf(["dc", "static_res"]).optional(),
    ipAllocPreset: text,
    ips: count,
    country,
    countryCity: text,
    city: flag,
    asn: flag,
    mobile: flag,
    serp: flag,
    vip: flag,
    vips: count,
    vipsType: oneOf(["shared", "domain", "domain_p"]).optional(),
    vipCountry: country,
    vipCountryCity: text,
    domainWhitelist: text,
    ubPremium: flag,
    solveCaptchaDisable: flag,
    customHeaders: flag,
    extra: z
      .record(
        z.string().regex(/^[a-z]\w*$/i),
        z.unknown(),
        "expected an object of further plan fields in the service's spelling.",
      )
      .optional(),
  } satisfies Record<PlanField | "extra", z.ZodType>,
  "expected an object with at least a `type`.",
);

const schema = z.strictObject({
  name: z
    .string("expected a text.")
    .regex(NAME, "expected 3 to 63 of the characters a-z, 0-9 and _. Leave it out, and a name is generated.")
    .optional(),
  type: text,
  plan: planSchema,
  disabled: booleanSchema,
  adopt: booleanSchema,
  timeouts: timeoutsSchema,
  [GENERATED_FROM]: z.string().optional(),
});

// What the service would take in silence and make something else of.
const rules: readonly Rule[] = [
  {
    reads: ["plan.bandwidth", "plan.unlBwTiers"],
    failure: ({ plan }) =>
      isObject(plan) && plan.bandwidth === "unlimited" && plan.unlBwTiers === undefined
        ? '`plan.bandwidth` is "unlimited" without `plan.unlBwTiers`: the service ignores it then and bills by the gigabyte. Add `unlBwTiers: "std"`.'
        : undefined,
  },
  {
    reads: ["type", "plan.poolIpType"],
    failure: ({ type, plan }) =>
      isObject(plan) && /^isp$/i.test(String(type)) && plan.poolIpType !== "static_res"
        ? '`type` is "ISP" without `plan.poolIpType: "static_res"`: the service makes a datacenter zone of it. Add it, or take `type` away.'
        : undefined,
  },
  {
    reads: ["plan.vipsType", "plan.domainWhitelist"],
    failure: ({ plan }) =>
      isObject(plan) && plan.vipsType === "domain" && plan.domainWhitelist === undefined
        ? '`plan.vipsType` is "domain" without `plan.domainWhitelist`: dedicated gIPs need the target domains, separated by blanks.'
        : undefined,
  },
  {
    reads: ["plan.vipsType", "plan.vipCountry"],
    failure: ({ plan }) =>
      isObject(plan) && plan.vipCountry !== undefined && plan.vipsType !== "domain"
        ? '`plan.vipCountry` has a meaning with `plan.vipsType: "domain"` only. Use `plan.country`, or add it.'
        : undefined,
  },
  // Fields of the plan proper are compared by what they mean; as extras they would seem to change, and make a new zone, for ever.
  ...Object.keys(PLAN_FIELDS).map((field) => ({
    reads: [`plan.extra.${serviceField(field)}`],
    failure: (inputs: JsonObject) =>
      at(inputs, `plan.extra.${serviceField(field)}`) === undefined
        ? undefined
        : `\`plan.extra.${serviceField(field)}\` has a property of its own: use \`plan.${field}\`.`,
  })),
];

const checks: Checks = {
  schema,
  properties: {
    "": ["name", "type", "plan", "disabled", "adopt", "timeouts"],
    plan: [...Object.keys(PLAN_FIELDS), "extra"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
};

const comparison: Comparison = {
  same(path, left, right) {
    const [top, field, ...rest] = path.split(".");
    if (top === "disabled") return Boolean(left) === Boolean(right);
    if (top !== "plan" || field === undefined) return sameJson(left, right);
    if (!isPlanField(field) || rest.length > 0) return sameLoosely(left, right);
    return sameJson(planValue(field, left), planValue(field, right));
  },
  replaces: (path) => ["name", "type", "plan"].includes(path.split(".")[0] as string),
};

/**
 * How many IPs and gIPs a zone is made with. They come and go later, by hand and with a ZoneIps, and that is no reason for a
 * new zone: what was declared stays in the state, whatever the zone has. Only another number in the program makes one.
 */
const COUNTS = ["ips", "vips"] as const satisfies readonly PlanField[];

const isCount = (path: string): boolean => COUNTS.some((field) => path === `plan.${field}`);

const isPlanField = (name: string): name is PlanField => Object.hasOwn(PLAN_FIELDS, name);

// Fields that this package does not know: 1, "1", true and "true" are one value, and so are 0, "", false and nothing.
function sameLoosely(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) => FLAG_VALUES.get(value ?? false) ?? (value === "" ? false : value);
  return sameJson(plain(left), plain(right)) || String(left) === String(right);
}

/** A zone of the account, on the remote service. */
export const zone = {
  timeouts: { create: 120, read: 60, update: 120, delete: 120 },
  inputs: inputNames(checks),
  secrets: ["password", "passwords"],

  check(inputs, previous) {
    const { [GENERATED_FROM]: logicalName, ...given } = inputs;
    const failures = failuresOf(given, checks);
    if (given.name !== undefined || typeof logicalName !== "string") return { inputs: given, failures };
    const name = typeof previous?.name === "string" ? previous.name : generatedName(logicalName);
    return { inputs: { ...given, name, [GENERATED_FROM]: logicalName }, failures };
  },

  diff(state, declared, inputs) {
    const { changed, replaces } = difference(withoutSurplus(state, declared, inputs), declared, inputs, comparison);
    const sameName = inputs.name === state.name && inputs[GENERATED_FROM] === undefined;
    return { changed, replaces, deleteBeforeReplace: replaces.length > 0 && sameName };
  },

  async create(inputs, run) {
    const name = inputs.name as string;
    const { context } = run;
    if ((await listedZone(name, run).catch(notPermitted)) !== undefined) return adopt(name, inputs, run);
    const wanted = {
      name,
      ...(typeof inputs.type === "string" ? { type: inputs.type } : {}),
      plan: inputs.plan as Plan,
    };
    try {
      await context.remote.zones.create(wanted, { signal: run.deadline.signal });
    } catch (error) {
      if (error instanceof AlreadyExistsError) return adopt(name, inputs, run);
      if (!(await cameIntoBeing(error, name, run))) throw error;
    } finally {
      context.zones.forget();
    }
    try {
      return { id: name, state: await settle(name, inputs, inputs.disabled === true, run) };
    } catch (error) {
      throw new PartialFailure(name, { ...inputs, name }, error);
    }
  },

  async read(id, inputs, run) {
    const { context, deadline } = run;
    const live = await unlessGone(id, run, () => context.remote.zones.get(id, { signal: deadline.signal }));
    if (live === undefined) return undefined;
    const listed = await summary(id, run).catch(notPermitted);
    if (listed?.status === "deleted") return undefined;
    return stateOf(inputs ?? {}, live, listed?.status);
  },

  async update(id, _state, declared, inputs, run) {
    return settle(id, inputs, inputs.disabled !== undefined || declared.has("disabled"), run);
  },

  async delete(id, _state, run) {
    const { context, deadline } = run;
    try {
      await context.remote.zones.remove(id, { signal: deadline.signal });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return;
    } finally {
      context.zones.forget();
    }
    // A name is free again only when the list says so; a replacement with the same name would meet its own shadow.
    await deadline.poll(`waiting for zone ${JSON.stringify(id)} to leave the list of zones`, async () => {
      const listed = await listedZone(id, run, true).catch(notPermitted);
      return listed === undefined ? true : undefined;
    });
  },
} satisfies Lifecycle;

/** A name for a zone: the logical name in the characters that the service takes, and a random suffix. */
function generatedName(logicalName: string): string {
  const stem = logicalName
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .slice(0, LONGEST_NAME - SUFFIX_DIGITS - 1);
  return `${stem}_${randomBytes(4).toString("hex").slice(0, SUFFIX_DIGITS)}`;
}

/**
 * The state with the numbers of IPs that are declared for the first time, where the zone has as many or more by now: those
 * beyond have come since it was made.
 */
function withoutSurplus(state: JsonObject, declared: Declared, inputs: JsonObject): JsonObject {
  const covered = COUNTS.filter((field) => {
    const [has, wanted] = [state, inputs].map((value) => at(value, `plan.${field}`));
    const isNew = wanted !== undefined && wanted !== UNKNOWN && !declared.has(`plan.${field}`);
    return isNew && Number(has ?? 0) >= Number(wanted);
  });
  if (covered.length === 0) return state;
  return { ...state, plan: { ...(state.plan as Plan), ...pick(inputs.plan as JsonObject, covered) } };
}

/**
 * Waits until the zone reads back, switches it on or off where that is wanted, and returns its state.
 *
 * @param switched whether the program has a say in whether the zone is on
 */
async function settle(name: string, inputs: JsonObject, switched: boolean, run: Run): Promise<JsonObject> {
  const { context, deadline } = run;
  const quoted = JSON.stringify(name);
  let live = await deadline.poll(`waiting for zone ${quoted} to become visible`, () => visible(name, run));
  const disabled = inputs.disabled === true;
  if (switched && live.disabled !== disabled) {
    await context.remote.zones.setDisabled(name, disabled, { signal: deadline.signal });
    live = await deadline.poll(`waiting for zone ${quoted} to be ${disabled ? "disabled" : "enabled"}`, async () => {
      const found = await visible(name, run);
      return found?.disabled === disabled ? found : undefined;
    });
  }
  context.zones.forget();
  return stateOf(inputs, live, undefined);
}

// A new zone takes a moment to become readable, and until then reads like one that does not exist.
async function visible(name: string, run: Run): Promise<ZoneRecord | undefined> {
  try {
    return await run.context.remote.zones.get(name, { signal: run.deadline.signal });
  } catch (error) {
    if (mayMeanNoZone(error)) return undefined;
    throw error;
  }
}

/** Whether a creation whose outcome nobody saw has taken place. */
async function cameIntoBeing(error: unknown, name: string, run: Run): Promise<boolean> {
  if (!isUnsettled(error, run)) return false;
  const { zones } = run.context.remote;
  const listed = async (signal: AbortSignal) =>
    (await zones.listAll({ signal })).some((zone) => zone.name === name && zone.status !== "deleted");
  return turnsUp(listed).catch(() => {
    throw new BrightDataError(
      `${(error as Error).message} Whether zone ${JSON.stringify(name)} was made could not be found out either. Look for it in the control panel: if it is there, set \`adopt: true\` and run again.`,
      { cause: error },
    );
  });
}

async function adopt(name: string, inputs: JsonObject, run: Run): Promise<{ id: string; state: JsonObject }> {
  const listed = await summary(name, run).catch(notPermitted);
  if (listed?.status === "deleted") {
    throw new ArgumentError(
      `${JSON.stringify(name)} was the name of a zone that is deleted, and the service does not give it out again: choose another name.`,
    );
  }
  if (inputs.adopt !== true) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(name)} exists already and was not made here. Set \`adopt: true\` to take it over (\`pulumi destroy\` will delete it then), look it up with \`Zone.get\` to use it without owning it, or choose another name.`,
    );
  }
  const live = await run.context.remote.zones.get(name, { signal: run.deadline.signal });
  const state = stateOf(inputs, live, undefined);
  const plan = { ...(state.plan as Plan), ...pick(live.plan, COUNTS) };
  const found = withoutSurplus({ ...state, plan }, new Set(), inputs);
  const { changed } = difference(found, new Set(), inputs, comparison);
  const paths = changed.filter((path) => comparison.replaces(path) && differs(path, found, inputs));
  if (paths.length > 0) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(name)} exists already, but differs in what cannot be changed in place: ${paths
        .map((path) => `\`${path}\` is ${shown(found, path)} and not ${shown(inputs, path)}`)
        .join(", ")}. Declare what it is, or choose another name.`,
    );
  }
  return { id: name, state: await settle(name, inputs, inputs.disabled !== undefined, run) };
}

const differs = (path: string, state: JsonObject, inputs: JsonObject): boolean =>
  !comparison.same(path, at(state, path), at(inputs, path));

const shown = (value: JsonObject, path: string): string => JSON.stringify(at(value, path)) ?? "not set";

/** The zone of that name in the list, unless it is deleted: deleted ones stay listed. */
async function listedZone(name: string, run: Run, anew = false): Promise<ZoneSummary | undefined> {
  if (anew) run.context.zones.forget();
  const listed = await summary(name, run);
  return listed?.status === "deleted" ? undefined : listed;
}

async function summary(name: string, { context, deadline }: Run): Promise<ZoneSummary | undefined> {
  return (await context.zones.get(deadline.signal)).find((zone) => zone.name === name);
}

// A token may be allowed to read and make zones but not to list them: then the list has no say.
function notPermitted(error: unknown): undefined {
  if (!(error instanceof PermissionError)) throw error;
}

/**
 * The state of a zone: what the service has, and what was declared where the service does not say. A value that means the
 * same as the one declared is kept in the program's spelling, so that only real changes show.
 */
function stateOf(inputs: JsonObject, live: ZoneRecord, status: string | undefined): JsonObject {
  const { extra, ...fields } = (inputs.plan ?? {}) as Plan;
  const plan: JsonObject = { ...live.plan };
  for (const [field, value] of Object.entries(fields)) {
    const found = live.plan[field];
    const path = `plan.${field}`;
    if (found === undefined || isCount(path) || comparison.same(path, found, value)) plan[field] = value;
  }
  if (extra !== undefined) plan.extra = settledExtra(extra, live.plan);
  return {
    ...inputs,
    name: live.name,
    plan,
    disabled: live.disabled,
    status: status ?? (live.disabled ? "disabled" : "active"),
    created: live.created,
    passwords: live.passwords,
    password: live.passwords[0],
    ips: live.ips,
    perm: live.perm,
    description: live.description,
  };
}

function settledExtra(extra: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(extra).map(([key, value]) => {
      const found = live[camelCase(key)];
      return [key, found === undefined || sameLoosely(found, value) ? value : found];
    }),
  );
}
