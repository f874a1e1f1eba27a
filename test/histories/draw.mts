import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import type { Interruption, Manner, UpOptions } from "./engine.mts";
import { TROUBLES } from "./faults.mts";
import { amid } from "./happenings.mts";
import type { History, RunStep, Stack, Step, Trouble, Up } from "./history.mts";
import { canAdopt, IMPORTS, KINDS, THINGS } from "./kinds.mts";
import { type Resource, urnOf } from "./program.mts";
import { sceneOf } from "./scenes.mts";

const MOST_STEPS = 10;
const MOST_RESOURCES = 6;
const NAMES = ["a", "b", "c", "d", "e", "f", "g"];

const INTERRUPTIONS: readonly Interruption["when"][] = ["before call", "after call", "recorded", "request", "answer"];

/**
 * A history that a seed decides.
 *
 * @param only happenings that are to be in it, also where they are switched off, and no other ones; or scenes, of which it is one
 */
export function draw(seed: number, only?: readonly string[]): History {
  return sceneOf(seed, only) ?? amid(drawn(seed), only);
}

function drawn(seed: number): History {
  const chance = new Chance(seed);
  const stacks = stacksOf(chance);
  // The lists of a manager as a whole are one program's.
  const isShared = stacks.length > 1 && new Set(stacks.map(({ service }) => service)).size === 1;
  const authors = stacks.map((_, index) => new Author(chance, index, isShared));
  const steps: Step[] = authors.map((author) => author.up());
  const number = 4 + chance.below(MOST_STEPS - 3);
  while (steps.length < number) steps.push(stepOf(chance, authors));
  return { seed, stacks, steps };
}

function stacksOf(chance: Chance): Stack[] {
  const first = { home: 0, service: 0, backend: 0 };
  if (!chance.oneIn(3)) return [first];
  const service = chance.oneIn(3) ? 1 : 0;
  return [first, { home: chance.below(2), service, backend: chance.below(2) }];
}

function stepOf(chance: Chance, authors: readonly Author[]): Step {
  const one = chance.pick(authors);
  switch (chance.below(24)) {
    case 0:
      return { do: "wait", hours: chance.pick([1, 24, 200]) };
    case 1:
      return { do: "restore", stack: one.stack, runs: 1 + chance.below(3) };
    case 2:
      return { do: "stranger", stack: one.stack, what: chance.pick(["up", "refresh", "destroy"]) };
    case 3:
      return one.import();
    case 4:
    case 5:
    case 6: {
      const [first, second] = authors;
      return first && second ? { do: "both", runs: [first.run(), second.run()] } : one.run();
    }
    default:
      return one.run();
  }
}

/** Who writes the program of a stack, and runs it. */
class Author {
  readonly stack: number;
  readonly #chance: Chance;
  readonly #isShared: boolean;
  readonly #earlier: Resource[][] = [];
  #program: Resource[] = [];

  constructor(chance: Chance, stack: number, isShared: boolean) {
    this.#chance = chance;
    this.#isShared = isShared;
    this.stack = stack;
    for (let count = 2 + chance.below(MOST_RESOURCES - 1); count > 0; count--) this.#program.push(this.#fresh());
    this.#program = sound(this.#program);
  }

  run(): RunStep {
    const chance = this.#chance;
    const what = chance.below(12);
    if (what === 0) return { do: "destroy", stack: this.stack, ...this.#manner() };
    if (what === 1) return { do: "refresh", stack: this.stack, ...this.#manner() };
    if (what > 3) this.#rewrite();
    return this.up();
  }

  import(): Step {
    const chance = this.#chance;
    const { kind, args } = chance.pick(IMPORTS);
    const resource = { kind, name: chance.pick(NAMES), args };
    this.#program = sound([resource, ...this.#program.filter(({ name }) => name !== resource.name)]);
    return { do: "import", stack: this.stack, resource, isRead: chance.oneIn(2) };
  }

  up(): Up {
    const program = this.#isShared ? this.#program.map(withoutChance) : this.#program;
    return { do: "up", stack: this.stack, program, ...this.#manner(), ...this.#options() };
  }

  #manner(): Manner & { trouble?: Trouble; full?: true } {
    const chance = this.#chance;
    if (chance.oneIn(6)) return { trouble: this.#trouble() };
    if (chance.oneIn(5)) {
      const when = chance.pick(INTERRUPTIONS);
      const by = chance.oneIn(3) ? "cancel" : "kill";
      const after = chance.below(when === "request" || when === "answer" ? 12 : 5);
      return { interruption: { by, when, after }, ...(chance.oneIn(12) ? { full: true } : {}) };
    }
    return { ...(chance.oneIn(10) ? { unsaved: chance.below(5) } : {}), ...(chance.oneIn(20) ? { full: true } : {}) };
  }

  #trouble(): Trouble {
    const chance = this.#chance;
    const at = chance.oneIn(2) ? "remote" : "manager";
    const fault = chance.pick(Object.keys(TROUBLES));
    return { at, after: chance.below(8), fault, ...(chance.oneIn(4) ? { times: 1 + chance.below(8) } : {}) };
  }

  #options(): UpOptions {
    const chance = this.#chance;
    const urns = this.#program.map(({ kind, name }) => urnOf(kind, name));
    const some = () => urns.filter(() => chance.oneIn(2));
    return {
      ...(chance.oneIn(2) ? { together: true } : {}),
      ...(chance.oneIn(6) ? { bystander: chance.oneIn(2) ? urns.length : chance.below(urns.length + 1) } : {}),
      ...(chance.oneIn(12) ? { refresh: true } : {}),
      ...(chance.oneIn(12) && urns.length > 0 ? { replace: [chance.pick(urns)] } : {}),
      ...(chance.oneIn(12) ? { target: some() } : {}),
    };
  }

  #rewrite(): void {
    const chance = this.#chance;
    this.#earlier.push(this.#program);
    for (let changes = 1 + chance.below(2); changes > 0; changes--) {
      this.#program = sound(chance.oneIn(5) ? chance.pick(this.#earlier) : this.#changed(this.#program));
    }
  }

