import { isDeepStrictEqual } from "node:util";
import { Books, claimsOf, claimsOfArgs, mayMake, type Page } from "./books.mts";
import { edit, retain } from "./edits.mts";
import { Ending } from "./ending.mts";
import type { Entry, Outcome } from "./engine.mts";
import type { EngineOf } from "./engines.mts";
import { FAULTS } from "./faults.mts";
import { type Ask, FIRST_PORTS, FIRST_SETTINGS, lend } from "./hands.mts";
import type { Hand, History, RunStep, Step, Trouble } from "./history.mts";
import { IMPORTS } from "./kinds.mts";
import { Machine } from "./machine.mts";
import { meant } from "./meant.mts";
import { Playing } from "./playing.mts";
import { type Declaration, Program, type Resource, urnOf } from "./program.mts";
import { brief, Wrong } from "./verdicts.mts";
import { atomsOf, type Services, seed } from "./world.mts";

const machine = new Machine();
let classes: Program | undefined;

/** After this time a fault has no effect any more, whatever the service asked for. */
const CALM_MS = 3_700_000;

/** Requests are answered sooner, and a process whose engine is gone has ended. */
const LATE_MS = 1000;
const ENDING_MS = 4000;

const REMOTE = /^Zone(?!IpRefresh)/;

type What = "up" | "refresh" | "destroy";

/** A run that has ended. */
interface Ended {
  run: RunStep;
  /** What its state had before. */
  before: readonly Entry[];
  page: Page;
  outcome: Outcome;
}

/** What a history is played on: its stacks, the services that they have, and what is written down of them. */
export class Stage {
  readonly playing: readonly Playing[];
  readonly books: readonly Books[];
  readonly log: (words: string) => void;
  /** Another account with a manager, which no stack has. */
  readonly #stranger: Services;
  #pages: Page[] = [];
  #found: Error | undefined;
  /** What somebody is about to do when so many more requests have been answered. */
  #hands: { left: number; hand: Hand; books: Books }[] = [];
  readonly #handed: Promise<void>[] = [];
  #touching = 0;

  private constructor(playing: Playing[], books: Books[], stranger: Services, log: (words: string) => void) {
    this.playing = playing;
    this.#stranger = stranger;
    this.books = books;
    this.log = log;
    machine.network.watch = () => this.#watch();
  }

  static async open(
    { seed: number, stacks, oneUrl }: History,
    engineOf: EngineOf,
    log: (words: string) => void,
  ): Promise<Stage> {
    machine.restart(number);
    classes ??= new Program(machine);
    const isTwin = new Set(stacks.map(({ backend }) => backend)).size > 1;
    const all = await servicesOf(number, 2 + Math.max(...stacks.map(({ service }) => service)), oneUrl === true);
    for (const services of all) {
      seed(services);
      await machine.time.until(furnish(askOf(services)));
    }
    const stranger = all.pop() as Services;
    const books = all.map((services) => new Books(services));
    const playing = stacks.map(
      (stack, index) =>
        new Playing(
          machine,
          classes as Program,
          { stack, name: isTwin ? "dev" : `dev${index}`, seed: number, engineOf },
          all[stack.service] as Services,
        ),
    );
    return new Stage(playing, books, stranger, log);
  }

  /** What was in no state, and was excused. */
  get excused(): string[] {
    return this.books.flatMap(({ used }) => [...used]);
  }

  /** Lets time pass until something has come to its end. */
  until<T>(promise: Promise<T>): Promise<T> {
    return machine.time.until(promise);
  }

  async step(step: Step): Promise<void> {
    if (step.do === "wait") await machine.time.pass(step.hours * 3_600_000);
    else if (step.do === "clock") machine.time.backMs += step.backMs;
    else if (step.do === "restore") this.#restore(step.stack, step.runs);
    else if (step.do === "import") await this.#import(step.stack, step.resource, step.isRead);
    else if (step.do === "edit") edit(this, step.stack, step.edit);
    else if (step.do === "stranger") await this.#confuse(step.stack, step.what, step.trouble);
    else if (step.do === "elsewhere") await this.#mistake(step.stack, step.what);
    else if (step.do === "hand") await this.#touch(step.service, step.hand);
    else {
      const runs = step.do === "both" ? step.runs : [step];
      const ended = await this.#runAll(runs);
      await this.#calm(runs.some(({ trouble, late }) => trouble !== undefined || late !== undefined));
      for (const each of ended) this.#begun(each);
    }
  }

  /** What a person does anyway leads to what is declared, and then to nothing. */
  async end(): Promise<void> {
    for (const kill of machine.abandoned) kill();
    await new Ending(this).play();
  }

