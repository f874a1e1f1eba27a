import { isDeepStrictEqual } from "node:util";
import type { Books } from "./books.mts";
import { claimsOf, claimsOfArgs, type Declared, mayMake, supposes, withHeld } from "./claims.mts";
import type { Entry, Outcome } from "./engine.mts";
import type { Deed } from "./hands.mts";
import type { RunStep, Up } from "./history.mts";
import { KINDS } from "./kinds.mts";
import { type Resource, urnOf } from "./program.mts";
import { Wrong } from "./verdicts.mts";
import { type Atoms, atomsOf, EMPTY, type Ledger } from "./world.mts";

/** A resource that a program has, with what the state has of it. */
interface Had {
  resource: Resource;
  entry: Entry;
  /** Whether the same thing is meant to stay. */
  stays: boolean;
}

/** Kinds that take over what has a name of its own. */
const TAKING: ReadonlySet<string> = new Set(["Zone", "ProxyPort", "ZoneAccess"]);

/** What two resources cannot have without losing it to each other. */
const ONCE = /^(zone|port|ip) /;

/** What has a name of its own, and goes with its resource. */
const FIXED = /^(zone|port) /;

/** Kinds whose resources have several things each, and can do without some. */
const SEVERAL: ReadonlySet<string> = new Set(["BannedIp", "ProxyPorts", "ZoneAccess"]);

/** Says that an update leaves something to the one that follows. */
export const LEFT_TO_THE_NEXT = /the next update sees to that/;

/** Says that something else has to be seen to first. */
const LEANING = /See to what has failed before it/;

/** What is looked at during one run. */
export class Page {
  readonly books: Books;
  readonly #step: RunStep;
  readonly #own: readonly Entry[];
  #others: readonly Entry[];
  #isAlongside = false;
  /** What stacks with another home have: an IP bears no mark, and the notes there are not seen here. */
  far: ReadonlySet<Entry> = new Set();
  /** Whether the program tells of its resources before their turn comes. */
  announces = true;
  /** Whether the notes of what was begun could not be read before: of what was to be deleted then, they may be there yet. */
  wasBlind = false;
  /** Whether nothing can be written, or read, of what the processes of a run tell each other. */
  readonly isDeaf: boolean;
  readonly #atoms: Atoms;
  readonly #had: Had[];
  readonly #staying: Map<string, string>;
  readonly #zones: Map<string, object | undefined>;
  #closed: string[];
  readonly #handed = new Set<string>();
  /** What was taken away meanwhile, and may be bought again. */
  readonly #lost = { zones: 0, ips: 0 };

  constructor(
    books: Books,
    step: RunStep,
    own: readonly Entry[],
    others: readonly Entry[],
    programs: readonly Declared[][],
    isDeaf: boolean,
  ) {
    this.books = books;
    this.isDeaf = isDeaf;
    this.#step = step;
    this.#own = own;
    this.#others = others;
    this.#atoms = atomsOf(books.simulator);
    if (step.do === "up") books.agree(withHeld(step.program, own));
    books.contest(programs);
    this.#had = step.do === "up" ? this.#hadBy(step) : [];
    this.#staying = this.#whatStays();
    const names = [...this.#staying.keys()];
    const { account } = books.simulator;
    this.#zones = new Map(
      names.flatMap((name) => (name.startsWith("zone ") ? [[name.slice(5), account.zone(name.slice(5))]] : [])),
    );
    this.#closed = names.filter((name) => name.startsWith("allowed ")).map((name) => name.slice(8).split("/")[0] ?? "");
  }

  /** What must not be for a moment. */
  look(): void {
    const { account } = this.books.simulator;
    const atoms = this.#staying.size > this.#zones.size ? atomsOf(this.books.simulator) : undefined;
    for (const [name, why] of this.#staying) {
      if (atoms?.has(name) === false) throw new Wrong(`${name}, which ${why} has and declares, was gone for a moment`);
    }
    for (const [name, record] of this.#zones) {
      if (record !== undefined && account.zone(name) !== record)
        throw new Wrong(`zone ${name}, which is declared, was deleted`);
    }
    for (const name of this.#closed) {
      const ips = account.zone(name)?.ips ?? [];
      if (ips.length === 0 || ips.includes("any"))
        throw new Wrong(`zone ${name}, whose allowlist is declared, was open to all`);
    }
  }

