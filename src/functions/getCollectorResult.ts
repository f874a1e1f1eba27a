import { ofThing } from "../base/memory";
import { any, list, map, number, text } from "../declaration/property";
import { pause } from "../http/pause";
import { remoteLookup } from "../lookups/lookup";

const DEFAULT_TIMEOUT_SECONDS = 300;

// The service holds a question open for 25 to 50 seconds. One that it answers at once is not asked again before this.
const SHORTEST_HOLD_SECONDS = 25;
const LONGEST_HOLD_SECONDS = 50;
const PACE_SECONDS = 10;

// As many of a client's requests as may run at once would keep all others from it.
const MOST_HELD = 4;

const responseId = text({
  says: "Id of the run, which the service returns when the run is started.",
  required: true,
  example: "z7a1b2c3d4",
});

export const getCollectorResult = remoteLookup("getCollectorResult", {
  says: "Looks up the result of a collector's run, and waits for it if it is not available yet. That there is none in the time allowed is a result, not an error. The service keeps a result for a week.",
  brief: "the result of a collector's run, once it is available",
  endpoints: ["GET /dca/get_result?response_id=&timeout="],
  arguments: {
    responseId,
    timeout: number({
      says: "Seconds to wait for a result that is not available yet; 0 to ask once.",
      unit: "seconds",
      least: 0,
      default: DEFAULT_TIMEOUT_SECONDS,
    }),
  },
  gives: "Result of a collector's run.",
  result: {
    responseId,
    status: text({
      says: "`ready`, or `pending` if there was no result in the time allowed.",
      oneOf: ["pending", "ready"],
      required: true,
    }),
    rows: list(map(any({}), {}), {
      says: "The collector's rows, each with its `input`; integers over 2^53 as text. Absent while pending.",
    }),
  },
  fails: [
    ["NotFoundError", "there is no such run"],
    ["ArgumentError", "the id is blank, or `timeout` is not a number of seconds"],
  ],
  example: `const { status, rows = [] } = await brightdata.getCollectorResult({ responseId: "z7a1b2c3d4", timeout: 60 });`,
  outputExample: `const result = brightdata.getCollectorResultOutput({ responseId: "z7a1b2c3d4", timeout: 60 });
export const titles = result.apply(({ rows = [] }) => rows.map(({ title }) => title));`,
  notes:
    "It holds up to four requests open for up to 50 seconds, and asks again after at least 10 seconds. It also waits in a preview, unless `timeout` is 0. It starts no run, which would be billed.",
  async ask({ collector }, { responseId, timeout = DEFAULT_TIMEOUT_SECONDS }, options) {
    const end = performance.now() + timeout * 1000;
    for (;;) {
      const asked = performance.now();
      const result = await held(collector, (end - asked) / 1000, (wait) =>
        collector.getResult(responseId, { ...wait, ...options }),
      );
      if (result.status === "ready") return { responseId, ...result };
      const now = performance.now();
      if (now >= end) return { responseId, status: "pending" };
      await pause(Math.max(0, Math.min(asked + PACE_SECONDS * 1000, end) - now), options.signal);
    }
  },
});

/** How many questions of a client are held open. */
const questionsHeld = () => ({ count: 0 });

/** Asks a question that is held open for a while, unless there is too little time, or as many of the client are already. */
async function held<T>(client: object, secondsLeft: number, ask: (hold: { wait?: number }) => Promise<T>): Promise<T> {
  const open = ofThing(client, questionsHeld);
  const { wait } = hold(secondsLeft);
  if (wait === undefined || open.count >= MOST_HELD) return ask({});
  open.count += 1;
  try {
    return await ask({ wait });
  } finally {
    open.count -= 1;
  }
}

const hold = (secondsLeft: number): { wait?: number } =>
  secondsLeft < SHORTEST_HOLD_SECONDS ? {} : { wait: Math.min(Math.floor(secondsLeft), LONGEST_HOLD_SECONDS) };
