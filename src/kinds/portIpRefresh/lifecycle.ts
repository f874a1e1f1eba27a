import { z } from "zod";
import { canonicalAddress } from "../../declaration/address";
import { ArgumentError, BrightDataError } from "../../errors";
import type { JsonObject } from "../../json";
import { type Lifecycle, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { action, triggersSchema } from "../../lifecycle/oldAction";
import { timeoutsSchema } from "../../lifecycle/oldCheck";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { PortIp } from "../../manager/ips";
import { portSchema } from "../bannedIp/bannable";

const refresh = action({
  timeouts: { create: 300, read: 60, update: 300, delete: 60 },
  checks: {
    schema: z.strictObject({
      port: portSchema,
      ip: z
        .string("expected an IPv4 address.")
        .refine((ip) => canonicalAddress(ip)?.includes("/") === false, {
          message: 'expected an IPv4 address of four octets that the port uses, such as "203.0.113.7".',
        })
        .optional(),
      vip: z.string("expected the name of a gIP.").min(1, "expected the name of a gIP.").optional(),
      triggers: triggersSchema,
      timeouts: timeoutsSchema,
    }),
    properties: {
      "": ["port", "ip", "vip", "triggers", "timeouts"],
      timeouts: ["create", "read", "update", "delete"],
    },
    rules: [
      {
        reads: ["ip", "vip"],
        failure: ({ ip, vip }) =>
          (ip === undefined) === (vip === undefined)
            ? "Exactly one of `ip` and `vip` is needed: the IP, or the gIP, that is to be replaced."
            : undefined,
      },
    ],
  },

  announce({ port, ip, vip }) {
    const what =
      vip === undefined ? `IP ${typeof ip === "string" ? ip : ""}` : `gIP ${typeof vip === "string" ? vip : ""}`;
    const where = typeof port === "number" ? `port ${port}` : "a port";
    return `the update will have ${what.trimEnd()} of ${where} replaced, which costs money (the zone's refresh cost).`;
  },

  async perform(inputs, run) {
    const port = inputs.port as number;
    const target = targetOf(inputs);
    const zone = await zoneOf(port, run);
    const id = `${port}/${nameOf(target)}`;
    // One at a time: what is new in the zone's list is then what came in place of this one.
    return run.context.alone(`refresh/${zone}`, async () => {
      const begun = run.journal?.unfinished?.facts;
      const isBegun = begun?.id === id && isOpen(begun);
      const before = isBegun ? (begun.allocatedBefore as string[]) : await allocated(zone, target, run);
      const change = { zone, target, before };
      const lost = isBegun ? undefined : await ask(port, id, change, run);
      try {
        return { id, outputs: { zone, ...replacement(change, await allocated(zone, target, run)) } };
      } catch (error) {
        const cause = lost === undefined ? error : uncertain(lost, target);
        throw new PartialFailure(id, { ...inputs, zone, allocatedBefore: before }, cause);
      }
    });
  },

  /** Looks what became of it. It is never asked for again: that might be paid twice. */
  async resume(_id, state, run) {
    if (!isOpen(state)) return {};
    const change = {
      zone: state.zone as string,
      target: targetOf(state),
      before: state.allocatedBefore as string[],
    };
    const now = await allocated(change.zone, change.target, run);
    return { ...replacement(change, now), allocatedBefore: undefined };
  },
});

/** Has an IP or gIP of a port replaced, once. It costs money. */
export const portIpRefresh = {
  ...refresh,

  diff(state, declared, inputs) {
    const difference = refresh.diff(state, declared, inputs);
    // The engine forgets at a refresh that the update before it failed.
    return isOpen(state) ? { ...difference, changed: [...difference.changed, "allocatedBefore"] } : difference;
  },
} satisfies Lifecycle;

/** Whether it is not known what has become of it. */
const isOpen = ({ allocatedBefore }: JsonObject): boolean => Array.isArray(allocatedBefore);

const targetOf = ({ ip, vip }: JsonObject): PortIp =>
  typeof vip === "string" ? { gip: vip } : { ip: canonicalAddress(ip as string) as string };

const nameOf = (target: PortIp): string => target.ip ?? target.gip;

async function zoneOf(port: number, run: Run): Promise<string> {
  const { manager } = run.context;
  const options = { signal: run.deadline.signal };
  const record = await manager.ports.get(port, options);
  if (record === undefined) throw new ArgumentError(`The Proxy Manager has no port ${port}: nothing was replaced.`);
  const zone = record.zone ?? (await manager.settings.get(options)).zone;
  if (typeof zone === "string" && zone !== "") return zone;
  throw new ArgumentError(`Port ${port} has no zone, and the manager no default one: nothing was replaced.`);
}

interface Change {
  zone: string;
  target: PortIp;
  /** What the zone has had. */
  before: readonly string[];
}

/** Asks for the replacement, once. Returns the error where the answer was lost. */
async function ask(port: number, id: string, change: Change, run: Run): Promise<Error | undefined> {
  const { context, journal, deadline } = run;
  const { zone, target, before } = change;
  if (!before.includes(nameOf(target))) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(zone)} of port ${port} does not have ${nameOf(target)}: nothing was replaced. It has ${before.length === 0 ? "none" : before.join(", ")}.`,
    );
  }
  journal?.begin({ id, allocatedBefore: before });
  try {
    await context.manager.ips.refreshOfPort(port, target, { signal: deadline.signal });
    return undefined;
  } catch (error) {
    if (isUnsettled(error, run)) return error as Error;
    journal?.forget();
    throw error;
  } finally {
    context.ports.forget();
  }
}

async function allocated(zone: string, target: PortIp, { context, deadline }: Run): Promise<string[]> {
  const { ips } = context.manager;
  const signal = deadline.signal.aborted ? settleSignal() : deadline.signal;
  return target.ip === undefined ? ips.allocatedGips(zone, { signal }) : ips.allocated(zone, { signal });
}

/**
 * What came in the place of an IP. The manager does not tell when the vendor refuses: the list of the zone does.
 *
 * @throws {BrightDataError} when nothing has come in its place so far
 */
function replacement({ zone, target, before }: Change, now: readonly string[]): JsonObject {
  const name = nameOf(target);
  const title = `Zone ${JSON.stringify(zone)}`;
  if (now.includes(name)) {
    throw new BrightDataError(
      `${title} still has ${name}: the vendor has not agreed to replace it, or was never asked. The manager's log says which (GET /api/general_logs). Change a trigger to ask again.`,
    );
  }
  if (now.length < before.length) {
    throw new BrightDataError(
      `${title} does not have ${name} any more, and nothing in its place: it has ${now.length} now, and had ${before.length}.`,
    );
  }
  const fresh = now.find((each) => !before.includes(each));
  if (fresh === undefined) return {};
  return target.ip === undefined ? { newVip: fresh } : { newIp: fresh };
}

/** What is said where the answer was lost, and the list does not tell yet what became of the request. */
const uncertain = (lost: Error, target: PortIp): BrightDataError =>
  new BrightDataError(
    `${lost.message} Whether ${nameOf(target)} is being replaced is not known; it is not asked for again. Run \`pulumi up\` later: it looks what became of it.`,
    { cause: lost },
  );