  /** Somebody has taken these away meanwhile, or has made others of their names. */
  lose({ gone, remade }: Deed): void {
    for (const name of [...gone, ...remade]) {
      this.#handed.add(name);
      this.#staying.delete(name);
      if (name.startsWith("zone ")) this.#zones.delete(name.slice(5));
      if (name.startsWith("zone ")) this.#lost.zones++;
      if (name.startsWith("ip ")) this.#lost.ips++;
    }
    if (gone.some((name) => /^(allowed|zone) /.test(name))) this.#closed = [];
  }

  /** The others run at the same time: what was lost here and their states have, too, is theirs to do away with. */
  share(): void {
    for (const entry of this.#others) for (const name of claimsOf(entry).keys()) this.#staying.delete(name);
  }

  /** The others run at the same time, and have this in their states: what becomes of it is looked at on their pages. */
  alongside(after: readonly Entry[]): void {
    this.#others = after;
    this.#isAlongside = true;
  }

  close(outcome: Outcome, after: readonly Entry[]): void {
    const atoms = atomsOf(this.books.simulator);
    this.books.see(after);
    if (this.#step.do === "up") this.books.agreeToAdopted(withHeld(this.#step.program, after));
    // A state does not tell that what stood on a zone has gone with it.
    const isGone = (entry: Entry) => [...claimsOf(entry).keys()].some((name) => this.#goesWithZone(name));
    this.books.doubt(after.filter(isGone));
    this.books.doubt(this.#overwritten(after));
    // The one that gives it up may delete it before the engine tells of the other, and fail.
    if (sharedIn(after).length > 0) this.books.isContested = true;
    this.books.hear([...outcome.words, ...outcome.errors]);
    this.books.hearKept(outcome.words);
    this.books.foreign(atoms);
    for (const [name, why] of this.#staying) {
      if (!atoms.has(name)) throw new Wrong(`${name}, which ${why} has and declares, is gone`);
    }
    if (!this.#isAlongside) this.#keepsOthers(atoms);
    if (outcome.errors.length > 0) this.#keepsUnmade(atoms);
    this.#speaksTruly(outcome);
    this.#remembers(outcome, after);
    this.#endsAsExpected(outcome);
    if (this.#step.do === "up" && outcome.errors.length === 0 && outcome.isRecorded)
      this.#holds(this.#step, outcome, after, atoms);
  }

  /**
   * What has an address on the list of the UI that settings may have written as they are declared, which excludes the other: two
   * sets of settings, after an update that has failed; or a set that gives the list up before the engine tells of the address, in
   * a program that announces nothing.
   */
  #overwritten(after: readonly Entry[]): Entry[] {
    const isWriter = ({ urn, declared }: Entry) =>
      urn.startsWith("ManagerSettings ") && declared.wwwWhitelistIps !== undefined;
    const writers = after.filter(isWriter);
    const isWriting = (urn: string) => writers.some((entry) => entry.urn === urn);
    const isGivenUp = !this.announces && this.#own.some((entry) => isWriter(entry) && !isWriting(entry.urn));
    const addresses = isGivenUp ? after.filter(({ urn }) => urn.startsWith("WhitelistIp ")) : [];
    return [...(writers.length > 1 ? writers : []), ...addresses];
  }

  /** Of which account a thing is, a state goes on knowing. */
  #remembers({ steps }: Outcome, after: readonly Entry[]): void {
    // What is created is told nothing of what it replaces by force: a token that may not ask whose it is leaves that open.
    const isMute = this.#step.trouble?.fault === "refused 403";
    for (const { urn, id, provider, outputs } of after) {
      if (!urn.startsWith("Zone") || (isMute && steps.includes(`create ${urn}`))) continue;
      const before = this.#own.find((each) => each.urn === urn && each.id === id && each.provider === provider);
      if (before?.outputs.__at !== undefined && outputs.__at === undefined)
        throw new Wrong(`the state has forgotten of which account ${urn} is`);
    }
  }

  #endsAsExpected({ errors, words }: Outcome): void {
    const { do: what, expects } = this.#step;
    const isSelective = "target" in this.#step && this.#step.target !== undefined;
    if (!isSelective && errors.length > 0 && errors.every((each) => LEANING.test(each)))
      throw new Wrong(`nothing has failed before it: ${errors[0]}`);
    const said = words.find((each) => each.includes("was cut short"));
    if (expects === "silence" && said !== undefined)
      throw new Wrong(`nothing was cut short that is not known: ${said}`);
    if ((expects === "success" || expects === "silence") && errors.length > 0)
      throw new Wrong(`${what} has to succeed, and fails: ${errors[0]}`);
    if (expects === "refusal" && errors.length === 0) throw new Wrong(`${what} has to be refused, and succeeds`);
  }

  /**
   * What has come since it was opened that a resource of the run may have made.
   *
   * @param deleted names of what was deleted since: what has one of them has come, too
   */
  come(deleted: readonly string[] = []): string[] {
    const program = this.#step.do === "up" ? this.#step.program : [];
    const come = [...atomsOf(this.books.simulator).keys()].filter(
      (name) => !this.#atoms.has(name) || deleted.includes(name),
    );
    return come.filter((name) => program.some((resource) => mayMake(resource, name)));
  }

  /** Whether another process, which hears of nothing, may do away with what a resource has, as it has that in the state, too. */
  mayHaveLost(entry: Entry): boolean {
    if (!this.isDeaf) return false;
    const { urn, isNative, provider } = entry;
    const others = this.#own.filter(
      (each) => each.urn !== urn && (each.isNative !== isNative || each.provider !== provider),
    );
    return [...claimsOf(entry).keys()].some((name) => others.some((other) => claimsOf(other).has(name)));
  }

  /** Whether the run's program names a thing. */
  declares(name: string): boolean {
    return this.#step.do === "up" && this.#step.program.some((resource) => claimsOfArgs(resource).has(name));
  }

  #hadBy({ program, replace = [], form = "dynamic" }: Up): Had[] {
    const isOfForm = ({ isNative }: Entry) => (isNative === true) === (form !== "dynamic");
    return program.flatMap((resource) => {
      const { kind, name, args, aliases = [], options: { parent, wasIn = [] } = {} } = resource;
      const urn = urnOf(kind, name);
      const former = aliases.map((alias) => urnOf(kind, alias));
      const at = (urns: readonly string[], parents: readonly (string | null)[]) =>
        urns.flatMap((each) => parents.map((place) => ({ each, place })));
      // The engine takes the first of the aliases that it finds, in the order in which they are registered.
      const places = [...at([urn, ...former], [parent ?? null]), ...at([urn], wasIn), ...at(former, wasIn)];
      const there = places.flatMap(({ each, place }) =>
        this.#own.filter((entry) => entry.urn === each && (entry.parent ?? null) === place && !entry.doomed),
      );
      // It looks for its own type under all of them first.
      const entry = there.find(isOfForm) ?? there[0];
      // What was deleted to make room is found by its name all the same, before any alias.
      if (entry === undefined || entry.recreated) return [];
      const { identity } = KINDS[kind] as (typeof KINDS)[string];
      const isSame = identity.every((key) => isDeepStrictEqual(args[key], entry.declared[key]));
      return [{ resource, entry, stays: isSame && !replace.includes(urn) && !this.#isUnlike(resource, entry) }];
    });
  }

  /** By name what has to be there all the time, and which resource says so. */
  #whatStays(): Map<string, string> {
    const staying = new Map<string, string>();
    for (const { resource, entry, stays } of this.#had) {
      if (!stays) continue;
      const { kind, args } = resource;
      const isThere = (name: string) => this.#atoms.has(name) && !this.books.isStrange(name);
      const had = [...claimsOf(entry).keys()].filter(isThere);
      const wanted = claimsOfArgs(resource);
      // What arguments leave open is what there is; of a list, they say it all. Of IPs, an update that has failed has left a surplus.
      const isWhole =
        kind === "ZoneIps"
          ? Number(args.count) >= had.length
          : !["ZoneAccess", "ManagerSettings", "ProxyPorts", "BannedIp"].includes(kind);
      for (const name of had) {
        const isSafe =
          !this.#goesWithZone(name) &&
          !this.books.wasOverwritten(name) &&
          !this.#isHadAnew(name) &&
          !this.#comesTooLate(name, resource) &&
          !this.#isUntold(name, resource);
        if (isSafe && (isWhole || wanted.has(name))) staying.set(name, urnOf(kind, resource.name));
      }
    }
    for (const name of this.#takenOver()) staying.set(name, "a resource that takes it over");
    return staying;
  }

  /** Whether a zone that was made by hand, and taken over, has another plan than is declared: it is replaced. */
  #isUnlike({ kind, args }: Declared, entry: Entry): boolean {
    const { country } = (args.plan ?? {}) as { country?: string };
    if (kind !== "Zone" || country === undefined) return false;
    const { account } = this.books.simulator;
    const plans = [...claimsOf(entry).keys()].map((name) => account.zone(name.slice("zone ".length))?.plan);
    return plans.some((plan) => plan !== undefined && plan.country !== country);
  }

  /** Whether a thing was taken away, and another resource has got the same: the states of both have it. */
  #isHadAnew(name: string): boolean {
    return this.books.isStale(name) && this.#own.filter((entry) => claimsOf(entry).has(name)).length > 1;
  }

  /** Whether a thing is of a zone that the run makes anew, or deletes. */
  #goesWithZone(name: string): boolean {
    const zone = zoneOf(name);
    const isKept = this.#had.some(({ entry, stays }) => stays && claimsOf(entry).has(zone));
    return !isKept && this.#own.some((entry) => claimsOf(entry).has(zone));
  }

