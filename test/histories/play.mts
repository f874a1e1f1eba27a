import { imitation } from "./boxEngine.mts";
import { EngineFault, type EngineOf } from "./engines.mts";
import type { History } from "./history.mts";
import type { Machine } from "./machine.mts";
import { Stage } from "./stage.mts";
import { Told, Wrong } from "./verdicts.mts";

/** What a history does, and what is wrong with it, if anything is. */
export interface Report {
  wrong?: string;
  /** What Pulumi's engine says where it has failed itself. */
  fault?: string;
  /** Which step that was: the steps of the end count on. */
  step?: number;
  /** Why it has ended before its last check, where nothing is wrong. */
  ended?: string;
  /** What was in no state, and was excused. */
  excused: string[];
  log: string[];
}

/** Which law a history breaks, and with what: without that which differs from one history to another. */
export const lawOf = ({ wrong }: Report): string | undefined =>
  wrong
    ?.split("\n")[0]
    ?.replace(/"[^"]*"|`[^`]*`/g, "…")
    .replaceAll(/\S*[\d/_]\S*/g, "…")
    .replaceAll(/\b[a-g][abc]?\b/g, "…")
    .replaceAll(/\b(alpha|beta|taken|web|shop)\b/g, "…")
    .slice(0, 70);

/** What went wrong is the histories' own fault. */
const OWN = "harness: ";

/**
 * Plays a history. Nothing but its data decides what happens. Where errors come from is noted only where that is told: to note it
 * takes a tenth of the time.
 */
export async function play(history: History, engineOf = imitation, machine?: Machine): Promise<Report> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const report = await played(history, engineOf, machine).finally(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  return report.wrong?.startsWith(OWN) ? played(history, engineOf, machine) : report;
}

async function played(history: History, engineOf: EngineOf, machine?: Machine): Promise<Report> {
  const log: string[] = [];
  let step = 0;
  let stage: Stage | undefined;
  const report = (rest: Partial<Report>): Report => ({ ...rest, excused: stage?.excused ?? [], log });
  try {
    stage = await Stage.open(history, engineOf, (words) => log.push(words), machine);
    for (const each of history.steps) {
      await stage.step(each);
      step++;
    }
    await stage.end();
    return report({});
  } catch (error) {
    if (error instanceof Told) return report({ ended: error.message });
    if (error instanceof EngineFault)
      return report({ ended: "Pulumi's engine has failed", fault: error.message, step });
    if (error instanceof Wrong) return report({ wrong: error.message, step });
    return report({ wrong: `${OWN}${error instanceof Error ? error.stack : String(error)}`, step });
  }
}
