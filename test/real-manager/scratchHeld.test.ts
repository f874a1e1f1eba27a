import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, send } from "../simulator/manager/harness";
import { apiEssence, BYTES, type Case, outcome, PORT, plain, type Step } from "./alike";
import { type Both, startBoth } from "./both";
import { api } from "./heldOut/api";
import { fields } from "./heldOut/fields";
import { har } from "./heldOut/har";
import { hostile } from "./heldOut/hostile";
import { protocol } from "./heldOut/protocol";
import { recorded } from "./heldOut/recorded";
import { PORTS, READS } from "./heldOut/restart";
import { rules } from "./heldOut/rules";
import { traffic } from "./heldOut/traffic";
import { users } from "./heldOut/users";

let both: Both;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both?.stop());

const GROUPS = { protocol, users, rules, fields, har, api, hostile, recorded, traffic };

/** The real one's drop-in port is given on its command line: it has another number. */
const OWN = ["dropin", "dropin_port", "argv"];

function essenceOf(given: Answer): object {
  const found = plain(apiEssence(given), [...BYTES, ...OWN]);
  if (Array.isArray(found.body)) found.body = found.body.filter(({ proxy_type }: { proxy_type?: string }) => proxy_type !== undefined);
  return found;
}

/** The whole answer, but for what differs from one moment or machine to the next. */
async function answer(url: string, step: Step): Promise<object> {
  if (!Array.isArray(step)) return outcome(url, PORT, step);
  const [line, body] = step;
  return essenceOf(await send(url, line.replace("PORT", String(PORT)), body));
}

async function answers(url: string, [given, ...steps]: Case): Promise<object[]> {
  await send(url, "POST /api/proxies", { proxy: { zone: "static", ...given, port: PORT } });
  const all: object[] = [];
  for (const step of steps) all.push({ step, ...(await answer(url, step)) });
  const records = (await send(url, "GET /api/proxies")).body as { port: number; proxy_type?: string }[];
  for (const { port, proxy_type } of records) if (proxy_type) await send(url, `DELETE /api/proxies/${port}`);
  return all;
}

const all = Object.entries(GROUPS).flatMap(([group, cases]) =>
  Object.entries(cases).map(([title, steps]): [string, string, Case] => [group, title, steps]),
);


import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
test("count", async () => {
  const counts: Record<string, [number, number]> = {};
  const diffs: object[] = [];
  for (const [group, title, steps] of all) {
    const [really, simulated] = [await answers(both.real.url, steps).catch((e) => [{ failed: String(e) }]), await answers(both.simulator.manager.url, steps).catch((e) => [{ failed: String(e) }])];
    counts[group] ??= [0, 0];
    for (let i = 0; i < Math.max(really.length, simulated.length); i++) {
      counts[group][0]++;
      if (isDeepStrictEqual(JSON.parse(JSON.stringify(really[i] ?? null)), JSON.parse(JSON.stringify(simulated[i] ?? null)))) counts[group][1]++;
      else diffs.push({ group, title, step: i, really: really[i], simulated: simulated[i] });
    }
  }
  console.log("COUNTS", JSON.stringify(counts));
  writeFileSync("/tmp/wk/diffs.json", JSON.stringify(diffs, null, 1));
}, 280000);

test("both are alike after a restart", async () => {
  const after: object[][] = [];
  for (const [index, { url }] of [both.real, both.simulator.manager].entries()) {
    for (const [at, port] of PORTS.entries())
      await send(url, "POST /api/proxies", { proxy: { ...port, port: PORT + 3 * at } });
    const started = index === 0 ? both.real.nextStart() : undefined;
    await send(url, "POST /api/restart");
    await (started ?? both.simulator.manager.settled());
    const reads = [...READS, ...PORTS.map((_, at) => `GET /api/proxies/${PORT + 3 * at}`)];
    const all: object[] = [];
    for (const line of reads) all.push({ line, ...essenceOf(await send(url, line)) });
    after.push(all);
    await send(url, "POST /api/proxies/delete", { ports: PORTS.map((_, at) => PORT + 3 * at) });
  }
  const [really, simulated] = after;
  const d = (really ?? []).flatMap((r, i) => isDeepStrictEqual(JSON.parse(JSON.stringify(r)), JSON.parse(JSON.stringify(simulated?.[i] ?? null))) ? [] : [{ group: "restart", really: r, simulated: simulated?.[i] }]);
  console.log("RESTART", really?.length, (really?.length ?? 0) - d.length);
  writeFileSync("/tmp/wk/diffs2.json", JSON.stringify(d, null, 1));

});