  open(step: RunStep, program = step.do === "up" ? step.program : undefined): Page {
    const playing = this.playing[step.stack] as Playing;
    playing.program = program ?? playing.program;
    const others = this.besides(playing);
    const page = this.booksOf(playing).open(
      meant(step, playing.engine.state),
      playing.engine.state,
      others.flatMap(({ engine }) => engine.state),
      [playing, ...others].map(({ held }) => held),
    );
    const far = others.filter(({ stack }) => stack.home !== playing.stack.home);
    page.far = new Set(far.flatMap(({ engine }) => engine.state));
    return page;
  }

  /** The other stacks with the same services. */
  besides(playing: Playing): Playing[] {
    return this.playing.filter((each) => each !== playing && each.stack.service === playing.stack.service);
  }

  booksOf({ stack }: Playing): Books {
    return this.books[stack.service] as Books;
  }

  /** What the states have of the services of these books. */
  statesOf(books: Books): Entry[] {
    return this.playing.filter((each) => this.booksOf(each) === books).flatMap(({ engine }) => engine.state);
  }

  #watch(): void {
    try {
      // What somebody takes away at this moment is not the runs' doing.
      if (this.#touching === 0) for (const page of this.#pages) page.look();
    } catch (error) {
      this.#found ??= error as Error;
    }
    const due = this.#hands.filter((each) => each.left-- === 0);
    this.#hands = this.#hands.filter((each) => !due.includes(each));
    for (const { hand, books } of due) this.#handed.push(this.#lend(books, hand));
  }

