import { Astray } from "./astray.mts";
import { Books } from "./books.mts";
import { claimsOf, claimsOfArgs, mayMake } from "./claims.mts";
import { edit, move, retain } from "./edits.mts";
import { Ending } from "./ending.mts";
import type { Entry, Outcome } from "./engine.mts";
import type { EngineOf } from "./engines.mts";
import { faultOf, HALF_TRUTHS } from "./faults.mts";
import { type Ask, askOf, lend } from "./hands.mts";
import type { Hand, History, RunStep, Step, Trouble } from "./history.mts";
import { JOBS } from "./jobs.mts";
import { IMPORTS } from "./kinds.mts";
import { Machine } from "./machine.mts";
import { meant } from "./meant.mts";
import { Page } from "./page.mts";
import { Playing } from "./playing.mts";
import { isOrWas, Program, type Resource, urnOf } from "./program.mts";
import { furnish, servicesOf } from "./services.mts";
import { brief, Wrong } from "./verdicts.mts";
import { atomsOf, type Services, seed } from "./world.mts";

const inMemory = new Machine();
let classes: Program | undefined;

/** After this time a fault has no effect any more, whatever the service asked for. */
const CALM_MS = 3_700_000;

/** Requests are answered sooner, and a process whose engine is gone has ended. */
const LATE_MS = 1000;
const ENDING_MS = 4000;
/** A process that lives on has by then deleted what it was to replace by force: it does not know that the engine is gone. */
const DELETING_MS = 5000;

/** Entries of a zone's lists that one resource has given up for another, whose update has failed: they stay, and that was told. */
function leftFor(run: RunStep, state: readonly Entry[], before: readonly Entry[]): string[] {
  if (run.do !== "up") return [];
  const inAny = (entries: readonly Entry[]) => new Set(entries.flatMap((entry) => [...claimsOf(entry).keys()]));
  const [had, has] = [inAny(before), inAny(state)];
  const wanted = run.program.flatMap((resource) => [...claimsOfArgs(resource).keys()]);
  return wanted.filter((name) => /^(allowed|denied) /.test(name) && had.has(name) && !has.has(name));
}

function endingOf(run: RunStep): number {
  const by = run.interruption?.by;
  if (by === "engine") return ENDING_MS;
  return by === "engine unseen" && run.do === "up" && run.replace !== undefined ? DELETING_MS : LATE_MS;
}
/** For how long after a run a zone may have been made in it, by its date: the time that its creation has. */
const DATED_MS = 120_000;
/** For how long after a run IPs may have been added in it, by nothing but their number: the time of its addition, and a minute. */
const COUNTED_MS = 240_000;

/** A run that has ended. */
interface Ended {
  run: RunStep;
  /** What its stack's program was before. */
  former: Resource[];
  /** What its state had before. */
  before: readonly Entry[];
  page: Page;
  outcome: Outcome;
}

/** How many reads of a service say that a thing of a kind is gone: where all of them are short, nobody can know. */
const WITNESSES: Readonly<Record<Trouble["at"], Readonly<Record<string, number>>>> = {
  // Two lists, and the zone itself.
  remote: { ZonePassword: 3 },
  // Two lists.
  manager: { BannedIp: 2 },
};

/** How many of them make a refresh forget what a deletion takes off all the same. */
const WITNESSES_OF_REFRESH: Readonly<Record<Trouble["at"], Readonly<Record<string, number>>>> = {
  remote: { ...WITNESSES.remote, ZoneAccess: 2 },
  manager: WITNESSES.manager,
};

/** The engine refuses a run as a whole whose `--target` or `--replace` names what no state has. */
const NO_TARGET = /^Target '.*' could not be found in the stack/;

/** What a history is played on: its stacks, the services that they have, and what is written down of them. */
export class Stage {
  readonly playing: readonly Playing[];
  readonly books: readonly Books[];
  readonly log: (words: string) => void;
  readonly #machine: Machine;
  readonly #astray: Astray;
  #pages: Page[] = [];
  #found: Error | undefined;
  /** What somebody is about to do when so many more requests have been answered. */
  #hands: { left: number; hand: Hand; books: Books }[] = [];
  readonly #handed: Promise<void>[] = [];
  #touching = 0;

  private constructor(
    machine: Machine,
    playing: Playing[],
    books: Books[],
    stranger: Services,
    log: (words: string) => void,
  ) {
    this.#machine = machine;
    this.playing = playing;
    this.#astray = new Astray(this, stranger);
    this.books = books;
    this.log = log;
    machine.network.watch = () => this.#watch();
  }

