import { onTestFinished } from "vitest";
import { type BoxEvent, Line, type Start } from "../histories/box.mts";
import { METHODS } from "../histories/providerProcess.mts";
import { addressOf, engineLog, RealPlugin } from "../plugin/realPlugin";

/** What a run has done. */
export interface Ran {
  /** Calls that do something, and their resources' names. */
  steps: string[];
  /** What the engine was asked to log. */
  words: string[];
  errors: string[];
  state: unknown;
  /** The exit codes of the plugin's processes, where the engine was killed. */
  codes: unknown[];
}

/** Pulumi's engine, with the plugin as the process that it is, over connections of its own. */
export class RealPlugins {
  readonly #line: Line;
  readonly #env: NodeJS.ProcessEnv;
  #run = 0;

  constructor(box: string, env: NodeJS.ProcessEnv) {
    this.#line = new Line(box);
    this.#env = env;
    onTestFinished(() => this.#line.close());
  }

  /** @param killedAt the method after whose first answer the engine is killed, which does not hear it */
  async run(start: Start, killedAt?: BoxEvent["method"]): Promise<Ran> {
    const run = ++this.#run;
    const ran: Ran = { steps: [], words: [], errors: [], state: start.state, codes: [] };
    const log = await engineLog((words) => ran.words.push(words));
    const plugins = new Map<number, RealPlugin>();
    const events = this.#line.exchange({ start: { ...start, run } });
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const { kind, process = 0, method = "check", call = 0, urn = "", message } = event;
      if (kind === "process") plugins.set(process, new RealPlugin(addressOf(log), this.#env));
      if (kind === "end") Object.assign(ran, { errors: event.errors ?? [], state: event.state });
      if (kind !== "call") continue;
      if (DOING.test(method)) ran.steps.push(`${method} ${urn.split("::").at(-1)}`);
      const answered = await (plugins.get(process) as RealPlugin).ask(METHODS[method], message);
      const command = method === killedAt ? { kill: run } : { answer: { call, ...answered } };
      events.push(...this.#line.exchange(command));
    }
    const isKilled = killedAt !== undefined;
    // Its last connections close with the engine.
    if (isKilled) log.close();
    for (const plugin of plugins.values()) ran.codes.push(await plugin.end(isKilled));
    log.close();
    return ran;
  }
}

const DOING = /^(create|update|delete|read)$/;
