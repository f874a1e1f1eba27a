import type { CallLock } from "../http/limiter";

/** A port that the manager makes, also where an update makes it anew, has the lists of addresses as they were when it began. */
export const MAKES_PORT: CallLock = "shared";

/** A change of the lists reaches the ports that are there: not those that are being made. */
export const CHANGES_ADDRESSES: CallLock = "exclusive";
