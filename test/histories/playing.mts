import { type Declared, withHeld } from "./claims.mts";
import type { Entry } from "./engine.mts";
import type { EngineOf, StackEngine } from "./engines.mts";
import type { Stack } from "./history.mts";
import type { Machine } from "./machine.mts";
import type { Connections, Declaration, Form, Program, Resource } from "./program.mts";
import type { Services } from "./world.mts";

/** Explicit providers that a program may have, of the services of its stack. */
export const PROVIDERS = ["one", "other"];

interface Begun {
  resource: Resource;
  come: string[];
  ended: number;
}

/** A stack while a history is played. */
export class Playing {
  readonly stack: Stack;
  readonly engine: StackEngine;
  name: string;
  program: Resource[] = [];
  /** What its state has by an import, and no program has had yet. */
  imported: Resource[] = [];
  form: Form = "dynamic";
  /** What programs declared that no state had, whose runs have not been recorded, with what came then that it may have made. */
  readonly begun: Begun[] = [];
  /** What came in such runs that resources which states had may have made: until the state knows of the change, they are asked. */
  readonly changed: (Begun & { urn: string; isForced: boolean })[] = [];
  /** States after earlier runs, the latest last. */
  readonly backups: Entry[][] = [];
  isRestored = false;
  /** Whether the notes of what was begun could not be read, or written, in one of its runs. */
  wasBlind = false;
  /** Whether its state may have the configuration of services that are not its own. */
  isAstray = false;
  readonly #classes: Program;
  readonly #connections: Connections;

  /** Its configuration as environment variables, which come before what a state has. */
  readonly own: Readonly<Record<string, string>>;

  constructor(
    machine: Machine,
    classes: Program,
    { stack, name, seed, engineOf }: { stack: Stack; name: string; seed: number; engineOf: EngineOf },
    { token, remote, manager }: Services,
  ) {
    this.stack = stack;
    this.name = name;
    this.#classes = classes;
    const args = {
      apiToken: token,
      baseUrl: remote.url,
      proxyManagerUrl: manager.url,
      // Other names of the same services.
      accounts: JSON.stringify({ same: { apiToken: token, baseUrl: remote.url } }),
      managers: JSON.stringify({ same: { url: manager.url } }),
    };
    const config = Object.fromEntries(Object.entries(args).map(([name, value]) => [`brightdata:${name}`, value]));
    this.own = environmentOf(config);
    this.#connections = { config, args };
    this.engine = engineOf({
      machine,
      stack: name,
      seed,
      config,
      providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, classes.configOf(provider, args)])),
      env: { PULUMI_HOME: `${machine.homes}/${stack.home}`, PULUMI_BACKEND_URL: `file:///states/${stack.backend}` },
    });
  }

  declared(program: readonly Resource[]): Declaration[] {
    return program.map((resource) => this.#classes.declared(this.name, resource, this.#connections, this.form));
  }

  /** Its program, and what it has imported for the next one, with what its resources have in the state without naming it. */
  get held(): Declared[] {
    return withHeld([...this.program, ...this.imported], this.engine.state);
  }
}

/** A configuration as environment variables. */
export const environmentOf = (config: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key.replace(":", "_").replaceAll(/[A-Z]/g, "_$&").toUpperCase(),
      value,
    ]),
  );
