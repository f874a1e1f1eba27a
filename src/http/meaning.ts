import type { Refusal, RequestContext, ServiceError } from "../base/errors";

/** A refusal that means something of its own, and what. */
export interface Meaning {
  /** Any status where absent. */
  statuses?: readonly number[];
  /** What the message says; any message where absent. */
  says?: RegExp;
  error: new (context: RequestContext, refusal: Refusal) => ServiceError;
  /** For a refusal without words that a person could use. */
  message?: string;
  remedy?: string;
}

/** The error that a refusal means by the first of the rows that fits; `undefined` where the status says all there is to say. */
export const meaning =
  (...rows: readonly Meaning[]) =>
  (refusal: Refusal, context: RequestContext): ServiceError | undefined => {
    const { status, message } = refusal;
    const row = rows.find(
      ({ statuses, says }) => statuses?.includes(status) !== false && says?.test(message) !== false,
    );
    if (row === undefined) return undefined;
    const { statuses: _, says: __, error: Failure, ...words } = row;
    return new Failure(context, { ...refusal, ...words });
  };