  /** Runs at the same time, what the books say of each, and whether what was paid is right. */
  async #runAll(runs: readonly RunStep[]): Promise<Ended[]> {
    const paid = new Map(this.books.map((books) => [books, { ...books.ledger }]));
    const opened = runs.map((run) => ({ run, before: this.#stateOf(run), page: this.open(run) }));
    this.#pages = opened.map(({ page }) => page);
    for (const run of runs) this.#begin(run);
    const running = opened.map(async (each) => ({ ...each, outcome: await this.#run(each.run) }));
    const ended = await machine.time.until(Promise.all(running));
    machine.disk.full = false;
    machine.disk.notes = undefined;
    this.#hands = [];
    await machine.time.until(Promise.all(this.#handed.splice(0)));
    // What a process that was killed has sent may still be on its way.
    const isApart = runs.some(({ interruption }) => interruption?.by === "engine");
    await machine.time.pass(isApart ? ENDING_MS : LATE_MS);
    this.#pages = [];
    if (this.#found !== undefined) throw this.#found;
    for (const { run, before } of ended) retain(this, run, before);
    for (const each of ended) {
      const other = ended.find(({ page }) => page !== each.page);
      if (other !== undefined)
        each.page.alongside(each.page.books === other.page.books ? this.#stateOf(other.run) : []);
      this.#close(each);
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

  /** What is otherwise than usual while a run goes on. */
  #begin({ stack, trouble, full, notes, late, meanwhile }: RunStep): void {
    const books = this.booksOf(this.playing[stack] as Playing);
    const { remote, manager } = books.simulator;
    if (trouble !== undefined) (trouble.at === "remote" ? remote : manager).service.faults.add(faultOf(trouble));
    machine.disk.full ||= full === true;
    machine.disk.notes ??= notes;
    if (late?.zoneMs !== undefined) remote.behaviour.zoneVisibleAfterMs = late.zoneMs;
    if (late?.ipReads !== undefined) remote.behaviour.addedIpsVisibleAfterReads = late.ipReads;
    if (meanwhile !== undefined) this.#hands.push({ left: meanwhile.after, hand: meanwhile.hand, books });
  }

  #close({ page, run, outcome }: Ended): void {
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
    const isIn = (state: readonly Entry[], { kind, name, aliases = [] }: Resource) =>
      [name, ...aliases].some((each) =>
        state.some((entry) => entry.urn === urnOf(kind, each) && entry.recreated !== true),
      );
    // What was deleted to make room for another is not there any more.
    const isHad = (resource: Resource) => isIn(before, resource) && isIn(this.#stateOf(run), resource);
    const begun = run.program.filter((resource) => !isHad(resource));
    const made = (resource: Resource) => come.filter((name) => mayMake(resource, name));
    this.playing[run.stack]?.begun.push(...begun.map((resource) => ({ resource, come: made(resource) })));
  }

  async #run(step: RunStep): Promise<Outcome> {
    const playing = this.playing[step.stack] as Playing;
    const { engine } = playing;
    playing.backups.push(engine.state);
    const outcome =
      step.do === "up"
        ? await engine.up(playing.declared(step.program), step)
        : await engine[step.do]({
            ...step,
            ...(step.isWithProgram === true && { program: playing.declared(playing.program) }),
          });
    this.log(`${step.do} ${step.stack}: ${brief(outcome)}`);
    return outcome;
  }

  async #touch(service: number, hand: Hand): Promise<void> {
    const books = this.books[service];
    if (books !== undefined) await machine.time.until(this.#lend(books, hand));
  }

  async #lend(books: Books, hand: Hand): Promise<void> {
    this.#touching++;
    const paid = { ...books.ledger };
    const deed = await lend(books.simulator, hand, books.first, askOf(books.simulator));
    // What a person buys by hand is their own affair.
    Object.assign(books.ledger, paid);
    this.log(`somebody ${hand.act}s: +${deed.come} -${deed.gone} =${[...deed.remade, ...deed.changed]}`);
    for (const page of this.#pages) if (page.books === books) page.lose(deed);
    books.witness(deed, this.statesOf(books));
    this.#touching--;
  }

  async #import(index: number, resource: Resource, isRead: boolean): Promise<void> {
    const playing = this.playing[index] as Playing;
    const { id, args } = IMPORTS.find(({ kind }) => kind === resource.kind) as (typeof IMPORTS)[number];
    const books = this.booksOf(playing);
    const names = [...claimsOfArgs(resource).keys()];
    const urn = urnOf(resource.kind, resource.name);
    const isHad = this.statesOf(books).some((entry) => names.some((name) => claimsOf(entry).has(name)));
    const atoms = atomsOf(books.simulator);
    const isThere = names.every((name) => atoms.has(name) && atoms.get(name) === books.first.get(name));
    if (isHad || !isThere || playing.engine.state.some((entry) => entry.urn === urn)) return;
    books.agree([{ ...resource, args: { ...args, adopt: true } }]);
    const [declaration] = playing.declared([resource]);
    if (declaration === undefined) return;
    const { properties } = declaration;
    const values = { ...args, __provider: properties.__provider };
    const entry = { urn, id, inputs: values, outputs: values, declared: properties, initErrors: [] };
    const outcome = await machine.time.until(playing.engine.import(entry, isRead));
    this.log(`import ${index}: ${brief(outcome)}`);
    if (outcome.errors.length > 0) throw new Wrong(`an import fails: ${outcome.errors[0]}`);
  }

  /** Somebody gives a run the token of another account. */
  async #confuse(index: number, what: What, trouble?: Trouble): Promise<void> {
    const playing = this.playing[index] as Playing;
    const { engine } = playing;
    const before = engine.state.filter(({ urn, recreated, retained }) => !recreated && !retained && REMOTE.test(urn));
    // Where nothing is declared, the configuration of the state is used.
    if (what === "up" && this.#known(playing).length === 0) return;
    // Whether it is another account cannot be told where nobody knew which it was.
    if (before.length === 0 || before.some(({ outputs }) => outputs.__at === undefined)) return;
    if (hasProviders(playing)) return;
    const services = [this.booksOf(playing).simulator, this.#stranger];
    const look = () => JSON.stringify(services.map(({ account }) => account.liveZones()));
    const seen = look();
    const { token, remote } = this.#stranger;
    if (trouble !== undefined) remote.service.faults.add(faultOf(trouble));
    const outcome = await this.#astray(playing, what, {
      "brightdata:apiToken": token,
      "brightdata:baseUrl": remote.url,
      "brightdata:accounts": JSON.stringify({ same: { apiToken: token, baseUrl: remote.url } }),
    });
    this.log(`stranger ${index}: ${brief(outcome)}`);
    remote.service.faults.clear();
    if (trouble !== undefined) await machine.time.pass(CALM_MS);
    if (look() !== seen) throw new Wrong("another account's token has changed something");
    const isLost = before.some(({ urn, id }) => !engine.state.some((entry) => entry.urn === urn && entry.id === id));
    if (isLost) throw new Wrong("another account's token has made a state forget something");
    if (what !== "up" && outcome.errors.length === 0) throw new Wrong("another account's token is not refused");
  }

  /** A run on another machine, whose manager has ports of such numbers, made by hand. The state from before comes back. */
  async #mistake(index: number, what: What): Promise<void> {
    const playing = this.playing[index] as Playing;
    const { engine } = playing;
    const { state } = engine;
    const ports = state.flatMap((entry) => [...claimsOf(entry).keys()].filter((name) => name.startsWith("port ")));
    // What was taken over bears no mark: that it is another's nobody can see.
    if (ports.length === 0 || state.some(({ declared }) => declared.adopt === true) || hasProviders(playing)) return;
    const ask = askOf(this.#stranger);
    const made = [...new Set(ports.map((name) => Number(name.slice(5))))];
    for (const port of made) {
      await machine.time.until(ask("POST", "/api/proxies", { proxy: { port, zone: "shop" } }));
    }
    const look = () => made.map((port) => atomsOf(this.#stranger).get(`port ${port}`)).join();
    const seen = look();
    const { url } = this.#stranger.manager;
    const outcome = await this.#astray(playing, what, {
      "brightdata:proxyManagerUrl": url,
      "brightdata:managers": JSON.stringify({ same: { url } }),
    });
    this.log(`elsewhere ${index}: ${brief(outcome)}`);
    if (look() !== seen) throw new Wrong(`ports of another manager, made by hand, were ${seen} and are ${look()}`);
    engine.state = state;
    playing.isRestored = true;
    this.booksOf(playing).doubt(state);
  }

  #astray(playing: Playing, what: What, config: Readonly<Record<string, string>>) {
    const { engine } = playing;
    // Without a program, the provider has the configuration of the state: only the environment says something else.
    const env = Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key.replace(":", "_").replaceAll(/[A-Z]/g, "_$&").toUpperCase(),
        value,
      ]),
    );
    return machine.time.until(what === "up" ? engine.up(this.#known(playing), { config }) : engine[what]({ env }));
  }

  /** What is declared as it is in the state: what is made elsewhere for the first time is nothing to refuse. */
  #known(playing: Playing): Declaration[] {
    const state = playing.engine.state.filter(({ doomed, recreated }) => !doomed && !recreated);
    return playing
      .declared(playing.program)
      .filter(({ urn, properties }) =>
        state.some((entry) => entry.urn === urn && isDeepStrictEqual(entry.declared, properties)),
      );
  }

  #stateOf({ stack }: RunStep): readonly Entry[] {
    return (this.playing[stack] as Playing).engine.state;
  }

  #restore(index: number, runs: number): void {
    const playing = this.playing[index] as Playing;
    const backup = playing.backups.at(-runs);
    if (backup === undefined) return;
    const books = this.booksOf(playing);
    for (const entry of playing.engine.state) books.excuses.add(claimsOf(entry).keys());
    books.doubt([...playing.engine.state, ...backup]);
    playing.engine.state = backup;
    playing.isRestored = true;
  }

  async #calm(wasTrouble: boolean): Promise<void> {
    for (const { simulator } of this.books) {
      simulator.remote.service.faults.clear();
      simulator.manager.service.faults.clear();
      Object.assign(simulator.remote.behaviour, { zoneVisibleAfterMs: 0, addedIpsVisibleAfterReads: 0 });
    }
    if (wasTrouble) await machine.time.pass(CALM_MS);
  }
}

/** An explicit provider has its own settings, which nothing else changes. */
const hasProviders = ({ engine, program }: Playing): boolean =>
  [...engine.state, ...program].some(({ provider }) => provider !== undefined);

const faultOf = ({ fault, after, times = 1 }: Trouble) => ({ ...FAULTS[fault], after, times });

/** So many accounts, each with a manager: at addresses of their own, or at one where the token decides. */
async function servicesOf(number: number, count: number, oneUrl: boolean): Promise<Services[]> {
  const options = (service: number) => ({ seed: `${number} ${service}`, customer: `hl_${service}` });
  if (!oneUrl) {
    return Promise.all(Array.from({ length: count }, (_, service) => machine.simulator(options(service))));
  }
  const names = Array.from({ length: count - 1 }, (_, index) => `other${index + 1}`);
  const first = await machine.simulator({
    ...options(0),
    accounts: Object.fromEntries(names.map((name, index) => [name, { customer: `hl_${index + 1}` }])),
    managers: Object.fromEntries(names.map((name) => [name, { account: name }])),
  });
  const others = [...first.remotes.values()].map((remote, index) => {
    const manager = [...first.managers.values()][index] as Services["manager"];
    return { account: remote.account, remote, manager, token: remote.account.token };
  });
  return [first, ...others];
}

/** A person at a manager's page. */
const askOf = ({ manager }: Services): Ask => {
  const { request } = machine.network.undici(
    () => machine,
    () => ({ arrived: () => true, done: () => {} }),
  ) as { request: (url: URL, options: object) => Promise<{ statusCode: number }> };
  return async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { statusCode } = await request(new URL(manager.url + path), { method, headers, ...sent });
    return statusCode < 300;
  };
};

/** Has a manager have what is there before any program. */
async function furnish(ask: Ask): Promise<void> {
  const done = [await ask("PUT", "/api/settings", FIRST_SETTINGS)];
  for (const proxy of FIRST_PORTS) done.push(await ask("POST", "/api/proxies", { proxy }));
  if (!done.every(Boolean)) throw new Error("A manager refuses what is to be there before any program.");
}
