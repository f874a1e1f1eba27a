import type { JsonObject } from "../../json";
import { isYoung, LATECOMER_SECONDS } from "../../lifecycle/creation";
import type { Run } from "../../lifecycle/lifecycle";
import type { ConfiguredPort } from "../../manager/portFields";
import { settingsOf } from "./settings";
import { freeKey, type PortState, type PortStates } from "./state";

/**
 * The ports that there are, together with those that an update which was cut short has made and no state tells of. They bear the
 * mark that it has noted for all, with the key of each behind it.
 */
export async function withUnrecorded(ports: PortStates, inputs: JsonObject, run: Run): Promise<Map<string, PortState>> {
  const unfinished = run.journal?.unfinished;
  const known = new Map([...ports].filter(([, { port }]) => port !== undefined));
  if (unfinished === undefined && known.size === ports.size) return known;
  // A port that takes whatever number is free cannot be told from a second one that is made while the first is under way.
  const awaited =
    unfinished === undefined || !isYoung(unfinished)
      ? []
      : [...settingsOf(inputs)].filter(([key, { port }]) => port === undefined && !known.has(key)).map(([key]) => key);
  const keys = new Map([...ports].flatMap(([key, { mark }]) => (mark === undefined ? [] : [[mark, key]])));
  const prefix = unfinished === undefined ? undefined : `${unfinished.facts.mark}/`;
  const keyOf = ({ pulumiId: mark }: ConfiguredPort): string | undefined => {
    if (mark === undefined) return undefined;
    return prefix !== undefined && mark.startsWith(prefix) ? mark.slice(prefix.length) : keys.get(mark);
  };
  const last = Date.now() + (awaited.length > 0 ? LATECOMER_SECONDS * 1000 : 0);
  const { marked } = await run.deadline.poll(
    "looking for ports that an update which was cut short may have made",
    async () => {
      const records = await run.context.manager.ports.list({ signal: run.deadline.signal });
      const found = new Map(
        records.flatMap((record) => {
          const key = keyOf(record);
          return key === undefined ? [] : [[key, record] as const];
        }),
      );
      return Date.now() >= last || awaited.every((key) => found.has(key)) ? { marked: found } : undefined;
    },
  );
  const numbers = new Set([...known.values()].map(({ port }) => port));
  let count = 0;
  for (const [key, { port, listenPort = port, pulumiId: mark }] of marked) {
    if (numbers.has(port) || mark === undefined) continue;
    const former = known.get(key);
    if (former !== undefined) known.set(freeKey(known, key, former), former);
    known.set(key, { port, listenPort, mark });
    count++;
  }
  if (count > 0)
    run.say?.(
      `Took up ${count.toLocaleString("en")} ${count === 1 ? "port" : "ports"} that an update which was cut short had made.`,
    );
  return known;
}
