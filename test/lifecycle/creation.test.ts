import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  AlreadyExistsError,
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  type RequestContext,
  ServerError,
} from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import type { Context } from "../../src/lifecycle/context";
import {
  begunBefore,
  type Creation,
  createOnce,
  DoubtfulError,
  isBegun,
  single,
  TakenError,
  UnknownOutcomeError,
} from "../../src/lifecycle/creation";
import { CancelledError, Deadline, DeadlineError } from "../../src/lifecycle/deadline";
import type { Journal, Noted, Step } from "../../src/lifecycle/lifecycle";
import { Scope } from "../../src/lifecycle/scope";
import { failure } from "./harness";

const SECONDS = 60;
const FACTS = { before: ["a"] };
const REMEDY = "Look in the control panel.";
const LEFT = "One may have been made, which is in no state.";

const request: RequestContext = {
  service: "remote",
  operation: "make it",
  method: "POST",
  url: "https://example.com/it",
};
const LOST = new ConnectionError(request, "ECONNRESET", "socket hang up");
const refusal = (status: number) => ({ status, message: `answer ${status}` });
const OUTAGE = new ServerError(request, refusal(503));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  return () => vi.useRealTimers();
});

/** Lets time pass, from one timer to the next, until there is an outcome. */
async function inTime<T>(attempt: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  attempt.then(over, over);
  await vi.advanceTimersByTimeAsync(0);
  while (!isOver) await vi.advanceTimersToNextTimerAsync();
  return attempt;
}

/** What a look comes to: names of things, or an error. */
type Sight = string[] | Error;

interface Scene {
  step: Step;
  /** What was done, in its order; `Ns` says when a look was had. */
  events: string[];
  /** What the program is told. */
  said: string[];
  /** Seconds after which what was noted can come no more. */
  untils: number[];
  /** What time it was at the service, as noted. */
  serviceTimes: (string | undefined)[];
  cancel(): void;
  make(more?: Partial<Creation<string>>): Promise<readonly string[]>;
}

/** What an earlier process began, and when its time was, or is, over. */
interface Unfinished {
  facts?: JsonObject;
  secondsAgo: number;
  secondsLeft: number;
  /** Otherwise as noted. */
  more?: Partial<Pick<Noted, "thing" | "isElsewhere" | "at">>;
}

/**
 * Something to make whose request comes to `answer`.
 *
 * @param sights what one look after the other comes to; the last for all that follow
 */
function scene(answer: Sight, sights: Sight[] = [], unfinished?: Unfinished): Scene {
  const began = Date.now();
  const events: string[] = [];
  const said: string[] = [];
  const untils: number[] = [];
  const serviceTimes: (string | undefined)[] = [];
  const cancellation = new AbortController();
  const deadline = new Deadline(SECONDS, "timeouts.create", () => {}, cancellation.signal);
  onTestFinished(() => deadline.release());
  const noted: Noted | undefined = unfinished && {
    began: new Date(began - unfinished.secondsAgo * 1000).toISOString(),
    until: new Date(began + unfinished.secondsLeft * 1000).toISOString(),
    mark: "mark",
    facts: unfinished.facts ?? { noted: true },
    advice: LEFT,
    ...unfinished.more,
  };
  const journal: Journal = {
    mark: "new mark",
    unfinished: noted,
    begin: async (facts, advice, _thing, times) => {
      serviceTimes.push(times?.serviceTime);
      untils.push((Date.parse(times?.until ?? "") - began) / 1000);
      events.push(`note ${JSON.stringify(facts)}${advice === LEFT ? "" : `, ${advice}`}`);
    },
    forget: () => events.push("forget"),
    takeBack: () => events.push("take back"),
  };
  const outcome = async (sight: Sight | undefined) => {
    if (sight instanceof Error) throw sight;
    return sight ?? [];
  };
  const creation: Creation<string> = {
    title: "the thing",
    facts: FACTS,
    look(facts) {
      events.push(`look for ${JSON.stringify(facts)} after ${(Date.now() - began) / 1000} s`);
      return outcome(sights.length > 1 ? sights.shift() : sights[0]);
    },
    send() {
      events.push("send");
      return outcome(answer);
    },
    remedy: REMEDY,
    advice: LEFT,
  };
  // Nothing else of the context is needed.
  const scope = new Scope();
  const context = { advised: new WeakSet(), scope, claims: scope.claims } as unknown as Context;
  const step: Step = { context, deadline, journal, say: (words) => said.push(words) };
  return {
    step,
    events,
    said,
    untils,
    serviceTimes,
    cancel: () => cancellation.abort(),
    make: (more) => inTime(createOnce({ ...creation, ...more }, step)),
  };
}

