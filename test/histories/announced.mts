import { fileURLToPath } from "node:url";
import type * as announcements from "../../src/run/announcements.ts";
import type { Machine } from "./machine.mts";
import { type Declaration, RUN } from "./program.mts";

/** What the program's process does with it stands in a module of its own. */
const ANNOUNCEMENTS = fileURLToPath(new URL("../../dist/run/announcements.js", import.meta.url));

interface Site {
  env: Readonly<Record<string, string>>;
  /** The engine's address. */
  engine: string;
}

/** The modules of the programs of a machine, whose environment is that of the run. */
class Programs {
  readonly #announcements: typeof announcements;
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
  /** The engine has answered a registration, with the mark of its state, and of what it has not come to without an id. */
  answered(urn: string, isSkipped: boolean, mark: string): void;
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
    answered: (urn, isSkipped, mark) => {
      for (const each of said[program.findIndex((declaration) => declaration.urn === urn)]?.answered ?? [])
        announcer.add(each.isAnswered ? { ...each, ...(isSkipped ? { isSkipped } : { mark }) } : each);
      announcer.write();
    },
  };
}
