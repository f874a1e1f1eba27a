import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, send } from "../simulator/manager/harness";
import { apiEssence, BYTES, type Case, outcome, PORT, plain, type Step } from "./alike";
import { type Both, startBoth } from "./both";
import { api } from "./heldOut/api";
import { fields } from "./heldOut/fields";
import { har } from "./heldOut/har";
import { hostile } from "./heldOut/hostile";
import { later } from "./heldOut/later";
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
  if (Array.isArray(found.body))
    found.body = found.body.filter(({ proxy_type }: { proxy_type?: string }) => proxy_type !== undefined);
  return found;
}

/** The real manager hears of a request from another of its processes, on a busy machine late. */
const TOLD_MS = 10_000;

/** Asked without a pause, it has no time to hear, and refuses all after 2,000 requests of a minute. */
const PAUSE_MS = 100;

/** The whole answer, but for what differs from one moment or machine to the next. */
async function answer(url: string, step: Step): Promise<object> {
  if (!Array.isArray(step)) return { step, ...(await outcome(url, PORT, step)) };
  const [line, body] = step;
  return { step, ...essenceOf(await send(url, line.replace("PORT", String(PORT)), body)) };
}

/** The same; what only reads is asked for again until it is as expected. */
async function answerLike(expected: unknown, url: string, step: Step): Promise<object> {
  const isRead = Array.isArray(step) && step[0].startsWith("GET ");
  const end = Date.now() + TOLD_MS;
  for (;;) {
    const found = await answer(url, step);
    if (!isRead || isDeepStrictEqual(found, expected) || Date.now() > end) return found;
    await delay(PAUSE_MS);
  }
}

async function answers(url: string, [given, ...steps]: Case, expected?: readonly object[]): Promise<object[]> {
  await send(url, "POST /api/proxies", { proxy: { zone: "static", ...given, port: PORT } });
  const all: object[] = [];
  for (const [index, step] of steps.entries())
    all.push(await (expected === undefined ? answer(url, step) : answerLike(expected[index], url, step)));
  const records = (await send(url, "GET /api/proxies")).body as { port: number; proxy_type?: string }[];
  for (const { port, proxy_type } of records) if (proxy_type) await send(url, `DELETE /api/proxies/${port}`);
  return all;
}

const all = [...Object.entries(GROUPS), ...Object.entries(later)].flatMap(([group, cases]) =>
  Object.entries(cases).map(([title, steps]): [string, string, Case] => [group, title, steps]),
);

/**
 * A process of the real manager tells the others of a ban that they have told it of: where that is late, a ban that has
 * been lifted since is there again, and stays. What is unlike once has to be so again.
 */
test.each(all)("%s, %s: both answer alike", async (_, __, steps) => {
  const simulated = await answers(both.simulator.manager.url, steps);
  if (isDeepStrictEqual(simulated, await answers(both.real.url, steps, simulated))) return;
  const again = await answers(both.simulator.manager.url, steps);
  expect(again).toEqual(await answers(both.real.url, steps, again));
});

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
  expect(simulated).toEqual(really);
});
