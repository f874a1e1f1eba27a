import { counted, grouped } from "../../base/counted";
import type { JsonObject } from "../../base/json";
import { sameJson } from "../../declaration/values";
import {
  begin,
  begunBefore,
  DoubtfulError,
  takeUp,
  timesOf,
  tookUp,
  UnknownOutcomeError,
} from "../../lifecycle/creation";
import type { Known } from "../../lifecycle/define";
import { keeping } from "../../lifecycle/lifecycle";
import { endOf } from "../../lifecycle/verdict";
import { type IpList, namesIn, without } from "./ipLists";
import { type Inputs, ipsIn, isPlaced, type State, whereIn } from "./owned";

/** An addition of which nobody has seen whether the IPs came: what the zone and the resource had before, and how many it is. */
type Addition = NonNullable<State["adding"]>;

const isAddition = <Noted extends { facts: JsonObject }>(noted: Noted | undefined): noted is Noted & Addition =>
  noted !== undefined && Array.isArray(noted.facts.before) && Array.isArray(noted.facts.own);

const addition = (count: number, inputs: Inputs, list: IpList) => ({
  title: `the addition of ${counted(count, "IP")} to zone ${JSON.stringify(list.zone)}`,
  count,
  async look({ before }: JsonObject, signal: AbortSignal): Promise<string[]> {
    const present = await list.present(signal);
    const come = present.filter(
      ({ name }) => !(Array.isArray(before) && before.includes(name)) && !list.isAnothers(name),
    );
    return namesIn(come.filter((ip) => ip.countries.length === 0 || isPlaced(ip, inputs)));
  },
  remedy:
    "Look at the zone's IPs in the control panel. The next `pulumi up` looks again before it adds any; it takes new ones for its own only if their number is right.",
  advice: `An update that was cut short may have added ${counted(count, "IP")} to zone ${list.zone}, which cost money. Look at its IPs in the control panel, and give back those that you do not need.`,
});

/** The addition that a process was killed in, to a resource that has got no IPs since; or the one that the state tells of. */
function begunIn(state: Known<State>, inputs: Inputs, { zone, step }: IpList): Addition | undefined {
  // What came to another zone, or in another country, is not among the IPs that this one should have.
  const noted = begunBefore(
    step,
    ({ zone: former = zone, where = whereIn(inputs) }) => former === zone && sameJson(where, whereIn(inputs)),
  );
  return isAddition(noted) && without(ipsIn(state), noted.facts.own).length === 0 ? noted : state.adding;
}

/**
 * The IPs that an addition has brought after all, or before its process was killed. Where nobody can tell by now, they are
 * nobody's to an adoption, and left alone by a deletion.
 */
export async function latecomers(
  state: Known<State>,
  inputs: Inputs,
  list: IpList,
  isLeaving = false,
): Promise<readonly string[]> {
  const begun = begunIn(state, inputs, list);
  if (begun === undefined) return [];
  const { count, ips: answered } = begun.facts as Addition["facts"] & JsonObject;
  const expected = addition(count, inputs, list);
  // What the service has answered needs no looking for, however late it is listed and whoever else has added some.
  if (Array.isArray(answered)) {
    const names = answered.map(String).filter((ip) => !ipsIn(state).includes(ip) && !list.isAnothers(ip));
    if (names.length > 0) tookUp(expected.title, list.step);
    return names;
  }
  let found: string[] = [];
  const look = async (facts: JsonObject, signal: AbortSignal) => {
    found = await expected.look(facts, signal);
    if (found.length > 0) await refuseExchanged(found, begun.facts as Addition["facts"], expected.title, list);
    // What is not listed would be taken for what has not come, and bought again.
    if (!isLeaving && found.length < count && Date.now() >= endOf(begun)) {
      await list.requireWhole((await list.present(signal)).length, signal);
    }
    return found;
  };
  const taken = await takeUp({ ...expected, look }, begun, list.step).catch((error: unknown) => {
    if (!(error instanceof DoubtfulError) || !(isLeaving || inputs.adopt === true)) throw error;
    return undefined;
  });
  if (taken !== undefined) return taken;
  const adopted = isLeaving ? [] : await adoptedOf(found, state, inputs, list);
  const left = without(found, adopted).filter((ip) => !list.isAnothers(ip));
  if (left.length > 0) {
    list.step.say?.(
      `${left.join(", ")} came to zone ${list.zone} after ${counted(count, "IP")} had been asked for in an update that was cut short. They may be somebody else's, so they are left alone. Give back those that you do not need.`,
    );
  }
  return adopted;
}

