import { randomBytes } from "node:crypto";
import { z } from "zod";
import { BrightDataError, ServiceError } from "../errors";
import type { JsonObject } from "../http/case";
import type { RefreshTarget } from "../remote/ips";
import { type Action, action, triggersSchema } from "./action";
import { type Checks, type Rule, timeoutsSchema } from "./check";
import { PartialFailure, type Run } from "./lifecycle";
import { citySchema, countrySchema, zoneSchema } from "./ofZone";
import { isUnsettled, turnsUp } from "./settle";
import { IP_KINDS, type IpKind, without } from "./zoneIpKinds";

const TARGETS = ["ips", "vips", "all"] as const;

const rules: readonly Rule[] = [
  {
    reads: [],
    failure(inputs) {
      const given = TARGETS.filter((name) => inputs[name] !== undefined);
      return given.length === 1
        ? undefined
        : `${given.length === 0 ? "It is not said what to refresh" : `${given.map((name) => `\`${name}\``).join(" and ")} are given`}: give one of \`ips\`, \`vips\` and \`all: true\`. Each IP that is refreshed costs money.`;
    },
  },
];

const checks: Checks = {
  schema: z.strictObject({
    zone: zoneSchema,
    ips: z
      .array(z.string("expected an IP of the zone.").min(1, "expected an IP of the zone."), "expected a list of IPs.")
      .min(1, "expected at least one IP; for all of them say `all: true`.")
      .optional(),
    vips: z
      .array(
        z.string("expected a gIP's name.").min(1, "expected a gIP's name."),
        'expected a list of gIPs, such as "tr_9121_07_antalya_10".',
      )
      .min(1, "expected at least one gIP; for all of them say `all: true`.")
      .optional(),
    all: z.literal(true, "expected true, or to be left out.").optional(),
    country: countrySchema,
    countryCity: citySchema,
    triggers: triggersSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["zone", ...TARGETS, "country", "countryCity", "triggers", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
};

/** New proxy IPs in the place of old ones. */
export const zoneIpRefresh = action({
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  checks,
  // The IPs of a program come from outputs that change with every refresh: by them it would refresh again, and pay, for ever.
  manner: [...TARGETS, "country", "countryCity"],

  announce({ zone, ips, vips, all }) {
    const list = ips ?? vips;
    const many = all === true ? "All" : Array.isArray(list) ? list.length : "Some";
    const kind = vips === undefined ? "IPs" : "gIPs";
    return `${many} ${kind} of zone${typeof zone === "string" ? ` ${zone}` : ""} are replaced by new ones. Each one costs money.`;
  },

  async perform(inputs, run) {
    const zone = inputs.zone as string;
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    const before = await snapshot(inputs, run);
    const previous = before === undefined ? {} : { kind: before.kind, previousIps: before.names };
    try {
      const answer = await run.context.remote.ips.refresh(zone, targetOf(inputs), { signal: run.deadline.signal });
      const currentIps = answer.kind === "ips" ? answer.ips : answer.gips.map(({ gip }) => gip);
      const newIps = answer.kind === "ips" ? answer.newIps : without(currentIps, before?.names ?? []);
      return { id, outputs: { ...previous, kind: answer.kind, currentIps, newIps } };
    } catch (error) {
      if (!isUnsettled(error, run)) throw error;
      const state = { ...inputs, ...previous };
      const outputs = await outcome(state, run);
      if (outputs !== undefined) return { id, outputs: { ...previous, ...outputs } };
      throw new PartialFailure(id, state, unknownOutcome(zone, error as Error));
    }
  },

  async resume(_id, state, run) {
    if (state.currentIps !== undefined) return {};
    const outputs = await outcome(state, run);
    if (outputs === undefined) throw unknownOutcome(state.zone as string);
    return outputs;
  },
} satisfies Action);

interface Snapshot {
  kind: IpKind;
  names: string[];
}

/** What the zone has now; `undefined` where the service does not tell for such a zone. */
async function snapshot(inputs: JsonObject, run: Run, signal = run.deadline.signal): Promise<Snapshot | undefined> {
  const kinds: readonly IpKind[] =
    inputs.ips !== undefined ? ["ips"] : inputs.vips !== undefined ? ["gips"] : ["ips", "gips"];
  for (const kind of kinds) {
    try {
      return { kind, names: await IP_KINDS[kind].list(inputs.zone as string, run, signal) };
    } catch (error) {
      if (!(error instanceof ServiceError) || ![400, 403, 404, 422].includes(error.status)) throw error;
    }
  }
  return undefined;
}

function targetOf({ ips, vips, country, countryCity }: JsonObject): RefreshTarget {
  const where = { country: country as string | undefined, countryCity: countryCity as string | undefined };
  if (ips !== undefined) return { ips: ips as string[], ...where };
  if (vips !== undefined) return { gips: vips as string[], ...where };
  return { all: true, ...where };
}

/**
 * What became of a refresh whose answer was lost: it was done when none of the old IPs is left. It is never sent again, for
 * it may still be going on.
 */
async function outcome(state: JsonObject, run: Run): Promise<JsonObject | undefined> {
  const previous = state.previousIps as string[] | undefined;
  if (previous === undefined) return undefined;
  const stale = ((state.ips ?? state.vips) as string[] | undefined) ?? previous;
  if (stale.length === 0 || without(stale, previous).length > 0) return undefined;
  let outputs: JsonObject | undefined;
  const isDone = async (signal: AbortSignal): Promise<boolean> => {
    const now = await snapshot(state, run, signal);
    if (now === undefined || now.names.length < previous.length) return false;
    if (without(stale, now.names).length < stale.length) return false;
    outputs = { kind: now.kind, currentIps: now.names, newIps: without(now.names, previous) };
    return true;
  };
  // A look that fails tells as little as one that finds the old IPs.
  await turnsUp(isDone).catch(() => false);
  return outputs;
}

const unknownOutcome = (zone: string, lost?: Error): Error =>
  new BrightDataError(
    `${lost === undefined ? "" : `${lost.message} `}Whether the IPs of zone ${JSON.stringify(zone)} were refreshed is not known, and it is not done again by itself, for it costs money each time. Look at them in the control panel, then change \`triggers\` to refresh them again, or remove the resource.`,
    { cause: lost },
  );
