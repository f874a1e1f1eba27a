import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/base/json.ts";
import type * as ownKey from "../../src/base/ownKey.ts";
import type { Kind } from "../../src/declaration/kind.ts";
import type * as announcements from "../../src/run/announcements.ts";
import { KEY, type Machine } from "./machine.mts";
import { type Declaration, RUN } from "./program.mts";

/** What the program's process does with it stands in a module of its own. */
const ANNOUNCEMENTS = fileURLToPath(new URL("../../dist/run/announcements.js", import.meta.url));
const OWN_KEY = fileURLToPath(new URL("../../dist/base/ownKey.js", import.meta.url));

/** What the package declares of a kind. */
function declarationOf(kind: string): Kind {
  const folder = kind.charAt(0).toLowerCase() + kind.slice(1);
  const module = createRequire(import.meta.url)(`../../dist/kinds/${folder}/declaration.js`) as Record<string, Kind>;
  return module[folder] as Kind;
}

interface Site {
  env: Readonly<Record<string, string>>;
  /** The engine's address. */
  engine: string;
}

/** The modules of the programs of a machine, whose environment is that of the run. */
class Programs {
  readonly #announcements: typeof announcements;
  readonly #ownKey: typeof ownKey;
  #env: Readonly<Record<string, string>> = {};

  constructor(machine: Machine) {
    const env = () => this.#env;
    const own = {
      get env() {
        return env();
      },
      platform: process.platform,
    };
    const modules = machine.modules({
      process: own,
      console,
      modules: { "node:fs": machine.disk.sync(() => true) },
      owner: () => this,
    });
    this.#announcements = modules.require(ANNOUNCEMENTS) as typeof announcements;
    this.#ownKey = modules.require(OWN_KEY) as typeof ownKey;
  }

  /** What a state has of what is announced of a kind, as the classes tell it of their outputs. */
  answeredIn(kind: string, outputs: JsonObject): JsonObject {
    const paths = declarationOf(kind).announced ?? [];
    const names = new Set(paths.map((path) => path.split(".")[0] as string));
    const shown = [...names].filter((name) => name in outputs && name !== "ports");
    const told = (name: string) =>
      name === "password" ? this.#ownKey.digestWith(KEY, String(outputs[name])) : outputs[name];
    return Object.fromEntries(shown.map((name) => [name, told(name)]));
  }

  announcer({ env, engine }: Site): announcements.Announcer {
    this.#env = env;
    return new this.#announcements.Announcer(engine, RUN);
  }
}

const programs = new WeakMap<Machine, Programs>();

/** What a program registers. */
interface Announced {
  /** With each resource where it has said it, or why it could not. */
  program: readonly Declaration[];
  /**
   * The engine has answered a registration, with the mark of its state, and of what it has not come to without an id.
   *
   * @param outputs those of the state before the run
   */
  answered(urn: string, isSkipped: boolean, mark: string, outputs?: JsonObject): void;
}

/** The program says what it is going to have, before its engine tells the provider of anything. */
export async function announced(machine: Machine, site: Site, program: readonly Declaration[]): Promise<Announced> {
  const said = await Promise.all(program.map(({ announced }) => announced));
  const known = programs.get(machine) ?? new Programs(machine);
  programs.set(machine, known);
  if (program.some(({ form }) => form === "foreign")) return { program, answered: () => {} };
  const announcer = known.announcer(site);
  for (const { announcements, isTakeOver } of said) {
    for (const announcement of announcements) announcer.add(announcement);
    if (isTakeOver) announcer.countTakeOver();
  }
  announcer.write();
  const { notice } = announcer;
  return {
    program: program.map((declaration, index) => {
      const own = notice && said[index]?.isTakeOver ? { ...notice, isTakeOver: true } : notice;
      const { properties } = declaration;
      return {
        ...declaration,
        properties: { ...properties, __program: { ...(properties.__program as object), run: own } },
      };
    }),
    answered: (urn, isSkipped, mark, outputs = {}) => {
      const own = said[program.findIndex((declaration) => declaration.urn === urn)];
      for (const each of own?.answered ?? []) {
        const has = { mark, inputs: known.answeredIn(each.kind, outputs) };
        announcer.add(each.isAnswered ? { ...each, ...(isSkipped ? { isSkipped } : has) } : each);
      }
      announcer.write();
    },
  };
}
