import type { JsonObject } from "../../base/json";
import { isYoung, LATECOMER_SECONDS } from "../../lifecycle/creation";
import type { Run } from "../../lifecycle/lifecycle";
import type { ConfiguredPort } from "../../manager/portFields";
import { portThing } from "../shared/things";
import { rangesOf } from "./ids";
import { settingsOf } from "./settings";
import { freeKey, type PortState, type PortStates } from "./state";
import { ofSet } from "./title";

/**
 * The ports that there are, together with those that an update which was cut short has made and no state tells of. They bear the
 * mark that it has noted for all, with the key of each behind it. Those that are not wanted are left where they are: meanwhile
 * another resource may have taken them over.
 */
export async function withUnrecorded(ports: PortStates, inputs: JsonObject, run: Run): Promise<Map<string, PortState>> {
  const wanted = settingsOf(inputs);
  const of = ofSet(inputs);
  const unfinished = run.journal?.unfinished;
  const known = new Map([...ports].filter(([, { port }]) => port !== undefined));
  if (unfinished === undefined && known.size === ports.size) return known;
  // A port that takes whatever number is free cannot be told from a second one that is made while the first is under way.
  const awaited =
    unfinished === undefined || !isYoung(unfinished)
      ? []
      : [...wanted].filter(([key, { port }]) => port === undefined && !known.has(key)).map(([key]) => key);
  const recorded = new Map([...ports].flatMap(([key, { mark }]) => (mark === undefined ? [] : [[mark, key]])));
  const noted = unfinished?.facts.mark;
  const last = Date.now() + (awaited.length > 0 ? LATECOMER_SECONDS * 1000 : 0);
  const { marked } = await run.deadline.poll(
    `looking for ports${of} that an update which was cut short may have made`,
    async () => {
      const found = markedBy(noted, recorded, await list(run));
      const keys = new Set(found.map(([key]) => key));
      return Date.now() >= last || awaited.every((key) => keys.has(key)) ? { marked: found } : undefined;
    },
  );
  const numbers = new Set([...known.values()].map(({ port }) => port));
  const declared = new Set([...wanted.values()].map(({ port }) => port));
  const strays: number[] = [];
  const taken = new Set<string>();
  for (const [key, record] of marked) {
    const { port, pulumiId: mark = "" } = record;
    if (numbers.has(port) || (!declared.has(port) && isAnothers(port, run))) continue;
    const isForKey = wanted.has(key) && wanted.get(key)?.port === undefined && !taken.has(key);
    if (!declared.has(port) && !isForKey && !recorded.has(mark)) {
      strays.push(port);
      continue;
    }
    const former = known.get(key);
    if (former !== undefined) known.set(freeKey(known, key, former), former);
    known.set(key, stateOf(record));
    taken.add(key);
  }
  if (taken.size > 0) run.say?.(`Took up ${number(taken.size)}${of} that an update which was cut short had made.`);
  // The state has all: otherwise the engine has to record it first.
  if (taken.size === 0) run.journal?.forget();
  if (strays.length > 0) run.say?.(orphans(strays, of));
  return known;
}

/** The ports that there are, together with all that an update which was cut short has made and that is nobody else's by now. */
export async function withAllUnrecorded(ports: PortStates, run: Run): Promise<Map<string, PortState>> {
  const known = new Map(ports);
  const noted = run.journal?.unfinished?.facts.mark;
  if (noted === undefined) return known;
  const numbers = new Set([...ports.values()].map(({ port }) => port));
  for (const [key, record] of markedBy(noted, new Map(), await list(run))) {
    if (numbers.has(record.port) || isAnothers(record.port, run)) continue;
    known.set(freeKey(known, key, record), stateOf(record));
  }
  return known;
}

const list = ({ context, deadline }: Run): Promise<ConfiguredPort[]> =>
  context.manager.ports.list({ signal: deadline.signal });

/**
 * The ports that bear marks of a set, by their keys.
 *
 * @param noted begins the marks of one update
 * @param recorded the keys of the marks that are known by themselves
 */
function markedBy(
  noted: unknown,
  recorded: ReadonlyMap<string, string>,
  records: readonly ConfiguredPort[],
): [key: string, record: ConfiguredPort][] {
  const prefix = noted === undefined ? undefined : `${noted}/`;
  return records.flatMap((record): [string, ConfiguredPort][] => {
    const mark = record.pulumiId;
    if (mark === undefined) return [];
    const isNoted = prefix !== undefined && mark.startsWith(prefix);
    const key = isNoted ? mark.slice(prefix.length) : recorded.get(mark);
    return key === undefined ? [] : [[key, record]];
  });
}

const isAnothers = (port: number, { context, me }: Run): boolean =>
  context.claims.whoHas(portThing(port), me) === "has";

const stateOf = ({ port, listenPort = port, pulumiId: mark }: ConfiguredPort): PortState => ({
  port,
  listenPort,
  ...(mark === undefined ? {} : { mark }),
});

const number = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "port" : "ports"}`;

const orphans = (ports: readonly number[], of: string): string => {
  const [they, them] = ports.length === 1 ? ["it is", "it"] : ["they are", "them"];
  return `An update that was cut short has made ${number(ports.length)}${of} that the program does not declare: ${rangesOf(ports)}. As another resource may have taken ${them} over since, ${they} kept. To manage ${them}, declare ${them} with \`adopt: true\`; otherwise delete ${them} in the manager.`;
};