  static async open(
    { seed: number, stacks, oneUrl, strict }: History,
    engineOf: EngineOf,
    log: (words: string) => void,
    machine = inMemory,
  ): Promise<Stage> {
    machine.restart(number);
    classes ??= new Program(inMemory);
    const isTwin = new Set(stacks.map(({ backend }) => backend)).size > 1;
    const all = await servicesOf(
      machine,
      number,
      2 + Math.max(...stacks.map(({ service }) => service)),
      oneUrl === true,
    );
    for (const services of all) {
      seed(services);
      await machine.time.until(furnish(askOf(machine, services)));
    }
    const stranger = all.pop() as Services;
    const books = all.map((services) => new Books(services, strict));
    const playing = stacks.map(
      (stack, index) =>
        new Playing(
          machine,
          classes as Program,
          { stack, name: stack.name ?? (isTwin ? "dev" : `dev${index}`), seed: number, engineOf },
          all[stack.service] as Services,
        ),
    );
    return new Stage(machine, playing, books, stranger, log);
  }

  /** What was in no state, and was excused. */
  get excused(): string[] {
    return this.books.flatMap(({ used }) => [...used]);
  }

  /** What a person asks a manager for. */
  ask(services: Services): Ask {
    return askOf(this.#machine, services);
  }

  /** After that time, no fault has any effect. */
  calmDown(): Promise<void> {
    return this.#machine.time.pass(CALM_MS);
  }

  /** However often a service has been asked, after long enough it lists what is new. */
  listAll(): void {
    for (const { simulator } of this.books)
      for (const { allocatedIps } of simulator.account.liveZones())
        for (const allocated of allocatedIps) allocated.hiddenReads = 0;
  }

  /** The machine's clock is set right again. */
  setClock(): void {
    this.#machine.time.backMs = 0;
  }

  /** Lets time pass until something has come to its end. */
  until<T>(promise: Promise<T>): Promise<T> {
    return this.#machine.time.until(promise);
  }

  async step(step: Step): Promise<void> {
    if (step.do === "wait") await this.#machine.time.pass(step.hours * 3_600_000);
    else if (step.do === "clock") this.#machine.time.backMs += step.backMs;
    else if (step.do === "restore") this.#restore(step.stack, step.runs);
    else if (step.do === "import") await this.#import(step.stack, step.resource, step.isRead);
    else if (step.do === "edit") edit(this, step.stack, step.edit);
    else if (step.do === "stranger") await this.#astray.byToken(this.#playingOf(step), step.what, step.trouble);
    else if (step.do === "elsewhere") await this.#astray.byManager(this.#playingOf(step), step.what);
    else if (step.do === "hand") await this.#touch(step.service, step.hand);
    else if (step.do === "see") this.#see(step.service, step.there, step.gone);
    else {
      const runs = step.do === "both" ? step.runs : [step];
      const ended = await this.#runAll(runs);
      await this.#calm(runs);
      for (const each of ended) this.#begun(each, ended);
    }
  }

  /** What a person does anyway leads to what is declared, and then to nothing. */
  async end(): Promise<void> {
    for (const kill of this.#machine.abandoned) kill();
    await new Ending(this).play();
  }

  open(step: RunStep, program = step.do === "up" ? step.program : undefined, isDeaf = false): Page {
    const playing = this.playing[step.stack] as Playing;
    playing.program = program ?? playing.program;
    if (step.do === "up") {
      playing.form = step.form ?? playing.form;
      playing.imported = [];
      move(this, step, playing);
    }
    const others = this.besides(playing);
    const page = new Page(
      this.booksOf(playing),
      meant(step.do === "up" ? { ...step, form: playing.form } : step, playing.engine.state),
      playing.engine.state,
      others.flatMap(({ engine }) => engine.state),
      [playing, ...others].map(({ held }) => held),
      isDeaf,
    );
    const far = others.filter(({ stack }) => stack.home !== playing.stack.home);
    page.far = new Set(far.flatMap(({ engine }) => engine.state));
    page.announces = playing.form !== "foreign";
    page.wasBlind = playing.wasBlind;
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
    const isDeaf = runs.some(({ full, notes }) => full === true || notes !== undefined);
    const opened = runs.map((run) => {
      const former = this.#playingOf(run).program;
      return { run, former, before: this.#stateOf(run), page: this.open(run, undefined, isDeaf) };
    });
    this.#pages = opened.map(({ page }) => page);
    if (runs.length > 1) for (const page of this.#pages) page.share();
    const isTroubled = runs.some(({ trouble }) => trouble !== undefined);
    for (const run of runs) this.#begin(run, isTroubled);
    const running = opened.map(async (each) => ({ ...each, outcome: await this.#run(each.run) }));
    const ended = await this.#machine.time.until(Promise.all(running));
    this.#machine.disk.full = false;
    this.#machine.disk.notes = undefined;
    this.#hands = [];
    await this.#machine.time.until(Promise.all(this.#handed.splice(0)));
    // What a process that was killed has sent may still be on its way.
    await this.#machine.time.pass(Math.max(...runs.map(endingOf)));
    this.#pages = [];
    if (this.#found !== undefined) throw this.#found;
    if (this.#machine.disk.lacking !== undefined) throw new Error(this.#machine.disk.lacking);
    for (const { run, before } of ended) retain(this, run, before);
    for (const each of ended) {
      const other = ended.find(({ page }) => page !== each.page);
      if (other !== undefined) each.page.alongside(each.page.books === other.page.books ? this.#left(other) : []);
      this.#close(each, runs);
    }
    for (const [books, before] of paid) {
      const pages = ended.map(({ page }) => page);
      books.pays(
        before,
        pages.filter((page) => page.books === books),
        runs.some(({ interruption }) => interruption?.by === "engine unseen"),
      );
    }
    return ended;
  }

  /** What is otherwise than usual while a run goes on. Where a service is in trouble, nobody else asks it for anything. */
  #begin({ stack, trouble, full, notes, late, meanwhile }: RunStep, isTroubled: boolean): void {
    const books = this.booksOf(this.playing[stack] as Playing);
    const { remote, manager } = books.simulator;
    if (trouble !== undefined) (trouble.at === "remote" ? remote : manager).service.faults.add(faultOf(trouble));
    this.#machine.disk.full ||= full === true;
    this.#machine.disk.notes ??= notes;
    if (notes !== undefined) (this.playing[stack] as Playing).wasBlind = true;
    if (late?.zoneMs !== undefined) remote.behaviour.zoneVisibleAfterMs = late.zoneMs;
    if (late?.ipReads !== undefined) remote.behaviour.addedIpsVisibleAfterReads = late.ipReads;
    if (meanwhile !== undefined && !isTroubled)
      this.#hands.push({ left: meanwhile.after, hand: meanwhile.hand, books });
  }

  /** @param runs those of the same time, whose services may be the same */
  #close({ page, run, former, outcome, before }: Ended, runs: readonly RunStep[]): void {
    const own = this.#stateOf(run);
    // The engine has not begun: what its program declares is still to come.
    const isRefused = outcome.steps.length === 0 && outcome.errors.some((words) => NO_TARGET.test(words));
    if (isRefused) this.#playingOf(run).program = former;
    page.close(outcome, own);
    if (outcome.errors.length > 0) page.books.excuses.add(leftFor(run, own, before));
    // What was deleted may be in a state all the same, which was not saved, or where the deletion failed at its end.
    const isLeft = ({ urn }: Entry) => outcome.errors.length > 0 && outcome.steps.includes(`delete ${urn}`);
    // Of what the program does not declare, as where it is protected, or what is no target, no provider hears before what it
    // shares is gone.
    const told = meant(run, before);
    const isTold = ({ urn }: Entry) =>
      told.do === "up" &&
      (told.target?.includes(urn) ?? true) &&
      told.program.some((each) => urnOf(each.kind, each.name) === urn);
    const there = atomsOf(page.books.simulator);
    const isUnheard = (entry: Entry) =>
      !isTold(entry) &&
      [...claimsOf(entry).keys()].some(
        (name) => !there.has(name) && before.some((other) => other.urn !== entry.urn && claimsOf(other).has(name)),
      );
    // What has deleted something, or put settings back, may arrive after what has made it again.
    const isOvertaken = (entry: Entry) =>
      run.trouble?.fault === "late" &&
      outcome.steps.includes(`create ${entry.urn}`) &&
      before.some((other) => [...claimsOf(other).keys()].some((name) => claimsOf(entry).has(name)));
    const troubles = runs.flatMap(({ stack, trouble = [] }) =>
      this.booksOf(this.playing[stack] as Playing) === page.books ? trouble : [],
    );
    const isRefresh = told.do === "refresh" || (told.do === "up" && told.refresh === true);
    const witnesses = isRefresh ? WITNESSES_OF_REFRESH : WITNESSES;
    const isDeceived = ({ urn }: Entry) =>
      troubles.some(
        ({ at, fault, times = 1 }) =>
          fault in HALF_TRUTHS && times >= (witnesses[at][urn.split(" ")[0] ?? ""] ?? Infinity),
      );
    for (const entry of before.filter(isDeceived)) page.books.excuses.add(claimsOf(entry).keys());
    // A port without a number that a killed run has begun is found by lists alone: two say that it is not there.
    const isUnlisted = troubles.some(
      ({ at, fault, times = 1 }) => at === "manager" && fault in HALF_TRUTHS && times > 2,
    );
    const isSought = ({ kind, args }: Resource) => kind === "ProxyPort" && args.port === undefined;
    const begun = runs.flatMap((each) => this.#playingOf(each).begun).filter(({ resource }) => isSought(resource));
    if (isUnlisted) for (const { come } of begun) page.books.excuses.add(come);
    const isDoubtful = (entry: Entry) =>
      isLeft(entry) || isUnheard(entry) || isOvertaken(entry) || page.mayHaveLost(entry);
    page.books.doubt(outcome.isRecorded ? own.filter(isDoubtful) : own);
  }

  /**
   * Notes what a run that was not recorded has begun, once all of its requests have arrived.
   *
   * @param all the runs of that time
   */
  #begun({ run, page, outcome, before }: Ended, all: readonly Ended[]): void {
    if (run.do !== "up" || outcome.isRecorded) return;
    // What was deleted to make room, or by another run, may be there again under its name.
    const names = deletedIn(all.filter((each) => each.page.books === page.books));
    page.books.outdate(names.filter((name) => this.#stateOf(run).some((entry) => claimsOf(entry).has(name))));
    const come = page.come(names);
    // Where nothing can be noted, one word is said, and what a lost state has is nobody's.
    if (outcome.words.some((words) => words.includes("Nothing can be noted in"))) page.books.excuses.add(come);
    const isIn = (state: readonly Entry[], resource: Resource) =>
      state.some((entry) => isOrWas(entry, resource) && entry.recreated !== true);
    // What was deleted to make room for another is not there any more.
    const isHad = (resource: Resource) => isIn(before, resource) && isIn(this.#stateOf(run), resource);
    const formerOf = (resource: Resource) => before.filter((entry) => isOrWas(entry, resource));
    const isForced = (resource: Resource) =>
      run.replace?.includes(urnOf(resource.kind, resource.name)) === true ||
      formerOf(resource).some(({ tainted }) => tainted === true);
    const stays = (resource: Resource) =>
      formerOf(resource).some(
        ({ urn, parent }) => urn === urnOf(resource.kind, resource.name) && parent === resource.options?.parent,
      );
    const playing = this.#playingOf(run);
    // What is replaced by force under another name or parent, a program in another language does not tell from what is new.
    const isAsNew = (resource: Resource) => playing.form === "foreign" && isForced(resource) && !stays(resource);
    const begun = run.program.filter((resource) => !isHad(resource) || isAsNew(resource));
    // What a process that lives on has yet to send comes later.
    const isOver = run.interruption?.by !== "engine unseen";
    const made = (resource: Resource) => (isOver ? come : page.come(names)).filter((name) => mayMake(resource, name));
    const noted = (resource: Resource) => ({
      resource,
      ended: this.#machine.time.now,
      get come() {
        return made(resource);
      },
    });
    playing.begun.push(...begun.map(noted));
    const had = run.program.filter((resource) => !begun.includes(resource));
    const changed = had.map((resource) => ({
      ...noted(resource),
      urn: urnOf(resource.kind, resource.name),
      isForced: isForced(resource),
    }));
    playing.changed.push(...changed);
  }

  async #run(step: RunStep): Promise<Outcome> {
    const playing = this.playing[step.stack] as Playing;
    const { engine } = playing;
    playing.backups.push(engine.state);
    const outcome =
      step.do === "up"
        ? await engine.up(playing.declared(step.program), {
            ...step,
            ...(playing.isAstray && { env: playing.own }),
          })
        : await engine[step.do]({
            ...step,
            ...(playing.isAstray && { env: playing.own }),
            ...(step.isWithProgram === true && { program: playing.declared(playing.program) }),
          });
    this.log(`${step.do} ${step.stack}: ${brief(outcome)}`);
    return outcome;
  }

  async #touch(service: number, hand: Hand): Promise<void> {
    const books = this.books[service];
    if (books !== undefined) await this.#machine.time.until(this.#lend(books, hand));
  }

  async #lend(books: Books, hand: Hand): Promise<void> {
    this.#touching++;
    const paid = { ...books.ledger };
    const deed = await lend(books.simulator, hand, books.first, askOf(this.#machine, books.simulator));
    // What a person buys by hand is their own affair.
    Object.assign(books.ledger, paid);
    this.log(`somebody ${hand.act}s: +${deed.come} -${deed.gone} =${[...deed.remade, ...deed.changed]}`);
    for (const page of this.#pages) if (page.books === books) page.lose(deed);
    const isBegun = (name: string) => this.#pages.some((page) => page.books === books && page.declares(name));
    books.witness(deed, this.statesOf(books), isBegun);
    const begun = this.playing.filter((playing) => this.booksOf(playing) === books).flatMap((playing) => playing.begun);
    const endedWithin = (ms: number) => begun.filter(({ ended }) => this.#machine.time.now - ended < ms);
    // Of a zone that nobody has seen yet, the state does not tell when it was made.
    const unseen = this.statesOf(books).filter(({ urn, outputs }) => urn.startsWith("Zone ") && !outputs.created);
    const names = new Set([
      ...endedWithin(DATED_MS).flatMap(({ come }) => come),
      ...unseen.flatMap((entry) => [...claimsOf(entry).keys()]),
    ]);
    books.confuse(deed.remade.filter((name) => name.startsWith("zone ") && names.has(name)));
    const isCounted = (name: string) =>
      name.startsWith("ip ") && endedWithin(COUNTED_MS).some(({ resource }) => mayMake(resource, name));
    books.confuse(deed.come.filter(isCounted));
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
    const { __provider: text } = properties;
    const values = { ...args, ...(text === undefined ? {} : { __provider: text }) };
    const entry = { urn, id, inputs: values, outputs: values, declared: properties, initErrors: [] };
    const outcome = await this.#machine.time.until(playing.engine.import(entry, isRead, playing.form));
    this.log(`import ${index}: ${brief(outcome)}`);
    if (outcome.errors.length > 0) throw new Wrong(`an import fails: ${outcome.errors[0]}`);
    playing.imported.push(resource);
  }

  #playingOf({ stack }: { stack: number }): Playing {
    return this.playing[stack] as Playing;
  }

  /** What a run has left in its state; what it has deleted may be there yet, where that was not recorded. */
  #left({ run, outcome }: Ended): readonly Entry[] {
    const isLeft = ({ urn }: Entry) => outcome.isRecorded || !outcome.steps.includes(`delete ${urn}`);
    return this.#stateOf(run).filter(isLeft);
  }

  #stateOf(run: RunStep): readonly Entry[] {
    return this.#playingOf(run).engine.state;
  }

  #restore(index: number, runs: number): void {
    const playing = this.playing[index] as Playing;
    const backup = playing.backups.at(-runs);
    if (backup === undefined) return;
    const books = this.booksOf(playing);
    for (const entry of playing.engine.state) books.excuses.add(claimsOf(entry).keys());
    books.doubt([...playing.engine.state, ...backup]);
    // A zone that was made anew since is another one, though of the same name.
    const isAnew = ({ outputs: { name, created } }: Entry) => {
      const zone = books.simulator.account.zone(String(name));
      return typeof created === "string" && zone !== undefined && zone.created !== created;
    };
    books.estrange(backup.filter(isAnew));
    books.confuseNameless(backup);
    // Of what was made anew for what no state has any more, only a program that has it again is asked, and of other changes nobody.
    for (const each of playing.changed) {
      const isAnew = each.isForced || each.resource.kind in JOBS;
      if (backup.some(({ urn }) => urn === each.urn)) continue;
      if (isAnew) playing.begun.push(each);
      else books.excuses.add(each.come);
    }
    playing.engine.state = backup;
    playing.isRestored = true;
  }

  #see(service: number, there: readonly string[] = [], gone: readonly string[] = []): void {
    const atoms = atomsOf((this.books[service] as Books).simulator);
    for (const name of there) if (!atoms.has(name)) throw new Wrong(`${name} has to be there, and is not`);
    for (const name of gone) if (atoms.has(name)) throw new Wrong(`${name} must not be there, and is`);
  }

  async #calm(runs: readonly RunStep[]): Promise<void> {
    for (const { simulator } of this.books) {
      simulator.remote.service.faults.clear();
      simulator.manager.service.faults.clear();
      if (runs.some(({ late }) => late?.isLasting === true)) continue;
      Object.assign(simulator.remote.behaviour, { zoneVisibleAfterMs: 0, addedIpsVisibleAfterReads: 0 });
    }
    const isToPass = ({ trouble, late }: RunStep) =>
      [trouble, late].some((each) => each !== undefined && each.isLasting !== true);
    if (runs.some(isToPass)) await this.calmDown();
  }
}

/** Names of what runs have deleted. */
const deletedIn = (ended: readonly Ended[]): string[] =>
  ended.flatMap(({ before, outcome }) =>
    before.filter(({ urn }) => outcome.steps.includes(`delete ${urn}`)).flatMap((entry) => [...claimsOf(entry).keys()]),
  );
