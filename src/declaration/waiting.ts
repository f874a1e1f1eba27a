import { flag, number } from "./property";

/** Seconds between two looks where the program does not say: the service's own pace. */
export const POLL_SECONDS = 10;

/** How an update waits for what it has started. */
export const waiting = {
  wait: flag({
    says: "Whether the update waits for the end, and fails if it is a bad one.",
    default: true,
    onChange: "recorded",
  }),
  pollInterval: number({
    says: "Seconds between two checks of the progress, from 1 to 3600.",
    unit: "seconds",
    least: 1,
    most: 3600,
    expected: "expected seconds, from 1 to 3600.",
    default: POLL_SECONDS,
    onChange: "recorded",
  }),
} as const;
