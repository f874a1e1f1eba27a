import { ArgumentError, BrightDataError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { canonicalAddress } from "../../declaration/address";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { action } from "../../lifecycle/action";
import { begunBefore } from "../../lifecycle/creation";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { lossOf, settleSignal } from "../../lifecycle/settle";
import type { PortIp } from "../../manager/ips";
import { portInWords } from "../proxyPort/properties";
import { alone } from "../zoneIps/ipLists";
import { portIpRefresh } from "./declaration";

type Inputs = InputsOf<typeof portIpRefresh>;
type State = StateOf<typeof portIpRefresh>;

export const portIpRefreshLifecycle = action(portIpRefresh, {
  announce({ port, ip, vip }) {
    const what =
      vip === undefined ? `IP ${typeof ip === "string" ? ip : ""}` : `gIP ${typeof vip === "string" ? vip : ""}`;
    return `the update will have ${what.trimEnd()} of ${portInWords(port)} replaced, which costs money (the zone's refresh cost).`;
  },

  open: (state) => (openSince(state) === undefined ? [] : ["allocatedBefore"]),

  async perform(inputs, step) {
    const { port } = inputs;
    const target = targetOf(inputs);
    const zone = await zoneOf(port, step);
    const id = `${port}/${nameOf(target)}`;
    return alone(zone, step, async () => {
      const noted = begunBefore(step, (facts) => facts.id === id);
      const begun = noted && openSince(noted.facts);
      const before = begun ?? (await observe(zone, target, step));
      const change = { zone, target, before };
      const lost = begun === undefined ? await ask(port, id, change, step) : undefined;
      try {
        return { id, outputs: { zone, ...replacement(change, await observe(zone, target, step)) } };
      } catch (error) {
        const cause = lost === undefined ? error : uncertain(lost, target);
        throw new PartialFailure(id, { ...inputs, zone, allocatedBefore: before }, cause);
      }
    });
  },

  /** Looks what became of it. It is never asked for again: that might be paid twice. */
  async resume(_id, state, step) {
    const { zone, allocatedBefore: before } = state;
    if (before === undefined) return {};
    const change = { zone, target: targetOf(state), before };
    return { ...replacement(change, await observe(zone, change.target, step)), allocatedBefore: undefined };
  },
});

/** What the zone had before, where it is not known what has become of it. */
const openSince = ({ allocatedBefore }: JsonObject): string[] | undefined =>
  Array.isArray(allocatedBefore) ? allocatedBefore.map(String) : undefined;

const targetOf = ({ ip = "", vip }: Pick<Inputs, "ip" | "vip">): PortIp =>
  vip === undefined ? { ip: canonicalAddress(ip) ?? ip } : { gip: vip };

const nameOf = (target: PortIp): string => target.ip ?? target.gip;

async function zoneOf(port: number, { context: { manager }, deadline }: Step): Promise<string> {
  const record = await manager.ports.get(port, deadline);
  if (record === undefined) throw new ArgumentError(`The Proxy Manager has no port ${port}: nothing was replaced.`);
  const zone = record.zone ?? (await manager.settings.get(deadline)).zone;
  if (typeof zone === "string" && zone !== "") return zone;
  throw new ArgumentError(`Port ${port} has no zone, and the manager no default one: nothing was replaced.`);
}

async function observe(zone: string, target: PortIp, { context, deadline }: Step): Promise<string[]> {
  const { ips } = context.manager;
  const signal = deadline.signal.aborted ? settleSignal() : deadline.signal;
  return target.ip === undefined ? ips.allocatedGips(zone, { signal }) : ips.allocated(zone, { signal });
}

interface IpChange {
  zone: string;
  target: PortIp;
  before: readonly string[];
}

/** Asks for the replacement, once. Returns the error where the answer was lost. */
async function ask(port: number, id: string, change: IpChange, step: Step): Promise<Error | undefined> {
  const { context, journal, deadline } = step;
  const { zone, target, before } = change;
  const name = nameOf(target);
  if (!before.includes(name)) {
    throw new ArgumentError(
      `Zone ${JSON.stringify(zone)} of port ${port} does not have ${name}: nothing was replaced. It has ${before.length === 0 ? "none" : before.join(", ")}.`,
    );
  }
  await journal?.begin(
    { id, allocatedBefore: before },
    `An update that was cut short may have had ${name} of port ${port} replaced, which is paid for. Nothing looks any more what became of it.`,
  );
  return lossOf(context.manager.ips.refreshOfPort(port, target, deadline), step)
    .catch((error: unknown) => {
      journal?.forget();
      throw error;
    })
    .finally(() => context.ports.drop(port));
}

/** What came in the place of an IP. The manager does not tell when the vendor refuses: the list of the zone does. */
function replacement({ zone, target, before }: IpChange, now: readonly string[]): Pick<State, "newIp" | "newVip"> {
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

const uncertain = (lost: Error, target: PortIp): BrightDataError =>
  new BrightDataError(
    `${lost.message} Whether ${nameOf(target)} is being replaced is not known; it is not asked for again. Run \`pulumi up\` later: it looks what became of it.`,
    { cause: lost },
  );
