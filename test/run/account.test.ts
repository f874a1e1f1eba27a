import { describe, expect, test, vi } from "vitest";
import {
  ArgumentError,
  AuthenticationError,
  BrightDataError,
  ConfigurationError,
  PermissionError,
} from "../../src/base/errors";
import { accountOf } from "../../src/base/location";
import type { Account } from "../../src/lifecycle/account";
import { accountFor, type Guarded, type Owner, ownerOf } from "../../src/run/account";
import { unhurried } from "../lifecycle/harness";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));

const OURS = accountOf("hl_ours");
const REQUEST = { service: "remote", operation: "read", method: "GET", url: "http://localhost/status" } as const;
const down = new BrightDataError("The service is down.");
const rejected = new AuthenticationError(REQUEST, { status: 401, message: "no" });
const forbidden = new PermissionError(REQUEST, { status: 403, message: "no" });

const unusable = new ConfigurationError("http://proxy:8080 is plain http and not this machine.");

const known = (given: Partial<Guarded> = {}): Guarded => ({
  title: "Zone web",
  location: OURS,
  isMoved: false,
  ...given,
});

const ASKED: Owner = { customer: "hl_ours" };
const OTHER: Owner = { customer: "hl_other" };
const FORBIDDEN: Owner = { silence: "may not ask" };
const SILENT: Owner = { silence: "no answer", cause: down };
const REJECTED: Owner = { silence: "no answer", cause: rejected };
const UNUSABLE: Owner = { silence: "no answer", cause: unusable };

test.each<[string, Owner, Guarded | undefined, string | undefined]>([
  ["that of the token, for a creation", OTHER, undefined, accountOf("hl_other")],
  ["that of the token, where the state has the same", ASKED, known(), OURS],
  ["that of the token, where the state does not say", OTHER, known({ location: undefined }), accountOf("hl_other")],
  ["that of the token, for what comes from another provider", OTHER, known({ isMoved: true }), accountOf("hl_other")],
  ["not known to a creation of which the token may not ask", FORBIDDEN, undefined, undefined],
  ["not known to a token that may not ask", FORBIDDEN, known(), undefined],
  ["not known to a creation where nobody answers", SILENT, undefined, undefined],
  ["not known where nobody answers and the state does not say", SILENT, known({ location: undefined }), undefined],
  [
    "not known to a token that may not ask of what comes from another provider",
    FORBIDDEN,
    known({ isMoved: true }),
    undefined,
  ],
  ["not known where a rejected token creates: the creation will say so", REJECTED, undefined, undefined],
])("the account that something is with is %s", (_, owner, recorded, account) => {
  expect(accountFor(owner, "the account of the token", recorded)).toBe(account);
});

const refusal = (owner: Owner, given: Partial<Guarded> = {}) => {
  try {
    return accountFor(owner, "the account of the token", known(given));
  } catch (error) {
    return error;
  }
};

test("what is with one account is not changed with another account's token", () => {
  const error = refusal(OTHER);
  expect(error).toBeInstanceOf(ArgumentError);
  expect(String(error)).toMatch(/Zone web is recorded with another account .*customer hl_other\).* Nothing was done/);
  expect(String(error)).toContain("if the state is wrong, run `pulumi state delete`");
});

test.each([false, true])(
  "the account that something is with has to be known where the state has one: nothing is done where nobody answers (moved: %s)",
  (isMoved) => {
    const error = refusal(SILENT, { isMoved });
    expect(error).toBeInstanceOf(ArgumentError);
    expect(String(error)).toContain("cannot be found out: The service is down. Nothing was done");
    expect(error).toHaveProperty("cause", down);
  },
);

test.each<[string, Owner, Error]>([
  ["with a token that is rejected", REJECTED, rejected],
  ["where no question can be sent", UNUSABLE, unusable],
])("the account that something is with is not to be found out %s, which says so itself", (_, owner, error) => {
  expect(refusal(owner)).toBe(error);
});

describe("whose a token is", () => {
  const account = (...answers: (string | Error)[]) => {
    const customer = vi.fn(async () => {
      const answer = answers[Math.min(customer.mock.calls.length, answers.length) - 1] ?? "";
      if (answer instanceof Error) throw answer;
      return answer;
    });
    return { title: "the account of the token", mayAsk: true, customer };
  };
  const asked = (of: ReturnType<typeof account>, isNeeded: boolean) =>
    ownerOf(of as unknown as Account, isNeeded, unhurried());

  test.each<[string, (string | Error)[], boolean, Owner, number]>([
    ["is the service's answer", ["hl_ours"], true, ASKED, 1],
    ["is asked once where it is not needed", [down, "hl_ours"], false, SILENT, 1],
    ["is asked again where it is needed", [down, down, "hl_ours"], true, ASKED, 3],
    ["is asked five times at most", [down], true, SILENT, 5],
    ["is not asked again of a service that rejects the token", [rejected], true, REJECTED, 1],
    ["is not asked again where no question can be sent", [unusable], true, UNUSABLE, 1],
    ["is not asked again of a service that does not tell this token", [forbidden], true, FORBIDDEN, 1],
  ])("%s", async (_, answers, isNeeded, owner, questions) => {
    const of = account(...answers);
    expect(await asked(of, isNeeded)).toEqual(owner);
    expect(of.customer).toHaveBeenCalledTimes(questions);
    expect(of.mayAsk).toBe(owner !== FORBIDDEN);
  });

  test("is asked no more once it may not ask", async () => {
    const of = { ...account("hl_ours"), mayAsk: false };
    expect(await asked(of, true)).toEqual(FORBIDDEN);
    expect(of.customer).not.toHaveBeenCalled();
  });
});
