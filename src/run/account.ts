import { ArgumentError, AuthenticationError, ConfigurationError, PermissionError } from "../base/errors";
import { accountOf } from "../base/location";
import type { Account } from "../lifecycle/account";
import type { Deadline } from "../lifecycle/deadline";

/** What is known of whose a token is: it may not ask, or nobody answers. */
export type Owner = { customer: string } | { silence: "may not ask" } | { silence: "no answer"; cause: Error };

/** What an account has to fit to, and how it is called in words. */
export interface Guarded {
  /** Kind and id. */
  title: string;
  /** The account that the state has it with, where it says so. */
  location: string | undefined;
  /** Whether it comes from another provider: then it is looked for first. */
  isMoved: boolean;
}

/**
 * The account that something is, or is to be, with; `undefined` where nobody knows.
 *
 * @param known what the state says; `undefined` of what is created
 * @throws {ArgumentError} where the state has it with another one, or it cannot be told whether it has
 */
export function accountFor(owner: Owner, title: string, known: Guarded | undefined): string | undefined {
  const guarded = known?.location;
  if ("silence" in owner) {
    if (owner.silence === "may not ask" || guarded === undefined || known === undefined) return undefined;
    if (isFinal(owner.cause)) throw owner.cause;
    throw new ArgumentError(
      `${known.title} is recorded with an account, and whether the token is that account's (${title}) cannot be found out: ${owner.cause.message} Nothing was done: with another account's token, somebody else's would be changed. Run again later.`,
      { cause: owner.cause },
    );
  }
  const account = accountOf(owner.customer);
  // What has moved is recognised by this, or refused.
  if (guarded === undefined || known?.isMoved === true || guarded === account) return account;
  throw new ArgumentError(
    `${known?.title} is recorded with another account than that of the token (${title}, customer ${owner.customer}). Nothing was done. Use a token of the account that it is with. To leave it there, or if the state is wrong, run \`pulumi state delete\`: the next update makes one in this account, or takes one over (\`adopt: true\`).`,
  );
}

/** Whether asking again, or later, would change nothing: it says itself what would. */
const isFinal = (cause: Error): boolean => cause instanceof AuthenticationError || cause instanceof ConfigurationError;

/** How often it is asked whose a token is where nothing can be done without an answer. */
const MOST_QUESTIONS = 5;

/**
 * Asks whose a token is.
 *
 * @param isNeeded whether nothing can be done without an answer: then it is asked again, for some seconds
 */
export async function ownerOf(account: Account, isNeeded: boolean, deadline: Deadline): Promise<Owner> {
  if (!account.mayAsk) return { silence: "may not ask" };
  let questions = 0;
  const owner = await deadline.poll(`finding out whose the token of ${account.title} is`, async () => {
    const answer = await account.customer(deadline.signal).then((customer) => ({ customer }), silenceOf);
    questions++;
    const isKnown = !("cause" in answer) || isFinal(answer.cause);
    return isKnown || !isNeeded || questions === MOST_QUESTIONS ? answer : undefined;
  });
  account.mayAsk = !("silence" in owner && owner.silence === "may not ask");
  return owner;
}

/** A token may be one that may not ask this; whether it is good for the operation is for that to find out. */
function silenceOf(error: unknown): Owner {
  if (error instanceof PermissionError) return { silence: "may not ask" };
  return { silence: "no answer", cause: error instanceof Error ? error : new Error(String(error)) };
}
