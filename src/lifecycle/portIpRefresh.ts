import { z } from "zod";
import { ArgumentError, BrightDataError } from "../errors";
import type { JsonObject } from "../http/case";
import { canonicalAddress } from "../manager/address";
import type { PortIp } from "../manager/ips";
import { action, triggersSchema } from "./action";
import { timeoutsSchema } from "./check";
import { PartialFailure, type Run } from "./lifecycle";
import { portSchema } from "./managerFields";
import { isUnsettled, settleSignal } from "./settle";

/** Has an IP or gIP of a port replaced, once. It costs money. */
export const portIpRefresh = action({
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
    // One at a time: what is new in the zone's list is then what came in place of this one.
    return run.context.alone(`refresh/${zone}`, async () => {
      const before = await allocated(zone, target, run, run.deadline.signal);
      if (!before.includes(nameOf(target))) {
        throw new ArgumentError(
          `Zone ${JSON.stringify(zone)} of port ${port} does not have ${nameOf(target)}: nothing was replaced. It has ${before.length === 0 ? "none" : before.join(", ")}.`,
        );
      }
      const state = { ...inputs, zone, allocatedBefore: before };
      const id = `${port}/${nameOf(target)}`;
      try {
        await run.context.manager.ips.refreshOfPort(port, target, { signal: run.deadline.signal });
      } catch (error) {
        if (!isUnsettled(error, run)) throw error;
        const now = await allocated(zone, target, run, settleSignal()).catch(() => before);
        if (now.includes(nameOf(target))) throw new PartialFailure(id, state, uncertain(error, target));
      } finally {
        run.context.ports.forget();
      }
      try {
        return {
          id,
          outputs: { zone, ...replacement(before, target, await allocated(zone, target, run, settleSignal())) },
        };
      } catch (error) {
        throw new PartialFailure(id, state, error);
      }
    });
  },

  /** Looks what became of it. It is never asked for again: that might be paid twice. */
  async resume(_id, state, run) {
    const { zone, allocatedBefore } = state;
    if (!Array.isArray(allocatedBefore)) return {};
    const target = targetOf(state);
    const now = await allocated(zone as string, target, run, run.deadline.signal);
    return { ...replacement(allocatedBefore, target, now), allocatedBefore: undefined };
  },
});

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

async function allocated(zone: string, target: PortIp, run: Run, signal: AbortSignal): Promise<string[]> {
  const { ips } = run.context.manager;
  return target.ip === undefined ? ips.allocatedGips(zone, { signal }) : ips.allocated(zone, { signal });
}

/** What came in the place of an IP. The manager does not tell when the vendor refuses: the list of the zone does. */
function replacement(before: readonly unknown[], target: PortIp, now: readonly string[]): JsonObject {
  const name = nameOf(target);
  if (now.includes(name)) {
    throw new BrightDataError(
      `The Proxy Manager was asked to have ${name} replaced, and the zone still has it: the vendor has not agreed. The manager's log says why (GET /api/general_logs). Change a trigger to ask again.`,
    );
  }
  const fresh = now.find((each) => !before.includes(each));
  if (fresh === undefined) return {};
  return target.ip === undefined ? { newVip: fresh } : { newIp: fresh };
}

const uncertain = (error: unknown, target: PortIp): BrightDataError =>
  new BrightDataError(
    `${(error as Error).message} Whether ${nameOf(target)} is being replaced is not known; it is not asked for again. Run \`pulumi up\` later: it looks what became of it.`,
    { cause: error },
  );