/** An adoption takes what has come before what the zone had: that may be paid for already. */
async function adoptedOf(
  come: readonly string[],
  state: Known<State>,
  { adopt, count }: Inputs,
  list: IpList,
): Promise<readonly string[]> {
  if (adopt !== true || come.length === 0) return [];
  await list.step.others?.();
  return come.filter((ip) => !list.isAnothers(ip)).slice(0, Math.max(0, count - ipsIn(state).length));
}

/**
 * Of IPs that others had, as many as have come may have been exchanged since: by a `ZoneIpRefresh`, by hand, or by the service.
 *
 * @throws {DoubtfulError} then
 */
async function refuseExchanged(
  come: readonly string[],
  { before, own }: Addition["facts"],
  title: string,
  list: IpList,
): Promise<void> {
  const theirs = without(before, own);
  const lacked = without(theirs, (await list.sight(theirs)).there);
  if (lacked.length < come.length) return;
  const are = lacked.length === 1 ? "is" : "are";
  const have = come.length === 1 ? "has" : "have";
  throw new DoubtfulError(
    `${lacked.join(", ")} of zone ${list.zone} ${are} gone, which this resource did not have, and ${come.join(", ")} ${have} come: as a replacement, or by ${title}, which an update has asked for. Set \`adopt\` to take over what has come; or give back in the control panel what nobody needs, and run again.`,
  );
}

/**
 * @param come what an addition before this one has brought, and no state has yet: until one does, both are noted as one
 * @param kept makes what is kept of this addition, where its outcome stays unknown, and of one before
 */
export async function add(
  { before, own, come, count }: { before: string[]; own: string[]; come: readonly string[]; count: number },
  inputs: Inputs,
  list: IpList,
  kept: (adding?: Addition) => { id: string; state: JsonObject },
): Promise<readonly string[]> {
  const { zone, step } = list;
  const { country, countryCity } = inputs;
  const { accounts, remote } = step.context;
  const facts = { zone, where: whereIn(inputs), before, own, count };
  const noted = { ...facts, before: without(before, come), own: without(own, come), count: count + come.length };
  const times = timesOf(step);
  // Not while it is sent: a failure of this one leaves no doubt that nothing was bought.
  const customer = await accounts[0].customer(step.deadline.signal);
  step.say?.(`Adding ${counted(count, "IP")} to zone ${zone}. Each one costs money.`);
  const asked = addition(noted.count, inputs, list);
  const send = async (signal: AbortSignal) => {
    const { ips, newIps } = await remote.ips.add(zone, { count, country, countryCity, customer }, { signal });
    if (newIps.length > 0) return newIps;
    const listed = without(ips, before);
    if (listed.length <= count) return listed;
    throw new UnknownOutcomeError(
      `The service has added ${counted(count, "IP")} to zone ${JSON.stringify(zone)} and does not say which: ${grouped(listed.length)} have come. ${asked.remedy}`,
    );
  };
  const hasCome = come.length > 0;
  const creation = { ...asked, facts: noted, send, kept: kept({ ...times, facts }), hasCome };
  const brought = await begin(creation, step).catch((cause: unknown) => {
    if (!hasCome) throw cause;
    const { id, state } = kept();
    return keeping(id, state)(cause);
  });
  const added = without(brought, come);
  // Until a state has them: another addition may begin before that.
  await step.journal?.begin({ ...noted, ips: [...come, ...added] }, asked.advice);
  return added;
}