  #changed(program: readonly Resource[]): Resource[] {
    const chance = this.#chance;
    const one = program.length === 0 ? undefined : chance.pick(program);
    if (one === undefined) return [this.#fresh()];
    const others = program.filter((each) => each !== one);
    const instead = (...resources: Resource[]) => program.flatMap((each) => (each === one ? resources : [each]));
    switch (chance.below(10)) {
      case 0:
      case 1:
        return instead({ ...one, args: this.#redrawn(one) });
      case 2:
        return instead({ ...one, name: chance.pick(NAMES), aliases: [...new Set([...(one.aliases ?? []), one.name])] });
      case 3:
        return instead({ ...one, name: chance.pick(NAMES), aliases: [] });
      case 4: {
        const other = others.find(({ kind }) => kind === one.kind);
        if (other === undefined) return instead({ ...one, args: { ...one.args, ...adopting(one) } });
        return program.map((each) =>
          each === one ? { ...other, args: one.args } : each === other ? { ...one, args: other.args } : each,
        );
      }
      case 5:
        return instead(one, {
          ...one,
          name: chance.pick(NAMES),
          aliases: [],
          args: { ...one.args, ...(chance.oneIn(3) ? {} : adopting(one)) },
        });
      case 6:
        return others;
      case 7:
        return instead(...movedTo(one, this.#isShared));
      default:
        return [...program, this.#fresh()].slice(0, MOST_RESOURCES);
    }
  }

  #fresh(): Resource {
    const chance = this.#chance;
    // One kind more often than the others makes them meet.
    const kind = chance.oneIn(3) ? (this.#program[0]?.kind ?? "Zone") : chance.pick(Object.keys(THINGS));
    return { kind, name: chance.pick(NAMES), args: this.#argsOf(kind) };
  }

  #argsOf(kind: string): JsonObject {
    const drawn = KINDS[kind]?.draw(this.#chance, this.stack) ?? {};
    if (!this.#isShared) return drawn;
    const { wwwWhitelistIps: _, ...args } = drawn;
    // Nor can anybody tell which of a zone's IPs are another stack's.
    if (kind === "ZoneIps") delete args.adopt;
    return args;
  }

  /** Some arguments as they were, some as drawn again. */
  #redrawn({ kind, args }: Resource): JsonObject {
    const fresh = this.#argsOf(kind);
    const keys = [...new Set([...Object.keys(args), ...Object.keys(fresh)])];
    const chosen = keys.map((key) => [key, (this.#chance.oneIn(2) ? fresh : args)[key]] as const);
    const known = Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
    if (kind === "ZonePassword" && !canAdopt(kind, known)) delete known.adopt;
    return { ...known, ...requiredOf(kind, args) };
  }
}

/** Adopts nothing that may be another stack's. */
function withoutChance(resource: Resource): Resource {
  if (resource.kind !== "Zone" || canAdopt(resource.kind, resource.args)) return resource;
  const { adopt: _, ...args } = resource.args;
  return { ...resource, args };
}

const adopting = ({ kind, args }: Resource): JsonObject => (canAdopt(kind, args) ? { adopt: true } : {});

/** What arguments have to have in any case. */
function requiredOf(kind: string, args: JsonObject): JsonObject {
  if (kind !== "ManagerSettings") return {};
  return args.logs === undefined ? {} : { logs: args.logs };
}

/** The same thing as another kind has it. */
function movedTo({ kind, name, args }: Resource, isShared: boolean): Resource[] {
  if (kind === "ProxyPort") {
    const { adopt: _, zone, ...settings } = args;
    return [{ kind: "ProxyPorts", name, args: { defaults: { zone }, ports: { a: settings }, adopt: true } }];
  }
  if (kind === "ProxyPorts") {
    const { zone } = (args.defaults ?? {}) as JsonObject;
    return Object.entries(args.ports as Record<string, JsonObject>).map(([member, settings]) => ({
      kind: "ProxyPort",
      name: name + member,
      args: { ...(zone === undefined ? {} : { zone }), ...settings, adopt: true },
    }));
  }
  if (kind === "WhitelistIp" && args.list === undefined && !isShared) {
    return [{ kind: "ManagerSettings", name, args: { logs: 500, wwwWhitelistIps: ["198.51.100.1", String(args.ip)] } }];
  }
  return [{ kind, name, args }];
}

/** A program that the engine takes: no name twice, and none that is another's alias. */
function sound(program: readonly Resource[]): Resource[] {
  const byUrn = new Map(program.map((resource) => [urnOf(resource.kind, resource.name), resource]));
  return [...byUrn.values()].map(({ aliases = [], ...resource }) => {
    const free = aliases.filter((alias) => !byUrn.has(urnOf(resource.kind, alias)));
    return free.length === 0 ? resource : { ...resource, aliases: free };
  });
}
