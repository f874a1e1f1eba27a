import { z } from "zod";
import { sameJson } from "../../declaration/values";
import { AlreadyExistsError, ArgumentError, PermissionError } from "../../errors";
import { camelCase } from "../../http/case";
import type { JsonObject } from "../../json";
import { isObject } from "../../json";
import { createOnce, UnknownOutcomeError } from "../../lifecycle/creation";
import { containsUnknown } from "../../lifecycle/diff";
import { existsAlready } from "../../lifecycle/existing";
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
import { at, keysOf, pick } from "../../lifecycle/paths";
import { mayMeanNoZone } from "../../remote/absence";
import { FLAG_VALUES, PLAN_FIELDS, type Plan, type PlanField, planValue, serviceField } from "../../remote/plan";
import type { ZoneRecord, ZoneSummary } from "../../remote/zones";
import { automaticName, keepName, NEW_ZONE_NAME, nextName } from "./automaticName";
import { isGone, unlessGone } from "./gone";

/**
 * The logical name of a resource whose zone's name is automatic. It stands in the inputs as long as the program gives no name:
 * an automatic name is another with a replacement, a given one has to be free first.
 */
const NAMED_AFTER = "__autoname";

/** How many automatic names are tried where the service does not give those of deleted zones out again. */
const MOST_NAMES = 10;

const NEW_NAME =
  "expected 3 to 63 of the characters a-z, 0-9 and _. Leave it out, and the zone gets an automatic name.";

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
    .regex(/^[\w-]{3,63}$/, `${NEW_NAME} Zones that exist already may have capitals and hyphens too.`)
    .optional(),
  type: text,
  plan: planSchema,
  disabled: booleanSchema,
  adopt: booleanSchema,
  timeouts: timeoutsSchema,
  [NAMED_AFTER]: z.string().optional(),
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
    const [top, field, ...rest] = keysOf(path);
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

  check(inputs: JsonObject, previous: JsonObject | undefined, key?: string) {
    const { [NAMED_AFTER]: logicalName, ...given } = inputs;
    const failures = failuresOf(given, checks);
    if (given.name !== undefined || typeof logicalName !== "string") return { inputs: given, failures };
    if (typeof previous?.name === "string") keepName(key, previous.name);
    // Without the plan the name is not known either.
    const automatic = () => (containsUnknown(given.plan) ? UNKNOWN : automaticName(logicalName, given.plan, key));
    return { inputs: { ...given, name: previous?.name ?? automatic(), [NAMED_AFTER]: logicalName }, failures };
  },

  diff(state, declared, inputs) {
    const known = withoutSurplus(state, declared, inputs);
    const found = isAutomatic(inputs) ? { ...known, name: inputs.name } : known;
    const { changed, replaces } = difference(found, declared, inputs, comparison);
    const sameName = inputs.name === state.name && !isAutomatic(inputs);
    return {
      changed: changed.filter((path) => path !== NAMED_AFTER),
      replaces,
      deleteBeforeReplace: replaces.length > 0 && sameName,
    };
  },

  holds(id, state) {
    const name = id ?? (isAutomatic(state) ? undefined : state.name);
    return typeof name === "string" ? [name] : [];
  },

  async create(inputs, run) {
    const isGiven = !isAutomatic(inputs);
    for (const name of namesFor(inputs)) {
      const listed = await summary(name, run);
      const isThere = listed !== undefined && listed.status !== "deleted";
      if (isThere && (isGiven || !isForeign(name, inputs, run))) return takeOver(name, inputs, run);
      if (isThere) {
        run.say?.(leftover(name));
        continue;
      }
      if (await makeUnlessTaken(name, inputs, run)) {
        return { id: name, state: await settleNew(name, inputs, run) };
      }
      if (isGiven && (await summary(name, run))?.status !== "deleted") return takeOver(name, inputs, run);
    }
    throw neverAgain(inputs.name as string);
  },

  async read(id, inputs, run) {
    const { context, deadline } = run;
    const live = await unlessGone(id, run, () => context.remote.zones.get(id, { signal: deadline.signal }));
    if (live === undefined) return undefined;
    const listed = await summary(id, run);
    if (listed?.status === "deleted") return undefined;
    return stateOf(inputs ?? {}, live, listed?.status);
  },

  async update(id, state, declared, inputs, run) {
    if ((await visible(id, run)) === undefined && (await isGone(id, run))) {
      if (state.created !== undefined) throw gone(id);
      // Nobody knew what had become of its creation.
      await make(id, inputs, run);
    }
    return settle(id, inputs, inputs.disabled !== undefined || declared.has("disabled"), run);
  },

  async delete(id, _state, run) {
    const { context, deadline } = run;
    try {
      await context.remote.zones.remove(id, { signal: deadline.signal });
    } catch (error) {
      if (!mayMeanNoZone(error) || !(await isGone(id, run))) throw error;
      return;
    } finally {
      context.zones.forget();
    }
    // A name is free again only when the list says so; a replacement with the same name would meet its own shadow.
    await deadline.poll(`waiting for zone ${JSON.stringify(id)} to leave the list of zones`, async () => {
      context.zones.forget();
      const listed = await summary(id, run);
      return listed === undefined || listed.status === "deleted" ? true : undefined;
    });
  },
} satisfies Lifecycle;