const BEGUN = [`note ${JSON.stringify(FACTS)}`, "send"];
const looksIn = (events: string[]) => events.filter((event) => event.startsWith("look")).length;
const lookAfter = (seconds: number, facts: JsonObject = FACTS) =>
  `look for ${JSON.stringify(facts)} after ${seconds} s`;

test("making something notes what helps to find it, sends once, and does not look", async () => {
  const { make, events } = scene(["thing"]);
  expect(await make()).toEqual(["thing"]);
  expect(events).toEqual(BEGUN);
});

test("making something notes when it can come no more: at the end of its own time, or of the operation's", async () => {
  for (const [seconds, until] of [
    [undefined, SECONDS],
    [10, 10],
    [3600, SECONDS],
  ]) {
    const { make, untils } = scene(["thing"]);
    await make(seconds === undefined ? {} : { seconds });
    expect(untils).toEqual([until]);
  }
});

test("what is begun when the machine has slept may come until the operation's timer ends it: nobody begins it again before", async () => {
  const { make, untils } = scene(["thing"]);
  vi.setSystemTime(Date.now() + 3_600_000);
  await inTime(make());
  expect(untils).toEqual([3600 + SECONDS]);
});

test("making something whose answer is lost is looked for no longer than it may take", async () => {
  const { make, events } = scene(LOST, [[]]);
  expect(await failure(make({ seconds: 10 }))).toBeInstanceOf(UnknownOutcomeError);
  expect(events.at(-1)).toBe(lookAfter(10));
});

test("making something notes what time it is at the service, where that is known", async () => {
  const { make, serviceTimes } = scene(["thing"]);
  await make();
  await make({ dated: { of: () => undefined, now: () => undefined } });
  await make({ dated: { of: () => undefined, now: () => 0 } });
  expect(serviceTimes).toEqual([undefined, undefined, "1970-01-01T00:00:00.000Z"]);
});

test("making something needs no journal", async () => {
  const { make, step } = scene(["thing"]);
  delete step.journal;
  expect(await make()).toEqual(["thing"]);
  const refused = scene(new InvalidRequestError(request, refusal(400)));
  delete refused.step.journal;
  expect(await failure(refused.make())).toBeInstanceOf(InvalidRequestError);
});

test("making something that is one thing comes to that thing, and never to none", () => {
  expect(single(["thing"])).toBe("thing");
  expect(() => single([])).toThrow("Nothing was created.");
});

test.each([new InvalidRequestError(request, refusal(400)), new TypeError("x is not a function")])(
  "making something that is refused for certain is forgotten, and nothing is looked for: %s",
  async (error) => {
    const { make, events } = scene(error);
    expect(await failure(make())).toBe(error);
    expect(events).toEqual([...BEGUN, "forget"]);
  },
);

test("making something whose answer does not say what was made stays noted, until a state tells of it", async () => {
  const lost = new UnknownOutcomeError("Two have come.");
  const { make, events } = scene(lost);
  expect(await failure(make())).toBe(lost);
  const error = await failure(make({ kept: { id: "web", state: {} } }));
  expect(error).toMatchObject({ id: "web", cause: lost });
  expect(events).toEqual([...BEGUN, ...BEGUN]);
});

test("a lost answer is settled by the first look where that finds the thing", async () => {
  const { make, events } = scene(LOST, [["thing"]]);
  expect(await make()).toEqual(["thing"]);
  // The note stays until the engine has been told.
  expect(events).toEqual([...BEGUN, lookAfter(0)]);
});

test("a lost answer is settled by a later look, less and less often", async () => {
  const { make, events } = scene(LOST, [[], [], [], [], ["thing"]]);
  expect(await make()).toEqual(["thing"]);
  expect(events).toEqual([...BEGUN, ...[0, 0.25, 0.75, 1.75, 3.75].map((seconds) => lookAfter(seconds))]);
});

