import * as fs from "node:fs";
import type { Http2Server } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { CONTROL_PREFIX, type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { acknowledge } from "../../src/run/acknowledge";
import type { Answer, BoxEvent } from "../histories/box.mts";
import { Disk } from "../histories/disk.mts";
import type { Plugin, Plugins } from "../histories/engines.mts";
import { Machine } from "../histories/machine.mts";
import { Network, type Watcher } from "../histories/network.mts";
import { ASIDE, METHODS, type Start } from "../histories/providerProcess.mts";
import { Time } from "../histories/time.mts";
import { addressOf, engineLog, RealPlugin } from "../plugin/realPlugin";

/** The time that passes anyway. */
class RealTime extends Time {
  readonly #settle: () => Promise<void>;

  constructor(settle: () => Promise<void>) {
    super();
    this.#settle = settle;
  }

  override restart(): void {
    super.restart();
    this.now = Date.now();
  }

  override async until<T>(promise: Promise<T>): Promise<T> {
    return promise.finally(() => {
      this.now = Date.now();
    });
  }

  override pass(): Promise<void> {
    return this.until(this.#settle());
  }
}

class RealDisk extends Disk {
  override sync(): object {
    return fs;
  }
}

class RealNetwork extends Network {
  override client(): ReturnType<Network["client"]> {
    return async (url, options) => {
      const { status, body } = await fetch(url, options as RequestInit);
      await body?.cancel();
      return { statusCode: status } as never;
    };
  }
}

/** This machine, where simulators listen and the plugin's processes are those that an engine starts. */
export class RealMachine extends Machine implements Plugins {
  override readonly time = new RealTime(() => this.#settle());
  override readonly disk = new RealDisk(Date.now);
  override readonly network = new RealNetwork(this.time);
  override readonly homes = fs.mkdtempSync(join(tmpdir(), "real-machine-"));
  readonly #simulators: Simulator[] = [];
  readonly #leaving: Promise<unknown>[] = [];
  readonly #engines = new Map<string, { log: Http2Server; hear: Start["hear"] }>();
  #watcher: Watcher | undefined;

  constructor() {
    super();
    onTestFinished(async () => {
      await this.#settle();
      fs.rmSync(this.homes, { recursive: true, maxRetries: 5 });
    });
  }

  async listen(): Promise<string> {
    const log = await engineLog((words) => this.#engines.get(addressOf(log))?.hear(words));
    const address = addressOf(log);
    this.#engines.set(address, { log, hear: () => {} });
    return address;
  }

  override async simulator(options: SimulatorOptions): Promise<Simulator> {
    const simulator = await startSimulator({ ...options, manager: { dropin: false } });
    onTestFinished(() => simulator.close());
    this.#simulators.push(simulator);
    const { remote, manager, remotes, managers } = simulator;
    for (const { service } of [remote, manager, ...remotes.values(), ...managers.values()]) {
      const take = service.faults.take.bind(service.faults);
      service.faults.take = (request) => {
        this.network.watch();
        if (this.#watcher?.arrived() === false) return { kind: "hang" };
        // Whoever is ended here hears nothing of what its request has come to.
        this.#watcher?.done();
        return take(request);
      };
    }
    return simulator;
  }

  start({ env, engine: address, hear, watcher }: Start): Plugin {
    const engine = this.#engines.get(address) as { log: Http2Server; hear: Start["hear"] };
    engine.hear = (words) => ASIDE.test(words) || hear(words);
    this.#watcher = watcher();
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const plugin = new RealPlugin(address, { PATH, NODE_COMPILE_CACHE, ...env });
    const leave = (leaving: Promise<unknown>) => void this.#leaving.push(leaving);
    return {
      async answer({ method = "check", call = 0, message }: BoxEvent): Promise<Answer> {
        return { call, ...(await plugin.ask(METHODS[method], message)) };
      },
      cancel: () => void plugin.ask("Cancel"),
      recorded(mark) {
        for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
        acknowledge(new Map([[mark, {}]]), process.cwd());
        vi.unstubAllEnvs();
      },
      end: () => leave(plugin.end(false)),
      kill() {
        plugin.child.kill("SIGKILL");
        leave(plugin.exit);
      },
      abandon() {
        // It asks there whether its engine lives.
        engine.log.close();
        leave(plugin.end(true));
      },
      occupy: async () => {},
    };
  }

  /** Until the processes of the runs that are over have ended, and what they have sent has arrived. */
  async #settle(): Promise<void> {
    await Promise.all(this.#leaving.splice(0));
    for (const { remote, manager } of this.#simulators)
      for (const { service } of [remote, manager])
        if (service.isListening) await fetch(`${service.url}${CONTROL_PREFIX}/state`).then((answer) => answer.text());
  }
}
