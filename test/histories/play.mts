import { isDeepStrictEqual } from "node:util";
import type { Simulator } from "../../simulator/index.ts";
import {
  Books,
  claimsOf,
  claimsOfArgs,
  contestedIn,
  type Declared,
  mayMake,
  namesOf,
  type Page,
  Wrong,
  withHeld,
} from "./books.mts";
import type { Entry, Outcome } from "./engine.mts";
import { type Edit, EngineFault, type EngineOf, imitation, type StackEngine } from "./engines.mts";
import { FAULTS } from "./faults.mts";
import type { History, RunStep, Stack, Step, Trouble, Up } from "./history.mts";
import { canAdopt, IMPORTS, kindOf } from "./kinds.mts";
import { Machine } from "./machine.mts";
import { meant, plain } from "./meant.mts";
import { type Declaration, Program, type Resource, urnOf } from "./program.mts";
import { atomsOf, seed } from "./world.mts";

const machine = new Machine();
let classes: Program | undefined;

/** After this time a fault has no effect any more, whatever the service asked for. */
const CALM_MS = 3_700_000;

/** A stack while a history is played. */
class Playing {
  readonly stack: Stack;
  readonly engine: StackEngine;
  name: string;
  program: Resource[] = [];
  /** What programs declared that no state had, whose runs have not been recorded, with what came then that it may have made. */
  readonly begun: { resource: Resource; come: string[] }[] = [];
  /** States after earlier runs, the latest last. */
  readonly backups: Entry[][] = [];
  isRestored = false;

  constructor(stack: Stack, name: string, { token, remote, manager }: Simulator, seed: number, engineOf: EngineOf) {
    this.stack = stack;
    this.name = name;
    this.engine = engineOf({
      machine,
      stack: name,
      seed,
      config: {
        "brightdata:apiToken": token,
        "brightdata:baseUrl": remote.url,
        "brightdata:proxyManagerUrl": manager.url,
      },
      env: { PULUMI_HOME: `/home/${stack.home}`, PULUMI_BACKEND_URL: `file:///states/${stack.backend}` },
    });
  }
}

/** Requests are answered sooner. */
const LATE_MS = 1000;

const REMOTE = /^Zone/;