test("a lost answer is settled after an outage in which no look succeeds", async () => {
  const { make, events } = scene(LOST, [OUTAGE, LOST, OUTAGE, [], OUTAGE, ["thing"]]);
  expect(await make()).toEqual(["thing"]);
  expect(looksIn(events)).toBe(6);
});

test("a lost answer is not known where nothing turns up until the time is over, and nobody says that nothing was made", async () => {
  const { make, events } = scene(LOST, [[]]);
  const error = await failure(make());
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toBe(
    `${LOST.message} Whether the thing was created is not known: it has not turned up so far, but may do so later. ${REMEDY}`,
  );
  expect(error.cause).toBe(LOST);
  expect(events).not.toContain("forget");
  expect(events.filter((event) => event === "send")).toHaveLength(1);
  // The last look is had when the time is over.
  expect(events.at(-1)).toBe(lookAfter(SECONDS));
});

test("a lost answer is settled by the look that is had when the time is over", async () => {
  const { make, step } = scene(LOST);
  const look = async () => (step.deadline.signal.aborted ? ["thing"] : []);
  expect(await make({ look })).toEqual(["thing"]);
});

test("an answer that is lost because the time is over is looked for once more", async () => {
  const { make, step, events } = scene([]);
  const signals: boolean[] = [];
  const send = async (signal: AbortSignal): Promise<never> => {
    vi.advanceTimersByTime(SECONDS * 1000);
    return signal.throwIfAborted() as never;
  };
  const look = async (_facts: JsonObject, signal: AbortSignal) => {
    signals.push(signal.aborted);
    signal.throwIfAborted();
    return ["thing"];
  };
  expect(await make({ send, look })).toEqual(["thing"]);
  expect(step.deadline.signal.aborted).toBe(true);
  expect(signals).toEqual([true, false]);
  expect(events).not.toContain("forget");
});

test("a lost answer is not known, for no reason of its own, where no look is answered before the time is over", async () => {
  const { make } = scene(LOST);
  const look = (_facts: JsonObject, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  expect((await failure(make({ look }))).message).toBe(
    `${LOST.message} Whether the thing was created is not known: it has not turned up so far, but may do so later. ${REMEDY}`,
  );
});

test("a lost answer cannot be found out where no look succeeds, and it is said why", async () => {
  const { make } = scene(LOST, [OUTAGE]);
  expect((await failure(make())).message).toBe(
    `${LOST.message} Whether the thing was created could not be found out: ${OUTAGE.message} ${REMEDY}`,
  );
});

test.each([new AuthenticationError(request, refusal(401)), new PermissionError(request, refusal(403))])(
  "a lost answer cannot be found out where looking is not allowed, and that is known at once: %s",
  async (error) => {
    const { make, events } = scene(LOST, [error]);
    const { message } = await failure(make());
    expect(message).toContain(`could not be found out: ${error.message}`);
    expect(events).toEqual([...BEGUN, lookAfter(0)]);
  },
);

test("a lost answer is settled at once where the thing turns out to be somebody else's", async () => {
  const taken = new TakenError("Somebody else has it.");
  const { make, events } = scene(LOST, [[], taken]);
  expect(await failure(make())).toBe(taken);
  expect(looksIn(events)).toBe(2);
});

test("a lost answer is looked for once more, and no longer, when the update is cancelled", async () => {
  const stuck = scene(LOST, [[]]);
  const look = vi.fn(async () => {
    if (look.mock.calls.length === 3) stuck.cancel();
    return [];
  });
  expect(await failure(stuck.make({ look }))).toBeInstanceOf(UnknownOutcomeError);
  expect(look).toHaveBeenCalledTimes(4);

  const found = scene(LOST, [[], ["thing"]]);
  const send = vi.fn(async () => {
    found.cancel();
    throw LOST;
  });
  expect(await found.make({ send })).toEqual(["thing"]);
  expect(looksIn(found.events)).toBe(2);
});

test("nothing is noted or sent any more when the time is over, as after a long wait for another resource", async () => {
  const { make, step, events } = scene(["thing"]);
  await vi.advanceTimersByTimeAsync(SECONDS * 1000);
  expect(step.deadline.signal.aborted).toBe(true);
  const error = await failure(make());
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error.message).toContain(", before the thing was asked for. Allow more time with `timeouts.create`");
  expect(events).toEqual([]);
});

