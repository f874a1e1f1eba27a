const SETTLE_SECONDS = 20;

/** Time of its own for finding out what became of a request: the operation's may be what has just run out. */
export const settleSignal = (): AbortSignal => AbortSignal.timeout(SETTLE_SECONDS * 1000);