const isAutomatic = (inputs: JsonObject): boolean => inputs[NAMED_AFTER] !== undefined;

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
async function visible(name: string, run: Run, signal = run.deadline.signal): Promise<ZoneRecord | undefined> {
  try {
    return await run.context.remote.zones.get(name, { signal });
  } catch (error) {
    if (mayMeanNoZone(error)) return undefined;
    throw error;
  }
}

/**
 * Makes a zone, once.
 *
 * @throws {AlreadyExistsError} when the name is taken
 * @throws {PartialFailure} when it may have been made
 */
async function make(name: string, inputs: JsonObject, run: Run): Promise<void> {
  const { context, journal } = run;
  if (!NEW_ZONE_NAME.test(name)) {
    throw new ArgumentError(`There is no zone ${JSON.stringify(name)}, and none can be made of that name: ${NEW_NAME}`);
  }
  const former = journal?.unfinished?.facts.name;
  if (typeof former === "string" && former !== name) await nameOrphan(former, run);
  const type = typeof inputs.type === "string" ? { type: inputs.type } : {};
  const creation = {
    title: `zone ${JSON.stringify(name)}`,
    facts: { name },
    async look(facts: JsonObject, signal: AbortSignal) {
      const live = facts.name === name ? await visible(name, run, signal) : undefined;
      return live === undefined || mismatches(inputs, live).length > 0 ? [] : [live];
    },
    async send(signal: AbortSignal) {
      await context.remote.zones.create({ name, ...type, plan: inputs.plan as Plan }, { signal });
      return [];
    },
    // There is one zone of a name.
    isRepeatable: () => true,
    remedy:
      "The next `pulumi up` looks for it again, and makes it if it is not there; `pulumi refresh` forgets it if it is not.",
  };
  try {
    await createOnce(creation, run);
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw new PartialFailure(name, { ...inputs, name }, error);
  } finally {
    context.zones.forget();
  }
}

/** What an update made that was cut short, and the program declares no more, is in no state: somebody has to be told of it. */
async function nameOrphan(name: string, run: Run): Promise<void> {
  if ((await visible(name, run)) === undefined) return;
  run.say?.(
    `zone ${JSON.stringify(name)}, which an update that was cut short has made, is in no state, and the program declares another. To manage it, declare a Zone with \`name: ${JSON.stringify(name)}\` and \`adopt: true\`; otherwise delete it in the control panel.`,
  );
}

/** Whether a zone that is there is neither to be taken over nor what a killed process made for this resource. */
const isForeign = (name: string, inputs: JsonObject, run: Run): boolean =>
  inputs.adopt !== true && run.journal?.unfinished?.facts.name !== name;