test("nothing is noted or sent any more when the update is cancelled", async () => {
  const { make, events, cancel } = scene(["thing"]);
  cancel();
  const error = await failure(make());
  expect(error).toBeInstanceOf(CancelledError);
  expect(error.message).toBe("The update was cancelled, before the thing was asked for.");
  expect(events).toEqual([]);
});

test("a lost answer is not settled by two things where one was asked for", async () => {
  const { make, events } = scene(LOST, [["one", "two"]]);
  const error = await failure(make());
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toBe(
    `${LOST.message} 2 things have come that could be the thing, and not 1: somebody else has created some too, and which are whose cannot be told. ${REMEDY}`,
  );
  expect(events).toEqual([...BEGUN, lookAfter(0)]);
});

test("a lost answer for several things is settled when all are there, and not before", async () => {
  const { make, events } = scene(LOST, [["a"], [], ["a", "b"], ["a", "b", "c"]]);
  expect(await make({ count: 3 })).toEqual(["a", "b", "c"]);
  expect(looksIn(events)).toBe(4);
  const { message } = await failure(scene(LOST, [["a"], ["a", "b", "c", "d"]]).make({ count: 3 }));
  expect(message).toContain("4 things have come that could be the thing, and not 3");
  expect((await failure(scene(LOST, [["a", "b"]]).make({ count: 3 }))).message).toContain("is not known");
});

const isRepeatable = () => true;

test("a request that may be sent again is, once, when several looks have found nothing", async () => {
  const { make, events } = scene(LOST, [[], [], [], [], [], [], [], ["thing"]]);
  expect(await make({ isRepeatable })).toEqual(["thing"]);
  const kinds = events.slice(2).map((event) => event.split(" ")[0]);
  expect(kinds).toEqual([...Array(6).fill("look"), "send", "look", "look"]);
});

test("a request that may be sent again is once at most, however long nothing turns up", async () => {
  const { make, events } = scene(LOST, [[]]);
  expect(await failure(make({ isRepeatable }))).toBeInstanceOf(UnknownOutcomeError);
  expect(events.filter((event) => event === "send")).toHaveLength(2);
});

test("a request that may be sent again is not where its first sending rules that out, nor while no look succeeds", async () => {
  const never = scene(LOST, [[]]);
  const asked: Error[] = [];
  const not = (lost: Error) => {
    asked.push(lost);
    return false;
  };
  await failure(never.make({ isRepeatable: not }));
  expect(asked[0]).toBe(LOST);
  expect(never.events.filter((event) => event === "send")).toHaveLength(1);

  const blind = scene(LOST, [OUTAGE]);
  await failure(blind.make({ isRepeatable }));
  expect(blind.events.filter((event) => event === "send")).toHaveLength(1);
});

