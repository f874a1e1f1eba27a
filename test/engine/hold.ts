import type { ChildProcess } from "node:child_process";
import { expect, vi } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import type { Stack } from "../../scripts/stack.mts";
import type { Simulator } from "../../simulator";
import type { FaultPlan, FaultTarget } from "../../simulator/fault";
import type { Scene } from "./harness";
import { childrenOf, signalProcessGroup } from "./processes";

/** How long nothing may be asked until everything is taken to wait for what is held. */
const QUIET_MS = 300;

export type Side = "before" | "after";

/**
 * Holds requests for ever, before or after the service has done what they ask: the moment to end somebody who waits for an
 * answer.
 */
export class Hold {
  /** What is held, `METHOD /path` each. */
  readonly held: string[] = [];
  readonly #simulator: Simulator;
  #asked = 0;

  /** @param of which side of a request to hold it on; `undefined` lets it through */
  constructor(simulator: Simulator, of: (request: FaultTarget) => Side | undefined) {
    this.#simulator = simulator;
    for (const plan of this.#plans()) {
      vi.spyOn(plan, "take").mockImplementation((request) => {
        this.#asked++;
        const side = of(request);
        if (side === undefined) return undefined;
        this.held.push(`${request.method} ${request.path} (${side})`);
        return { kind: side === "before" ? "hang" : "hang-after" };
      });
    }
  }

  /** Resolves with true when something is held and nothing else goes on, with false when the program ends before. */
  async settled(ending: Promise<unknown>): Promise<boolean> {
    let over = false;
    void ending.finally(() => {
      over = true;
    });
    let asked = -1;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      if (over) return false;
      if (this.held.length > 0 && asked === this.#asked) return true;
      asked = this.#asked;
    }
  }

  release(): void {
    for (const plan of this.#plans()) vi.mocked(plan.take).mockRestore();
  }

  #plans(): FaultPlan[] {
    return [this.#simulator.remote.service.faults, this.#simulator.manager.service.faults];
  }
}

/** Ends an update, with all that it has started, while something that is asked of a service is held. */
export async function killed({ stack, simulator }: Scene, of: (request: FaultTarget) => Side | undefined) {
  const hold = new Hold(simulator, of);
  const running = stack.start("up");
  expect(await hold.settled(running.ending)).toBe(true);
  const started = childrenOf(running.child.pid, "pulumi-");
  await halted(stack, running.child);
  signalGroup(running.child, "SIGKILL");
  for (const each of started) signalProcessGroup(each, "SIGKILL");
  await running.ending;
  hold.release();
}

/** Stops the engine where it does not write its state just then: half a file is another story than the one that is told here. */
async function halted(stack: Stack, engine: ChildProcess): Promise<void> {
  for (;;) {
    signalGroup(engine, "SIGSTOP");
    try {
      JSON.parse(await stack.stateText());
      return;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    signalGroup(engine, "SIGCONT");
  }
}
