import { expect, test, vi } from "vitest";
import { ConnectionError, NotFoundError, type RequestContext, ServerError } from "../../src/base/errors";
import type { Step } from "../../src/lifecycle/lifecycle";
import { isUnsettled, lossOf, mayBeGone, removeOnce, turnsUp } from "../../src/lifecycle/settle";
import { controlledDeadline, failure, unhurried } from "./harness";

vi.mock("../../src/http/pause", () => import("./instantPause.ts"));

const request: RequestContext = {
  service: "remote",
  operation: "do it",
  method: "POST",
  url: "https://example.com/it",
};
const LOST = new ConnectionError(request, "ECONNRESET", "socket hang up");
const MISSING = new NotFoundError(request, { status: 404, message: "no" });
const DOWN = new ServerError(request, { status: 500, message: "no" });
const REFUSED = new NotFoundError(request, { status: 400, message: "no" });
const BUG = new TypeError("x is not a function");

const step = (): Step => ({ deadline: unhurried() }) as Step;

/** A run whose time is over. */
function late(): Step {
  const { deadline, expire } = controlledDeadline();
  expire();
  return { deadline } as Step;
}

test("a request that has failed may have been carried out where its answer was lost, or the time was over", () => {
  expect([LOST, MISSING, BUG, "text"].map((error) => isUnsettled(error, step()))).toEqual([true, false, false, false]);
  expect([LOST, MISSING, BUG, "text"].map((error) => isUnsettled(error, late()))).toEqual([true, false, true, false]);
});

test("a removal that has failed may have been carried out, too, where nothing was found", () => {
  expect([LOST, MISSING, BUG].map((error) => mayBeGone(error, step()))).toEqual([true, true, false]);
});

test("a request that has failed is thrown where it was refused, and handed on where its answer was lost", async () => {
  expect(await lossOf(Promise.resolve("done"), step())).toBeUndefined();
  expect(await lossOf(Promise.reject(LOST), step())).toBe(LOST);
  expect(await failure(lossOf(Promise.reject(MISSING), step()))).toBe(MISSING);
  expect(await lossOf(Promise.reject(MISSING), step(), mayBeGone)).toBe(MISSING);
});

test("what may turn up is looked for several times, and no longer than it takes to turn up", async () => {
  const look = vi.fn(async () => look.mock.calls.length === 3);
  expect(await turnsUp(look)).toBe(true);
  expect(look).toHaveBeenCalledTimes(3);
  const never = vi.fn(async () => false);
  expect(await turnsUp(never)).toBe(false);
  expect(never).toHaveBeenCalledTimes(5);
});

/** Removes it with what sending comes to, and what one look after the other does. */
async function removing(sent: Error | undefined, ...looks: (boolean | Error)[]) {
  const isGone = vi.fn(async () => {
    const found = looks.length > 1 ? looks.shift() : looks[0];
    if (found instanceof Error) throw found;
    return found === true;
  });
  const send = vi.fn(async () => {
    if (sent !== undefined) throw sent;
  });
  await removeOnce("waiting for it to go", send, isGone, step());
  expect(send).toHaveBeenCalledTimes(1);
  return isGone.mock.calls.length;
}

test("something that is removed is gone when two looks one after the other say so", async () => {
  expect(await removing(undefined, true)).toBe(2);
  expect(await removing(undefined, false, true, false, true)).toBe(5);
});

test("something that is removed is gone where the request is refused for want of it, and both looks say so", async () => {
  expect(await removing(REFUSED, true)).toBe(2);
  expect(await failure(removing(REFUSED, true, false))).toBe(REFUSED);
  expect(await failure(removing(REFUSED, false, true))).toBe(REFUSED);
  expect(await failure(removing(REFUSED, DOWN))).toBe(REFUSED);
});

test("something that is removed is looked for several times where the answer is lost", async () => {
  expect(await removing(LOST, false, false, true)).toBe(4);
  expect(await failure(removing(LOST, false))).toBe(LOST);
});