  /** What is there, has a name of its own, and is taken over by a resource that did not have it. */
  #takenOver(): string[] {
    const { strict } = this.books;
    if (this.#step.do !== "up" || !strict.includes("late")) return [];
    const { program, target } = this.#step;
    const isTaking = ({ kind, name, args }: Resource) =>
      args.adopt === true && TAKING.has(kind) && (target?.includes(urnOf(kind, name)) ?? true);
    const taken = (resource: Resource) => {
      const had = this.#had.find((each) => each.resource === resource);
      return [...claimsOfArgs(resource).keys()].filter((name) => !had || !claimsOf(had.entry).has(name));
    };
    const names = program.filter(isTaking).flatMap(taken);
    // Of the lists of a zone, several resources may have one each.
    const isCertain = (name: string) =>
      name.startsWith("allowed ") ? !this.#isDeclaredTwice(name) : !this.books.wasContested(name);
    // Of a zone that the program gives up, they go with it.
    const isGivenUp = (name: string) =>
      this.#goesWithZone(name) && !program.some((each) => claimsOfArgs(each).has(zoneOf(name)));
    return names.filter((name) => this.#atoms.has(name) && isCertain(name) && !isGivenUp(name));
  }

  /**
   * Whether the program, by mistake, has two resources declare a list of which nobody is told before their turn comes: what the
   * first one has done by then is as it declares.
   */
  #isDeclaredTwice(name: string): boolean {
    if (this.#step.do !== "up" || !this.isDeaf) return false;
    const isOfList = ({ kind, args }: Resource) =>
      kind === "ZoneAccess" && args.allowedIps !== undefined && name.startsWith(`allowed ${args.zone}/`);
    return this.#step.program.filter(isOfList).length > 1;
  }

  /**
   * Whether a resource before it, which changes, has the thing too: that is done before the engine tells the provider of this
   * one, unless all are checked first. One of several things may have been compared by then.
   */
  #comesTooLate(name: string, resource: Resource): boolean {
    const { strict } = this.books;
    if (this.#step.do !== "up" || strict.includes("late")) return false;
    const { together, program } = this.#step;
    const before = program.slice(0, program.indexOf(resource));
    return this.#had.some(
      (had) =>
        before.includes(had.resource) &&
        (together !== true || SEVERAL.has(had.resource.kind)) &&
        claimsOf(had.entry).has(name) &&
        !(had.stays && claimsOfArgs(had.resource).has(name)),
    );
  }