/** The given name, or automatic ones to try: the service may not give the names of deleted zones out again. */
function namesFor(inputs: JsonObject): string[] {
  const names = [inputs.name as string];
  while (isAutomatic(inputs) && names.length < MOST_NAMES) names.push(nextName(names.at(-1) as string));
  return names;
}

async function makeUnlessTaken(name: string, inputs: JsonObject, run: Run): Promise<boolean> {
  try {
    await make(name, inputs, run);
    return true;
  } catch (error) {
    if (error instanceof AlreadyExistsError) return false;
    throw error;
  }
}

async function settleNew(name: string, inputs: JsonObject, run: Run): Promise<JsonObject> {
  try {
    return await settle(name, inputs, inputs.disabled === true, run);
  } catch (error) {
    throw new PartialFailure(name, { ...inputs, name }, error);
  }
}

/** A zone of this name is the one that is being replaced, another program's, or one that nobody knows of any more. */
const leftover = (name: string): string =>
  `zone ${JSON.stringify(name)} is there already, so the new one gets another name. If an update that was cut short has left it (it is in no state), delete it in the control panel, or set \`adopt: true\` to manage it.`;

const neverAgain = (name: string): ArgumentError =>
  new ArgumentError(
    `${JSON.stringify(name)} was the name of a zone that is deleted, and the service does not give it out again: choose another name.`,
  );

const gone = (name: string): ArgumentError =>
  new ArgumentError(
    `Zone ${JSON.stringify(name)} is gone from the account. Run \`pulumi refresh\`, and the next \`pulumi up\` makes it anew.`,
  );

/** Takes over the zone of a name, where that is wanted and possible, or where a process that was killed has made it for this. */
async function takeOver(name: string, inputs: JsonObject, run: Run): Promise<{ id: string; state: JsonObject }> {
  const isOurs = run.journal?.unfinished?.facts.name === name;
  if (run.context.ownership.has(`Zone ${name}`)) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(name)} is another resource's of this program. Declare each zone once; use that one's outputs, or \`Zone.get\`.`,
    );
  }
  if (isForeign(name, inputs, run)) {
    throw existsAlready(`Zone ${JSON.stringify(name)} exists already and was not made here`, [
      "set `adopt: true` to take it over (`pulumi destroy` will delete it then)",
      "look it up with `Zone.get` to use it without owning it",
      "choose another name",
    ]);
  }
  const live = await run.context.remote.zones.get(name, { signal: run.deadline.signal });
  const differing = mismatches(inputs, live);
  if (differing.length > 0) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(name)} exists already, but differs in what cannot be changed in place: ${differing.join(", ")}. Declare what it is, or choose another name.`,
    );
  }
  if (isOurs) run.say?.(`took up zone ${JSON.stringify(name)}, which an update that was cut short had made.`);
  return { id: name, state: await settle(name, inputs, inputs.disabled !== undefined, run) };
}

/** What a zone is, and was not asked to be, of all that cannot be changed in place. */
function mismatches(inputs: JsonObject, live: ZoneRecord): string[] {
  const state = stateOf(inputs, live, undefined);
  const plan = { ...(state.plan as Plan), ...pick(live.plan, COUNTS) };
  const found = withoutSurplus({ ...state, plan }, new Set(), inputs);
  const { changed } = difference(found, new Set(), inputs, comparison);
  return changed
    .filter((path) => comparison.replaces(path) && differs(path, found, inputs))
    .map((path) => `\`${path}\` is ${shown(found, path)} and not ${shown(inputs, path)}`);
}

const differs = (path: string, state: JsonObject, inputs: JsonObject): boolean =>
  !comparison.same(path, at(state, path), at(inputs, path));

const shown = (value: JsonObject, path: string): string => JSON.stringify(at(value, path)) ?? "not set";

/** The zone's line in the list, where deleted ones stay. A token may be allowed to make zones but not to list them. */
async function summary(name: string, { context, deadline }: Run): Promise<ZoneSummary | undefined> {
  try {
    return (await context.zones.get(deadline.signal)).find((zone) => zone.name === name);
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
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