describe("what a killed process began", () => {
  const NOTED = { noted: true };
  const TWICE = [0, 0.25].map((seconds) => lookAfter(seconds, NOTED));
  /** Its time has just run out. */
  const over = { secondsAgo: 60, secondsLeft: 0 };
  const longAgo = { secondsAgo: 7200, secondsLeft: -3600 };
  const justNow = { secondsAgo: 5, secondsLeft: 20 };

  test("is taken up, and that is said; nothing is sent", async () => {
    for (const unfinished of [justNow, over, { secondsAgo: 120, secondsLeft: -60 }]) {
      const { make, events, said } = scene(["another"], [["thing"]], unfinished);
      expect(await make()).toEqual(["thing"]);
      expect(events).toEqual([lookAfter(0, NOTED)]);
      expect(said).toEqual(["Took up the thing, which an update that was cut short had created."]);
    }
  });

  test.each<[string, string | undefined, string | undefined, string[]]>([
    ["another thing is noted as what it turned out to be", "port 1", "port 2", [BEGUN[0] ?? ""]],
    ["the same thing is noted already", "port 1", "port 1", []],
    ["a thing that gets its name only now is noted already", "port 1", undefined, []],
    ["a thing that had no name is noted already", undefined, "port 2", []],
  ])("and bears its mark, but as %s", async (_, before, thing, noted) => {
    const unfinished = { ...justNow, more: before === undefined ? {} : { thing: before } };
    const { make, events } = scene(["another"], [["thing"]], unfinished);
    expect(await make({ isMarked: true, ...(thing === undefined ? {} : { thing }) })).toEqual(["thing"]);
    expect(events).toEqual([lookAfter(0, NOTED), ...noted]);
  });

  test("long ago is refused where nothing shows that it is what there is, with the ways out", async () => {
    const { make, step, events } = scene(["another"], [["thing"]], longAgo);
    const error = await failure(make());
    expect(error).toBeInstanceOf(DoubtfulError);
    expect(error.message).toBe(
      `An update that was cut short has asked for the thing at ${step.journal?.unfinished?.began}. What there is now may be that, or somebody else's: after so long, that cannot be told. Where the resource has an input \`adopt\`, set it to take over what there is; otherwise delete what there is, or replace the resource (\`pulumi up --replace <its URN>\`) if that is somebody else's, and run again. ${REMEDY}`,
    );
    expect(events).toEqual([lookAfter(0, NOTED)]);
  });

  test("is told of with the file that keeps it open: what there is may be somebody else's, who needs it", async () => {
    const at = { file: "/root/.pulumi/brightdata/intents/one" };
    const doubtful = await failure(scene(["another"], [["thing"]], { ...longAgo, more: { at } }).make());
    expect(doubtful.message).toContain(
      `; otherwise delete what there is, or ${at.file} if that is somebody else's, and run again. ${REMEDY}`,
    );
    const several = await failure(scene(["another"], [["one", "two"]], { ...justNow, more: { at } }).make());
    expect(several.message).toBe(
      `2 things have come that could be the thing, and not 1: somebody else has created some too, and which are whose cannot be told. ${REMEDY} If all of them are somebody else's, delete ${at.file} and run again.`,
    );
  });

  test("long ago is taken up where a mark, or the service's date, shows that it is what there is", async () => {
    expect(await scene(["another"], [["thing"]], longAgo).make({ isMarked: true })).toEqual(["thing"]);
    const { make, step } = scene(["another"], [["thing"]], longAgo);
    const { began = "" } = step.journal?.unfinished ?? {};
    const dated = { of: () => began, now: () => Date.now() };
    expect(await make({ dated })).toEqual(["thing"]);
  });

  test("long ago is not taken up where the service dates only some of it", async () => {
    const { make, step } = scene(["another"], [["a", "b"]], longAgo);
    const { began = "" } = step.journal?.unfinished ?? {};
    const dated = { of: (thing: string) => (thing === "a" ? began : undefined), now: () => Date.now() };
    expect(await failure(make({ dated, count: 2 }))).toBeInstanceOf(DoubtfulError);
  });

  test.each<[string, boolean | undefined, Unfinished, Partial<Creation<string>>]>([
    ["ours shortly after its writer has ended", true, over, {}],
    ["nobody knows whose long after", undefined, longAgo, {}],
    ["ours long after where it bears a mark", true, longAgo, { isMarked: true }],
    [
      "another's where the service says so",
      false,
      over,
      { dated: { of: () => "2020-01-01T00:00:00Z", now: () => Date.now() } },
    ],
  ])("and is there is %s", (_, ours, { secondsAgo, secondsLeft }, evidence) => {
    const { step } = scene([], [], { secondsAgo, secondsLeft });
    expect(isBegun(evidence, "thing", step)).toBe(ours);
  });

  test("is not what the service says was made at another time: that is somebody else's", async () => {
    const { make, events } = scene(["made"], [["theirs"]], over);
    const dated = { of: () => new Date().toISOString(), now: () => Date.now() + 3_600_000 };
    expect(await make({ dated })).toEqual(["made"]);
    expect(events).toEqual([...TWICE, ...BEGUN]);
  });

  test("and has a name of its own is met there where nobody can tell by now", async () => {
    const taken = new AlreadyExistsError(request, refusal(409));
    const { make, events } = scene(taken, [["thing"]], longAgo);
    expect(await failure(make({ isRepeatable: () => true }))).toBe(taken);
    expect(events).toEqual([lookAfter(0, NOTED), ...BEGUN, "forget"]);
  });

  test("is told of where it was something else, and the thing is made", async () => {
    const { make, events, said } = scene(["made"], [["other"]], over);
    expect(await make({ isSame: ({ noted }) => noted === "the same" })).toEqual(["made"]);
    expect(said).toEqual([LEFT]);
    expect(events.filter((event) => event.startsWith("look"))).toEqual([]);
  });

  test("is told of only where no other resource of the program has it by now", async () => {
    for (const [mark, words] of [
      ["m.other", []],
      ["m.me", [LEFT]],
    ] as const) {
      const { step, said } = scene([], [], { ...over, more: { thing: "zone web" } });
      step.context.claims.made({ mark }, ["zone web"]);
      begunBefore({ ...step, me: { mark: "m.me" } }, () => false);
      expect(said).toEqual(words);
    }
  });

  test("is told of with a word on the resource that declares it, and may have it or be refused", async () => {
    const { step, said } = scene([], [], { ...over, more: { thing: "zone web" } });
    step.context.scope.declarations.declareOnce("Zone", ["zone web"], { place: "other", name: "other" });
    begunBefore(step, () => false);
    expect(said).toEqual([`${LEFT} Look first whether another resource of this program has it: one declares it.`]);
  });

  test("somewhere else is told of where it is not found, and the thing is made", async () => {
    const { make, events, said } = scene(["made"], [[]], { ...over, more: { isElsewhere: true } });
    expect(await make()).toEqual(["made"]);
    expect(said).toEqual([LEFT]);
    expect(events).toEqual([...TWICE, ...BEGUN]);
  });

  test("needs nobody to be told", async () => {
    const { say: _, ...found } = scene(["another"], [["thing"]], over).step;
    expect(begunBefore(found, () => false)).toBeUndefined();
    const quiet = scene(["another"], [["thing"]], over);
    delete quiet.step.say;
    expect(await quiet.make()).toEqual(["thing"]);
  });

  test("is told of once, however often it is asked for", async () => {
    const { step, said } = scene([], [], over);
    for (let time = 0; time < 2; time++) expect(begunBefore(step, () => false)).toBeUndefined();
    expect(said).toEqual([LEFT]);
  });

  test("is begun again where it has come to nothing", async () => {
    const { make, events, said } = scene(["thing"], [[]], over);
    expect(await make()).toEqual(["thing"]);
    expect(events).toEqual([...TWICE, ...BEGUN]);
    expect(said).toEqual([]);
  });

  test("is not taken for nothing by one look, which may see a list that is short", async () => {
    const { make, events } = scene(["another"], [[], ["thing"]], over);
    expect(await make()).toEqual(["thing"]);
    expect(events).toEqual(TWICE);
  });

  test("may come until its time is over, and is not begun again before", async () => {
    const late = scene(["another"], [[], [], ["thing"]], justNow);
    expect(await late.make()).toEqual(["thing"]);
    expect(late.events).toEqual([0, 0.25, 0.75].map((seconds) => lookAfter(seconds, NOTED)));

    const never = scene(["thing"], [[]], justNow);
    expect(await never.make()).toEqual(["thing"]);
    // Just then: the operation's own time may be over before another look.
    expect(never.events.at(-3)).toBe(lookAfter(20, NOTED));
    expect(never.events.slice(-2)).toEqual(BEGUN);
  });

  test("is not begun again by an operation whose own time is over first", async () => {
    const { make, events, step } = scene(["thing"], [[]], { secondsAgo: 5, secondsLeft: 3600 });
    const { message } = await failure(make());
    expect(message).toBe(
      `Gave up after ${SECONDS} s, looking for the thing, which an update that was cut short may have created, and which may come until ${step.journal?.unfinished?.until}. Allow more time with \`timeouts.create\` (in seconds).`,
    );
    expect(events).not.toContain("send");
    expect(events).not.toContain("forget");
  });

  test("is sent again after some looks where its name keeps it from being made twice", async () => {
    const { make, events } = scene(["thing"], [[]], { secondsAgo: 5, secondsLeft: 3600 });
    expect(await make({ isRepeatable: () => true })).toEqual(["thing"]);
    expect(looksIn(events)).toBe(6);
    expect(events.slice(-2)).toEqual(BEGUN);
  });

  test("is still noted where the request that is sent again is refused before its time is over", async () => {
    const refused = new InvalidRequestError(request, refusal(400));
    const open = scene(refused, [[]], { secondsAgo: 5, secondsLeft: 3600 });
    expect(await failure(open.make({ isRepeatable: () => true }))).toBe(refused);
    expect(open.events.slice(-3)).toEqual([...BEGUN, "take back"]);
    const closed = scene(refused, [[]], over);
    expect(await failure(closed.make({ isRepeatable: () => true }))).toBe(refused);
    expect(closed.events.slice(-3)).toEqual([...BEGUN, "forget"]);
  });

  describe("and whose name is taken before it can be seen", () => {
    const TAKEN = new AlreadyExistsError(request, refusal(409));
    const late = { isSeenLate: true, isRepeatable: () => true };
    const open = { secondsAgo: 5, secondsLeft: 3600 };

    test("is waited for", async () => {
      const sights = [...Array<string[]>(20).fill([]), ["thing"]];
      const { make, events } = scene(TAKEN, sights, open);
      expect(await make(late)).toEqual(["thing"]);
      expect(events.filter((event) => !event.startsWith("look"))).toEqual(BEGUN);
      expect(looksIn(events)).toBe(21);
    });

    test("stays unknown, and noted, when time is over", async () => {
      const { make, events } = scene(TAKEN, [[]], open);
      const error = await failure(make(late));
      expect(error).toBeInstanceOf(UnknownOutcomeError);
      expect(error.message).toContain(TAKEN.message);
      expect(events.filter((event) => !event.startsWith("look"))).toEqual(BEGUN);
    });

    test("is somebody else's where its date says so", async () => {
      const sights = [...Array<string[]>(8).fill([]), ["theirs"]];
      const { make, events } = scene(TAKEN, sights, open);
      const dated = { of: () => "2020-01-01T00:00:00Z", now: () => Date.now() };
      expect(await failure(make({ ...late, dated }))).toBe(TAKEN);
      expect(events.at(-1)).toBe("forget");
    });

    test("what the state has, and nobody has seen, is waited for as well", async () => {
      const { make, events } = scene(TAKEN, [[], ["thing"]]);
      expect(await make({ ...late, isHad: true })).toEqual(["thing"]);
      expect(looksIn(events)).toBe(2);
    });

    test.each<[string, Partial<Creation<string>>, Unfinished | undefined]>([
      ["by somebody else's, and nothing was begun", late, undefined],
      ["by somebody else's, and something else was begun", { ...late, isSame: () => false }, over],
      ["and can be seen at once", { isRepeatable: () => true }, over],
    ])("what is refused because its name is taken is refused at once: %s", async (_, more, unfinished) => {
      const { make, events } = scene(TAKEN, [[]], unfinished);
      expect(await failure(make(more))).toBe(TAKEN);
      expect(events.slice(-3)).toEqual([...BEGUN, "forget"]);
    });
  });

  test("is not told from what others have made where there is too much of it", async () => {
    const { make, events } = scene(["thing"], [["one", "two"]], over);
    const error = await failure(make());
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toMatch(/^2 things have come that could be the thing, and not 1: /);
    expect(events).toEqual([lookAfter(0, NOTED)]);
  });

  test("is neither forgotten nor begun again while it cannot be looked for", async () => {
    const { make, events } = scene(["thing"], [OUTAGE], over);
    expect(await failure(make())).toBe(OUTAGE);
    expect(events).toEqual([lookAfter(0, NOTED)]);
  });

  test("of several things is taken up with all of them", async () => {
    const whole = scene(["x"], [["a", "b", "c"]], over);
    expect(await whole.make({ count: 3 })).toEqual(["a", "b", "c"]);
    const part = scene(["x", "y", "z"], [["a"]], over);
    expect(await part.make({ count: 3 })).toEqual(["x", "y", "z"]);
  });
});
