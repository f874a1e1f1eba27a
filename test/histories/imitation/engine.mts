import {
  type Answer,
  type BoxEvent,
  type Command,
  type Exchange,
  inDrawnOrder,
  type Registration,
  type Start,
} from "../box.mts";
import { Deployment } from "./deployment.mts";
import { Journal } from "./journal.mts";
import { Providers } from "./providers.mts";
import { snapshotOf } from "./state.mts";
import { type Step, Steps } from "./step.mts";
import { Signal, Tasks } from "./tasks.mts";

/** What only says that something is wrong. */
const ENDINGS = /^(update|preview) (failed|canceled)$|context canceled|resource monitor shut down/;

/** The URN of a default provider. */
const DEFAULT = /::pulumi:providers:[^:]*::default$/;

interface Run {
  cancel(): void;
  kill(): void;
}

/**
 * As much of Pulumi's engine as the histories need that every test run plays: what it calls, in which order, what it keeps of the
 * results, and how all of that is broken off. It takes the commands that the engine itself takes in `tools/engine-box`, and is to
 * answer them in the same way.
 */
export class ImitatedEngine implements Exchange {
  readonly #calls = new Map<number, (answer: Answer) => void>();
  readonly #runs = new Map<number, Run>();
  readonly #tasks = new Tasks();
  readonly #seeds = new Map<number, number>();
  #events: BoxEvent[] = [];
  #number = 0;

  exchange(command: Command): BoxEvent[] {
    if ("start" in command) this.#begin(command.start);
    else if ("answer" in command) this.#answer(command.answer);
    else if ("cancel" in command) this.#runs.get(command.cancel)?.cancel();
    else this.#runs.get(command.kill)?.kill();
    this.#tasks.run();
    const events = this.#events;
    this.#events = [];
    const [first] = events;
    return first === undefined ? [] : inDrawnOrder(events, this.#seeds.get(first.run) ?? 0);
  }

  close(): void {}

  #answer(answer: Answer): void {
    const answered = this.#calls.get(answer.call);
    if (answered === undefined) throw new Error(`Nobody waits for the answer to call ${answer.call}.`);
    this.#calls.delete(answer.call);
    answered(answer);
  }

  #begin(start: Start & { run: number }): void {
    const isNative = ({ request }: Registration) => String(request.type).startsWith("brightdata:");
    if (start.program?.some(isNative)) throw new Error("The imitation has no plugin.");
    const { run, what, state } = start;
    const cancelled = new Signal();
    let isOver = false;
    const tell = (event: Omit<BoxEvent, "run">) => {
      if (!isOver) this.#events.push({ run, ...event });
    };
    this.#seeds.set(run, start.seed);
    const base = snapshotOf((state ?? {}) as Parameters<typeof snapshotOf>[0]);
    const providers = new Providers({ next: () => ++this.#number, tell, calls: this.#calls });
    const journal = what === "preview" ? undefined : new Journal(base, start, tell);
    const errors: string[] = [];
    const say = (error: string) => void errors.push(error.trim());
    const steps = new Steps(providers, journal === undefined);
    const isInternal = ({ op, urn }: Step) => op === "remove-pending-replace" || DEFAULT.test(urn);
    const planned = (step: Step) => isInternal(step) || tell({ kind: "planned", op: step.op, urn: step.urn });
    const whole = { tasks: this.#tasks, start, base, providers, steps, journal, say, planned, tell };
    const end = () => {
      const told = failures(errors);
      const isSaved = journal === undefined || !journal.isFrozen;
      const left = journal === undefined ? state : journal.saved;
      tell({
        kind: "end",
        ...(told.length > 0 && { errors: told }),
        ...(isSaved && { saved: true }),
        ...(left !== undefined && left !== null && { state: left }),
      });
      isOver = true;
      this.#runs.delete(run);
    };
    this.#runs.set(run, {
      cancel: () => {
        if (cancelled.isSet) return;
        for (const process of providers.numbers) tell({ kind: "cancelled", process });
        cancelled.set();
      },
      kill: () => {
        journal?.freeze();
        end();
      },
    });
    this.#tasks.start(wholly(new Deployment(whole, cancelled), journal, errors, end));
  }
}

function* wholly(deployment: Deployment, journal: Journal | undefined, errors: string[], end: () => void) {
  yield* deployment.run();
  const failure = journal?.close();
  if (failure !== undefined && errors.length === 0) errors.push(failure.message);
  end();
}

/** What is wrong, without what only says that something is. */
function failures(errors: readonly string[]): string[] {
  const telling = errors.filter((error) => !ENDINGS.test(error));
  return telling.length > 0 ? telling : errors.slice(0, 1);
}