  /**
   * Whether another resource has the thing too, and the provider is not told of this one before that: it is no target of the run, or
   * was with another provider in a program that announces nothing.
   */
  #isUntold(name: string, { kind, name: own }: Resource): boolean {
    const urn = urnOf(kind, own);
    if (this.#step.do !== "up" || this.books.strict.includes("untold")) return false;
    const { target, form } = this.#step;
    const isTarget = target?.includes(urn) ?? true;
    const former = this.#own.find((entry) => entry.urn === urn)?.provider;
    const isApart = ({ provider }: Entry) => form === "foreign" && provider !== former;
    return this.#own.some((entry) => entry.urn !== urn && claimsOf(entry).has(name) && (!isTarget || isApart(entry)));
  }

  /** What the states of other programs have is as it was. */
  #keepsOthers(atoms: Atoms): void {
    for (const entry of this.#others) {
      for (const name of claimsOf(entry).keys()) {
        const isAgreed = this.#step.do === "up" && this.#step.program.some((each) => claimsOfArgs(each).has(name));
        const isTheirs = this.#own.some((own) => claimsOf(own).has(name));
        const isLost =
          !this.#handed.has(name) && this.#atoms.has(name) && !atoms.has(name) && !this.books.wasOverwritten(name);
        if (isLost && !isAgreed && !isTheirs) {
          throw new Wrong(`${name}, which ${entry.urn} of another program has, is gone`);
        }
      }
    }
  }

  /** Where something has failed, what the program has by another name, and has not made, is there. */
  #keepsUnmade(atoms: Atoms): void {
    if (this.#step.do !== "up" || this.#step.target !== undefined) return;
    const { program } = this.#step;
    const isDropped = (entry: Entry) =>
      !entry.doomed &&
      !entry.recreated &&
      !program.some(({ kind, name, aliases = [] }) =>
        [name, ...aliases].some((each) => urnOf(kind, each) === entry.urn),
      );
    const isMeant = (name: string) =>
      FIXED.test(name) &&
      program.some((resource) => claimsOfArgs(resource).has(name)) &&
      this.#own.every((entry) => !claimsOf(entry).has(name) || isDropped(entry));
    for (const entry of this.#own.filter(isDropped)) {
      const name = [...claimsOf(entry).keys()]
        .filter((each) => this.#atoms.has(each) && !atoms.has(each) && !this.#handed.has(each))
        .find(isMeant);
      if (name !== undefined)
        throw new Wrong(`${name}, which the program has by another name, was deleted with ${entry.urn}`);
    }
  }

  /** What has to be bought for what is declared and not there. */
  get needed(): Ledger {
    const needed: Ledger = { ...EMPTY, ...this.#lost };
    const counted = new Set<string>();
    for (const resource of this.#step.do === "up" ? this.#step.program : []) {
      const { buys } = KINDS[resource.kind] ?? {};
      if (buys === undefined) continue;
      const had = this.#had.find((each) => each.resource === resource);
      const stays = (name: string) =>
        this.#atoms.has(name) &&
        !this.books.isStrange(name) &&
        !this.#goesWithZone(name) &&
        !this.#comesTooLate(name, resource);
      // What two have by now, one of them has to buy.
      const isCounted = (name: string) => buys === "ips" && counted.has(name);
      const names = had?.stays ? [...claimsOf(had.entry).keys()].filter((name) => stays(name) && !isCounted(name)) : [];
      for (const name of names) counted.add(name);
      // Of some actions nothing is left to be seen.
      const there = had?.stays && buys !== "zones" && buys !== "ips" ? 1 : names.length;
      needed[buys] += Math.max(0, (buys === "ips" ? Number(resource.args.count) : 1) - there);
    }
    return needed;
  }

  /** Nobody is told that something may be in no state which the program declares, and its state has. */
  #speaksTruly({ words, errors }: Outcome): void {
    const program = this.#step.do === "up" ? this.#step.program : [];
    // Of what the program does not declare any more, the engine tells last: until then, nobody knows that the state has it.
    // Nor of what is replaced, which the program announces as what it is to be, nor of what a program in another language has later.
    const forced = this.#step.do === "up" ? (this.#step.replace ?? []) : [];
    const isToldFirst = (entry: Entry) =>
      this.announces &&
      !entry.recreated &&
      !forced.includes(entry.urn) &&
      program.some(({ kind, name }) => urnOf(kind, name) === entry.urn) &&
      // The program may have something else under its name, as in the other form.
      ((entry.doomed && !this.wasBlind) || this.#had.some((had) => had.entry === entry && had.stays));
    const known = new Set(this.#own.filter(isToldFirst).flatMap((entry) => [...claimsOf(entry).keys()]));
    // Where another resource declares it, of which the engine has not told yet, the words send a person to look there first.
    const isSentThere = (text: string, name: string) =>
      text.includes("Look first whether another resource of this program has it") &&
      program.some((resource) => claimsOfArgs(resource).has(name));
    // An older state has a name that was given again since.
    const isOther = (name: string) =>
      words.some((each) => each.includes("is not the one that this resource had") && each.toLowerCase().includes(name));
    for (const text of [...words, ...errors].filter((each) => /in no state/.test(each))) {
      for (const [, zone, port] of text.matchAll(
        /(?<!(?:(?:password|IPs) (?:to|of)|may use) )zone "?([\w-]+)"?|port (\d+)/g,
      )) {
        const name = zone === undefined ? `port ${port}` : `zone ${zone}`;
        if (known.has(name) && !isSentThere(text, name) && !isOther(name))
          throw new Wrong(`a state has ${name}, and the words are: ${text}`);
      }
    }
  }

  /** A run that succeeded has made everything as it is declared, and has nothing left to do. */
  #holds(step: Up, { words }: Outcome, after: readonly Entry[], atoms: Atoms): void {
    const { program, target } = step;
    this.#sharesNothingNew(step, after);
    for (const resource of program) {
      const urn = urnOf(resource.kind, resource.name);
      if (target !== undefined && !target.includes(urn)) continue;
      const entry = after.find((each) => each.urn === urn && !each.doomed && !each.recreated);
      if (entry === undefined) throw new Wrong(`${urn} is declared and not in the state`);
      for (const name of this.#made(resource, entry, atoms)) {
        if (target === undefined) this.#isAlone(name, entry, after);
      }
      // What was found to be gone by the update itself is the next one's to buy: no preview has told of it.
      const isLeft = words.some((each) => LEFT_TO_THE_NEXT.test(each) && each.includes(`zone ${resource.args.zone} `));
      // What a refresh has found is declared then.
      const isIgnored = resource.options?.ignoreChanges?.includes("count") === true;
      if (resource.kind === "ZoneIps" && !isLeft && !isIgnored && claimsOf(entry).size !== resource.args.count) {
        throw new Wrong(`${urn} has ${claimsOf(entry).size} IPs, and declares ${resource.args.count}`);
      }
    }
  }

  /** Of what there is once, no two resources of a state come to have what was there, whatever their program says. */
  #sharesNothingNew(step: Up, after: readonly Entry[]): void {
    if (step.target !== undefined || this.#isUnheard(step)) return;
    const before = sharedIn(this.#own);
    const name = sharedIn(after).find((each) => this.#atoms.has(each) && !before.includes(each));
    if (name !== undefined) throw new Wrong(`two resources of a state have ${name} by now`);
  }

  /** Whether the processes of its providers could not tell each other what the program declares. */
  #isUnheard({ program }: Up): boolean {
    return this.isDeaf && new Set(program.map(({ provider }) => provider)).size > 1;
  }

  /** What a resource that is up to date has, each thing as it is declared. */
  #made(resource: Declared, entry: Entry, atoms: Atoms): string[] {
    const wanted = new Map([...claimsOf(entry), ...claimsOfArgs(resource)]);
    const certain = [...wanted].filter(
      ([name]) =>
        !this.books.wasContested(name) &&
        !this.#goesWithZone(name) &&
        !this.#comesTooLate(name, resource) &&
        !this.mayHaveLost(entry),
    );
    for (const [name, value] of certain) {
      const found = atoms.get(name);
      if (found === undefined && this.books.isUnlisted(name)) continue;
      if (found === undefined) throw new Wrong(`${entry.urn} is up to date, and ${name} is not there`);
      if (!this.books.isAs(name, value, found))
        throw new Wrong(`${entry.urn} is up to date, and ${name} is ${found}, not ${value}`);
    }
    return certain.map(([name]) => name);
  }

  /** No two resources have one thing, unless their programs say so. */
  #isAlone(name: string, entry: Entry, after: readonly Entry[]): void {
    if (/^(setting|user) /.test(name)) return;
    // Which IPs another stack has bought, nobody can know: they may seem to have come in the place of one's own.
    const mayShare = (other: Entry) =>
      name.startsWith("ip ") &&
      (this.far.has(other) || (!after.includes(other) && [entry, other].some((each) => supposes(each, name))));
    // The processes of two providers that hear nothing of each other may both have taken it over.
    const own = this.isDeaf ? after.filter(({ provider }) => provider === entry.provider) : after;
    for (const other of [...own, ...this.#others]) {
      if (other === entry || other.doomed || other.recreated || !claimsOf(other).has(name)) continue;
      // What both have declared, one has in its state until its turn comes to give it up.
      if (mayShare(other) || (this.#others.includes(other) && this.books.isSettled(name))) continue;
      throw new Wrong(`${entry.urn} and ${other.urn} both have ${name}`);
    }
  }
}

/** Of what there is once, what two resources of a state have. */
function sharedIn(state: readonly Entry[]): string[] {
  const there = state.filter(({ doomed, recreated }) => !doomed && !recreated);
  const names = there.flatMap((entry) => [...new Set(claimsOf(entry).keys())]).filter((name) => ONCE.test(name));
  return names.filter((name, index) => names.indexOf(name) !== index);
}

/** The name of the zone that a thing is of. */
const zoneOf = (name: string): string => `zone ${/^\w+ ([^/]+)\//.exec(name)?.[1]}`;