const REFUSED_AS_ANOTHER = /differs in what cannot be changed in place: `plan|Take it off the|Leave this resource out/;

/** The person is told what cannot be known: until they look and decide, nothing goes on. */
class Told extends Error {}

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

/** Plays a history. Nothing but its data decides what happens. */
export async function play(history: History, engineOf = imitation): Promise<Report> {
  const log: string[] = [];
  let step = 0;
  let stage: Stage | undefined;
  const report = (rest: Partial<Report>): Report => ({ ...rest, excused: stage?.excused ?? [], log });
  try {
    stage = await Stage.open(history, engineOf, (words) => log.push(words));
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
    return report({ wrong: `harness: ${error instanceof Error ? error.stack : String(error)}`, step });
  }
}

/** A run that has ended. */
interface Ended {
  run: RunStep;
  /** What its state had before. */
  before: readonly Entry[];
  page: Page;
  outcome: Outcome;
}

class Stage {
  readonly #playing: Playing[];
  readonly #books: Books[];
  readonly #log: (words: string) => void;
  /** Another account, which no stack has. */
  readonly #stranger: Simulator;
  #pages: Page[] = [];
  #found: Error | undefined;
  #wasContested = false;

  private constructor(playing: Playing[], books: Books[], stranger: Simulator, log: (words: string) => void) {
    this.#playing = playing;
    this.#stranger = stranger;
    this.#books = books;
    this.#log = log;
    machine.network.watch = () => {
      try {
        for (const page of this.#pages) page.look();
      } catch (error) {
        this.#found ??= error as Error;
      }
    };
  }

  static async open(
    { seed: number, stacks }: History,
    engineOf: EngineOf,
    log: (words: string) => void,
  ): Promise<Stage> {
    machine.restart(number);
    classes ??= new Program(machine);
    const isTwin = new Set(stacks.map(({ backend }) => backend)).size > 1;
    const simulators: Simulator[] = [];
    for (let service = 0; service <= 1 + Math.max(...stacks.map((each) => each.service)); service++) {
      const simulator = await machine.simulator({ seed: `${number} ${service}`, customer: `hl_${service}` });
      seed(simulator);
      await machine.time.until(place(simulator));
      simulators.push(simulator);
    }
    const stranger = simulators.pop() as Simulator;
    const books = simulators.map((simulator) => new Books(simulator));
    const playing = stacks.map((stack, index) => {
      const name = isTwin ? "dev" : `dev${index}`;
      return new Playing(stack, name, simulators[stack.service] as Simulator, number, engineOf);
    });
    return new Stage(playing, books, stranger, log);
  }

  /** What was in no state, and was excused. */
  get excused(): string[] {
    return this.#books.flatMap(({ used }) => [...used]);
  }

  async step(step: Step): Promise<void> {
    if (step.do === "wait") await machine.time.pass(step.hours * 3_600_000);
    else if (step.do === "restore") this.#restore(step.stack, step.runs);
    else if (step.do === "import") await this.#import(step.stack, step.resource, step.isRead);
    else if (step.do === "edit") this.#edit(step.stack, step.edit);
    else if (step.do === "stranger") await this.#confuse(step.stack, step.what);
    else {
      const runs = step.do === "both" ? step.runs : [step];
      const ended = await this.#runAll(runs);
      await this.#calm(runs.some(({ trouble }) => trouble !== undefined));
      for (const each of ended) this.#begun(each);
    }
  }

  /** Runs at the same time, what the books say of each, and whether what was paid is right. */
  async #runAll(runs: readonly RunStep[]): Promise<Ended[]> {
    for (const run of runs) this.#strike(run);
    const paid = new Map(this.#books.map((books) => [books, { ...books.ledger }]));
    const opened = runs.map((run) => ({ run, before: this.#stateOf(run), page: this.#open(run) }));
    this.#pages = opened.map(({ page }) => page);
    machine.disk.full = runs.some(({ full }) => full);
    const running = opened.map(async (each) => ({ ...each, outcome: await this.#run(each.run) }));
    const ended = await machine.time.until(Promise.all(running));
    machine.disk.full = false;
    // What a process that was killed has sent may still be on its way.
    await machine.time.pass(LATE_MS);
    this.#pages = [];
    if (this.#found !== undefined) throw this.#found;
    for (const { run, before } of ended) this.#retain(this.#playing[run.stack] as Playing, before, run);
    for (const each of ended) {
      const other = ended.find(({ page }) => page !== each.page);
      if (other !== undefined)
        each.page.alongside(each.page.books === other.page.books ? this.#stateOf(other.run) : []);
      this.#close(each.page, each.run, each.outcome);
    }
    for (const [books, before] of paid) {
      const pages = ended.map(({ page }) => page);
      books.pays(
        before,
        pages.filter((page) => page.books === books),
      );
    }
    return ended;
  }

  #close(page: Page, run: RunStep, outcome: Outcome): void {
    const own = this.#stateOf(run);
    page.close(outcome, own);
    // What was deleted may be in a state all the same, which was not saved, or where the deletion failed at its end.
    const isLeft = ({ urn }: Entry) => outcome.errors.length > 0 && outcome.steps.includes(`delete ${urn}`);
    page.books.doubt(outcome.isRecorded ? own.filter(isLeft) : own);
  }

  /** Notes what a run that was not recorded has begun, once all of its requests have arrived. */
  #begun({ run, page, outcome, before }: Ended): void {
    if (run.do !== "up" || outcome.isRecorded) return;
    const come = page.come();
    // Where nothing can be noted, one word is said, and what a lost state has is nobody's.
    if (outcome.words.some((words) => words.includes("Nothing can be noted in"))) page.books.excuses.add(come);
    const isHad = ({ kind, name, aliases = [] }: Resource) =>
      [name, ...aliases].some((each) =>
        before.some((entry) => entry.urn === urnOf(kind, each) && entry.recreated !== true),
      );
    const begun = run.program.filter((resource) => !isHad(resource));
    const made = (resource: Resource) => come.filter((name) => mayMake(resource, name));
    this.#playing[run.stack]?.begun.push(...begun.map((resource) => ({ resource, come: made(resource) })));
  }

  /** What a person does anyway leads to what is declared, and then to nothing. */
  async end(): Promise<void> {
    for (const playing of this.#playing) {
      playing.program = playing.program.map(plain);
      playing.engine.edit?.({ what: "unprotect" });
      playing.program = this.#sound(playing);
      // Of what was begun and is not in the program any more, or not there, nobody is asked.
      const placeOf = ({ kind, name, options }: Resource) => [urnOf(kind, name), options?.parent].join(" ");
      const places = new Set(playing.program.map(placeOf));
      const gone = playing.begun.filter(({ resource }) => !places.has(placeOf(resource)));
      for (const { come } of gone) this.#booksOf(playing).excuses.add(come);
    }
    // What a resource has written over another's is seen by a refresh only.
    for (const { engine, stack } of this.#playing) {
      const books = this.#books[stack.service] as Books;
      // The state may have the configuration of a stranger.
      const env = { BRIGHTDATA_API_TOKEN: books.simulator.token, BRIGHTDATA_BASE_URL: books.simulator.remote.url };
      if (books.isContested) this.#log(`refresh: ${brief(await machine.time.until(engine.refresh({ env })))}`);
    }
    this.#wasContested = this.#books.some((books) => books.isContested);
    for (const books of this.#books) books.settle();
    for (const [index, playing] of this.#playing.entries()) await this.#converge(index, playing);
    for (const books of this.#books) this.#isAccountedFor(books, "when all is as declared");
    for (const [index, { engine }] of this.#playing.entries()) {
      const page = this.#open({ do: "destroy", stack: index });
      let outcome = await machine.time.until(engine.destroy());
      this.#log(`destroy ${index}: ${brief(outcome)}`);
      // What stands on a zone and does not say so goes at the same time: then a person does it again.
      if (outcome.errors.some((words) => words.includes("Zone not found"))) {
        outcome = await machine.time.until(engine.destroy());
      }
      if (outcome.errors.length > 0) throw new Wrong(`destroy fails: ${outcome.errors[0]}`);
      page.close(outcome, engine.state);
    }
    for (const books of this.#books) this.#isAccountedFor(books, "when all is destroyed");
  }

  async #converge(index: number, playing: Playing): Promise<void> {
    const { engine } = playing;
    const up = async (program = playing.program) => {
      const step: Up = { do: "up", stack: index, program };
      const page = this.#open(step, playing.program);
      const before = engine.state;
      const outcome = await machine.time.until(engine.up(this.#declared(playing, step.program)));
      this.#log(`end ${index}: ${brief(outcome)}`);
      this.#retain(playing, before, step);
      page.close(outcome, engine.state);
      return outcome.errors;
    };
    // What others declared as well goes before what is left in its place comes.
    const isKept = ({ kind, name }: Resource) =>
      engine.state.some(({ urn, recreated }) => !recreated && urn === urnOf(kind, name));
    if (this.#wasContested && !playing.program.every(isKept)) await up(playing.program.filter(isKept));
    let errors = await up();
    // An error may hide those behind it, and each of them takes two.
    for (let tries = 0, most = 2 * playing.program.length + 2; errors.length > 0 && tries < most; tries++) {
      // A person does what the words say, where what is there is not the program's as far as anybody knows.
      if (errors.some((words) => words.includes("`adopt: true`"))) this.#adopt(playing);
      // And leaves out what cannot be there before something else goes, or at all beside what an earlier program has left.
      if (tries > 0) await up(playing.program.filter(isKept));
      if (tries > 1 && this.#wasContested) {
        const isRefused = ({ args }: Resource) =>
          errors.some((words) => words.includes("Leave this resource out") && words.startsWith(`${args.ip} `));
        playing.program = playing.program.filter((resource) => !isRefused(resource));
      }
      errors = await up();
    }
    refuse(errors, playing.begun.length > 0 || playing.isRestored);
    const preview = await machine.time.until(engine.preview(this.#declared(playing, playing.program)));
    if (preview.steps.length + preview.errors.length > 0) {
      throw new Wrong(`a preview is not empty after up: ${[...preview.steps, ...preview.errors].join("; ")}`);
    }
  }

  #adopt(playing: Playing): void {
    playing.program = playing.program.map((each) =>
      canAdopt(each.kind, each.args) ? { ...each, args: { ...each.args, adopt: true } } : each,
    );
  }

  /** The last program without what others declare as well, or what somebody else has. */
  #sound(playing: Playing): Resource[] {
    const { before } = this.#booksOf(playing);
    const sound: Declared[] = [];
    for (const resource of withHeld(playing.program, playing.engine.state)) {
      const others = this.#playing.filter((each) => each !== playing && each.stack.service === playing.stack.service);
      const contested = contestedIn([
        ...others.map(({ program, engine }) => withHeld(program, engine.state)),
        [...sound, resource],
      ]);
      const { kind, name, args, aliases = [] } = resource;
      const urns = [name, ...aliases].map((each) => urnOf(kind, each));
      const entries = playing.engine.state.filter(({ urn }) => urns.includes(urn));
      const own = new Set(entries.flatMap((entry) => [...claimsOf(entry).keys()]));
      const isForeign = [...claimsOfArgs(resource)].some(
        ([what, value]) =>
          before.has(what) &&
          !own.has(what) &&
          (args.adopt !== true || (kind === "Zone" && before.get(what) !== value)),
      );
      const isSetting = kind === "ManagerSettings";
      if (!namesOf(resource).some(contested) && (isSetting || !isForeign)) sound.push(resource);
    }
    return sound.map(({ held: _, ...resource }) => resource);
  }

  #isAccountedFor(books: Books, when: string): void {
    const states = this.#playing.filter((each) => this.#booksOf(each) === books).flatMap(({ engine }) => engine.state);
    const [orphan] = books.orphans(states);
    if (orphan !== undefined) throw new Wrong(`${orphan} is in no state ${when}, and nobody was told`);
  }

  async #run(step: RunStep): Promise<Outcome> {
    const playing = this.#playing[step.stack] as Playing;
    const { engine } = playing;
    playing.backups.push(engine.state);
    const outcome =
      step.do === "up"
        ? await engine.up(this.#declared(playing, step.program), step)
        : await engine[step.do]({
            ...step,
            ...(step.isWithProgram === true && { program: this.#declared(playing, playing.program) }),
          });
    this.#log(`${step.do} ${step.stack}: ${brief(outcome)}`);
    return outcome;
  }

  async #import(index: number, resource: Resource, isRead: boolean): Promise<void> {
    const playing = this.#playing[index] as Playing;
    const { id, args } = IMPORTS.find(({ kind }) => kind === resource.kind) as (typeof IMPORTS)[number];
    const books = this.#booksOf(playing);
    const names = [...claimsOfArgs(resource).keys()];
    const states = this.#playing.filter((each) => this.#booksOf(each) === books).flatMap(({ engine }) => engine.state);
    const urn = urnOf(resource.kind, resource.name);
    const isHad = states.some((entry) => names.some((name) => claimsOf(entry).has(name)));
    const isThere = names.every((name) => atomsOf(books.simulator).get(name) === books.before.get(name));
    if (isHad || !isThere || playing.engine.state.some((entry) => entry.urn === urn)) return;
    books.agree([{ ...resource, args: { ...args, adopt: true } }]);
    const [{ properties }] = this.#declared(playing, [resource]) as [Declaration];
    const values = { ...args, __provider: properties.__provider };
    const entry = { urn, id, inputs: values, outputs: values, declared: properties, initErrors: [] };
    const outcome = await machine.time.until(playing.engine.import(entry, isRead));
    this.#log(`import ${index}: ${brief(outcome)}`);
    if (outcome.errors.length > 0) throw new Wrong(`an import fails: ${outcome.errors[0]}`);
  }

  /** Somebody gives a run the token of another account. */
  async #confuse(index: number, what: "up" | "refresh" | "destroy"): Promise<void> {
    const playing = this.#playing[index] as Playing;
    const { engine } = playing;
    const before = engine.state.filter(({ urn, recreated }) => !recreated && REMOTE.test(urn));
    // Whether it is another account cannot be told where nobody knew which it was.
    if (before.length === 0 || before.some(({ outputs }) => outputs.__at === undefined)) return;
    const { simulator } = this.#booksOf(playing);
    const services = [simulator, this.#stranger];
    const look = () => JSON.stringify(services.map(({ account }) => account.liveZones()));
    const seen = look();
    const declared = this.#declared(playing, playing.program);
    // What is made there for the first time is nothing to refuse.
    const known = declared.filter(({ urn, properties }) =>
      engine.state.some(
        ({ doomed, recreated, ...entry }) =>
          !doomed && !recreated && entry.urn === urn && isDeepStrictEqual(entry.declared, properties),
      ),
    );
    // Where nothing is declared, the configuration of the state is used.
    if (what === "up" && known.length === 0) return;
    const { token, remote } = this.#stranger;
    const config = { "brightdata:apiToken": token, "brightdata:baseUrl": remote.url };
    // Without a program, the provider has the configuration of the state: only the environment says something else.
    const env = { BRIGHTDATA_API_TOKEN: token, BRIGHTDATA_BASE_URL: remote.url };
    const outcome = await machine.time.until(what === "up" ? engine.up(known, { config }) : engine[what]({ env }));
    this.#log(`stranger ${index}: ${brief(outcome)}`);
    if (look() !== seen) throw new Wrong("another account's token has changed something");
    const isLost = before.some(({ urn, id }) => !engine.state.some((entry) => entry.urn === urn && entry.id === id));
    if (isLost) throw new Wrong("another account's token has made a state forget something");
    if (what !== "up" && outcome.errors.length === 0) throw new Wrong("another account's token is not refused");
  }

  #stateOf({ stack }: RunStep): readonly Entry[] {
    return (this.#playing[stack] as Playing).engine.state;
  }

  #open(step: RunStep, program = step.do === "up" ? step.program : undefined): Page {
    const playing = this.#playing[step.stack] as Playing;
    playing.program = program ?? playing.program;
    const others = this.#playing.filter((each) => each !== playing && each.stack.service === playing.stack.service);
    const programs = [playing, ...others].map(({ program, engine }) => withHeld(program, engine.state));
    const page = this.#booksOf(playing).open(
      meant(step, playing.engine.state),
      playing.engine.state,
      others.flatMap(({ engine }) => engine.state),
      programs,
    );
    const far = others.filter(({ stack }) => stack.home !== playing.stack.home);
    page.far = new Set(far.flatMap(({ engine }) => engine.state));
    return page;
  }

  #restore(index: number, runs: number): void {
    const playing = this.#playing[index] as Playing;
    const backup = playing.backups.at(-runs);
    if (backup === undefined) return;
    const { excuses } = this.#booksOf(playing);
    for (const entry of playing.engine.state) excuses.add(kindOf(entry.urn).claims(entry.outputs).keys());
    this.#booksOf(playing).doubt([...playing.engine.state, ...backup]);
    playing.engine.state = backup;
    playing.isRestored = true;
  }

  #edit(index: number, edit: Edit): void {
    const playing = this.#playing[index] as Playing;
    const { engine } = playing;
    const before = engine.state;
    engine.edit?.(edit);
    if (edit.what === "rename") {
      playing.name = edit.to;
      playing.backups.length = 0;
      // Of what was begun under another name nobody is asked.
      for (const { come } of playing.begun.splice(0)) this.#booksOf(playing).excuses.add(come);
    }
    if (edit.what !== "forget") return;
    const forgotten = before.filter(({ urn, id }) => !engine.state.some((each) => each.urn === urn && each.id === id));
    // It stays where it is.
    for (const entry of forgotten) this.#booksOf(playing).excuses.add(claimsOf(entry).keys());
    this.#booksOf(playing).doubt(forgotten);
    playing.isRestored ||= forgotten.length > 0;
  }

  /** What a run has taken from the state and was told to leave where it is. */
  #retain(playing: Playing, before: readonly Entry[], run: RunStep): void {
    const program = run.do === "up" ? run.program : run.isWithProgram === true ? playing.program : [];
    const left = new Set(playing.engine.state.flatMap((entry) => [...claimsOf(entry).keys()]));
    const isMeant = (entry: Entry) => isRetained(entry, program) || isWithAnother(entry, program, before);
    const names = before.filter(isMeant).flatMap((entry) => [...claimsOf(entry).keys()]);
    const gone = names.filter((name) => !left.has(name));
    this.#booksOf(playing).excuses.add(gone);
    playing.isRestored ||= gone.length > 0;
  }

  #declared(playing: Playing, program: readonly Resource[]): Declaration[] {
    return program.map((resource) => (classes as Program).declared(playing.name, resource));
  }

  #booksOf({ stack }: Playing): Books {
    return this.#books[stack.service] as Books;
  }

  #strike({ stack, trouble }: RunStep): void {
    if (trouble === undefined) return;
    const { simulator } = this.#booksOf(this.#playing[stack] as Playing);
    simulator[trouble.at].service.faults.add(faultOf(trouble));
  }

  async #calm(wasTrouble: boolean): Promise<void> {
    for (const { simulator } of this.#books) {
      simulator.remote.service.faults.clear();
      simulator.manager.service.faults.clear();
    }
    if (wasTrouble) await machine.time.pass(CALM_MS);
  }
}

/** @param isForgotten whether there is something that no state has any more */
function refuse(errors: readonly string[], isForgotten: boolean): void {
  if (errors.some((words) => words.includes("cannot be told"))) throw new Told("which are whose cannot be told");
  // What no state has any more is refused by words that say what to do, where the program is another by now.
  if (isForgotten && errors.some((words) => REFUSED_AS_ANOTHER.test(words)))
    throw new Told("what no state has any more is refused");
  if (errors.length > 0) throw new Wrong(`up fails to the end: ${errors[0]}`);
}

const isRetained = ({ urn, retained }: Entry, program: readonly Resource[]): boolean =>
  retained === true ||
  program.some(({ kind, name, options }) => urnOf(kind, name) === urn && options?.retainOnDelete === true);

/** Whether it is said to go with a zone that it does not stand on. */
function isWithAnother(entry: Entry, program: readonly Resource[], state: readonly Entry[]): boolean {
  const declared = program.find(({ kind, name }) => urnOf(kind, name) === entry.urn);
  const urn = declared?.deletedWith ?? entry.deletedWith;
  return urn !== undefined && state.find((each) => each.urn === urn)?.outputs.name !== entry.outputs.zone;
}

const faultOf = ({ fault, after, times = 1 }: Trouble) => ({ ...FAULTS[fault], after, times });

const brief = ({ steps, errors, words, isRecorded }: Outcome): string =>
  [
    steps.join(", ") || "nothing",
    ...(isRecorded ? [] : ["NOT RECORDED"]),
    ...errors.map((error) => `ERROR ${error}`),
    ...words.map((text) => `SAYS ${text}`),
  ].join("\n    ");

/** What the manager has before, made by its own calls. */
async function place({ manager }: Simulator): Promise<void> {
  const { request } = machine.network.undici(
    () => machine,
    () => ({ arrived: () => true, done: () => {} }),
  ) as { request: (url: URL, options: object) => Promise<{ statusCode: number }> };
  const send = async (method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const { statusCode } = await request(new URL(manager.url + path), { method, headers, body: JSON.stringify(body) });
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode}`);
  };
  for (const port of [24_890, 24_900]) await send("POST", "/api/proxies", { proxy: { port, zone: "web" } });
  await send("PUT", "/api/settings", { www_whitelist_ips: ["198.51.100.1"], whitelist_ips: ["198.51.100.2"] });
}
