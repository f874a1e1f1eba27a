import { describe, expect, test } from "vitest";
import { AuthenticationError, BrightDataError } from "../../src/base/errors";
import { accountOf } from "../../src/base/location";
import { accountFor, type Owner } from "../../src/run/account";

const OURS = accountOf("hl_ours");
const TITLE = "Zone web";

const REQUEST = {
  service: "remote" as const,
  operation: "ask whose the token is",
  method: "GET",
  url: "http://127.0.0.1/status",
};

const ours: Owner = { customer: "hl_ours" };
const theirs: Owner = { customer: "hl_theirs" };
const mayNotAsk: Owner = { silence: "may not ask" };
const noAnswer: Owner = { silence: "no answer", cause: new BrightDataError("HTTP 500.") };

describe("the account that something is, or is to be, with", () => {
  test.each([
    { of: "what is created", owner: ours, known: undefined, account: OURS },
    { of: "what is created with a token that may not ask", owner: mayNotAsk, known: undefined, account: undefined },
    { of: "what is created while nobody answers", owner: noAnswer, known: undefined, account: undefined },
    { of: "what the state has with it", owner: ours, known: { location: OURS }, account: OURS },
    { of: "what the state has with a token that may not ask", owner: mayNotAsk, known: { location: OURS } },
    { of: "what the state has with nobody knows whom", owner: ours, known: { location: undefined }, account: OURS },
    { of: "the same, while nobody answers", owner: noAnswer, known: { location: undefined }, account: undefined },
    { of: "what has moved", owner: theirs, known: { location: OURS, isMoved: true }, account: accountOf("hl_theirs") },
    { of: "what has moved to a token that may not ask", owner: mayNotAsk, known: { location: OURS, isMoved: true } },
  ])("is told of $of", ({ owner, known, account }) => {
    expect(accountFor(owner, "the token", known && { title: TITLE, isMoved: false, ...known })).toBe(account);
  });

  test.each([
    { of: "what the state has with another", owner: theirs, isMoved: false, words: /another account than that/ },
    { of: "what the state has, while nobody answers", owner: noAnswer, isMoved: false, words: /cannot be found out/ },
    { of: "what has moved, while nobody answers", owner: noAnswer, isMoved: true, words: /cannot be found out/ },
  ])("is refused of $of", ({ owner, isMoved, words }) => {
    expect(() => accountFor(owner, "the token", { title: TITLE, location: OURS, isMoved })).toThrow(words);
  });

  test("is refused with the service's own words where the token is not good for anything", () => {
    const cause = new AuthenticationError(REQUEST, { status: 401, message: "no" });
    const attempt = () =>
      accountFor({ silence: "no answer", cause }, "the token", { title: TITLE, location: OURS, isMoved: false });
    expect(attempt).toThrow(cause);
  });
});
