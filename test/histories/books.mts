import { claimsOf, claimsOfArgs, contestedIn, type Declared, namesOf } from "./claims.mts";
import type { Entry } from "./engine.mts";
import { Excuses } from "./excuses.mts";
import type { Deed } from "./hands.mts";
import type { Law } from "./history.mts";
import { JOB_ZONES } from "./jobs.mts";
import { Wrong } from "./verdicts.mts";
import { type Atoms, atomsOf, EMPTY, type Ledger, ledgerOf, type Services } from "./world.mts";

/** Of which sorts of things of a zone a resource that adopts them, or exchanges them, has all. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  ZoneAccess: ["allowed", "denied"],
  ZoneIps: ["ip"],
  ZoneIpRefresh: ["ip"],
  PortIpRefresh: ["ip"],
};

/** Entries of lists, and bans: nothing shows who has made them. */
const NAMELESS = /^(ban|ui|ports|allowed|denied) /;

/** Kinds that take over what there is without being asked to. */
const TAKING_OVER: ReadonlySet<string> = new Set(["ManagerSettings", "BannedIp", "ZoneIpRefresh", "PortIpRefresh"]);

/** The books of one account and its manager: what there is, whose it is, and what was paid for. */
export class Books {
  readonly simulator: Services;
  readonly strict: readonly Law[];
  /** What was there before any program. */
  readonly first: Atoms;
  /** What nobody's program has made: it was there before, or somebody has made it by hand. */
  readonly before: Map<string, string>;
  readonly ledger: Ledger;
  /** Of what states have, what is another's thing of the same name by now. */
  readonly #strange = new Set<string>();
  /** Resources that have declared settings, and things that any has declared. */
  readonly #settings = new Set<string>();
  readonly #declared = new Set<string>();
  /** Lists that any program has declared as a whole. */
  readonly #wholes = new Set<string>();
  /** Names of what a program has declared to be its own, though it was there before. */
  readonly #agreed = new Set<string>();
  /** What may be there, and in no state: a person has been told, or nobody can be asked. */
  readonly excuses = new Excuses();
  /** What states have had. */
  readonly #ever = new Set<string>();
  /** What was excused where it was found. */
  readonly used = new Set<string>();

  /** What processes that live on may buy yet. */
  readonly #open: Ledger = { ...EMPTY };

  /** Whether states may not be as things are, which a refresh finds out. */
  isContested = false;
  /** Names of what was taken away, and a state has: another resource may get the same. */
  readonly #stale = new Set<string>();
  /** IPs of which a person was told that they may not be there. */
  readonly #unlisted = new Set<string>();
  /** Say of a thing whether several programs or resources have declared it. */
  #contested: ((name: string) => boolean)[] = [];
  /** The same of what was contested and is not any more. */
  #settled: ((name: string) => boolean)[] = [];

  constructor(simulator: Services, strict: readonly Law[] = []) {
    this.strict = strict;
    this.simulator = simulator;
    this.first = atomsOf(simulator);
    this.before = new Map(this.first);
    this.ledger = ledgerOf(simulator);
  }

  /** Takes note of what a program declares. */
  agree(program: readonly Declared[]): void {
    for (const resource of program) {
      const { kind, name: own } = resource;
      if (kind === "ManagerSettings" || kind === "WhitelistIp") this.#settings.add(`${kind} ${own}`);
      const names = claimsOfArgs(resource).keys();
      for (const name of names) this.#declared.add(name);
      for (const name of namesOf(resource)) if (name.startsWith("whole ")) this.#own(name.slice("whole ".length));
    }
    this.agreeToAdopted(program);
  }

  /** Takes note of what a program takes over: of what has an automatic name, a state tells it. */
  agreeToAdopted(program: readonly Declared[]): void {
    for (const resource of program)
      if (resource.args.adopt === true || TAKING_OVER.has(resource.kind)) this.#agreeTo(resource);
  }

  /** What a person is told in one run. */
  hear(words: readonly string[]): void {
    this.excuses.hear(words);
    for (const each of words) {
      const [, zone, ips = ""] = /Zone (\S+) does not list ([\d., ]+), and its plan says/.exec(each) ?? [];
      for (const ip of zone === undefined ? [] : ips.split(", ")) this.#unlisted.add(`ip ${zone}/${ip}`);
    }
  }

  /** Whether a person was told that a state keeps an IP which the service does not list. */
  isUnlisted(name: string): boolean {
    return this.#unlisted.has(name);
  }

  /** What is kept for a resource whose state is not true any more is nobody's. */
  hearKept(words: readonly string[]): void {
    const kept = words.flatMap(
      (each) =>
        /(\w+ \S+) belongs to (?:its replacement or )?another resource of this program now/.exec(each)?.[1] ?? [],
    );
    this.excuses.add(kept.filter((name) => this.#stale.has(name)));
  }

  /** What others have put on a list is the program's from then on: it may take it off. */
  #own(list: string): void {
    this.#wholes.add(list);
    for (const name of [...this.before.keys()]) {
      if (this.first.has(name) || !this.#isOnWhole(name)) continue;
      this.before.delete(name);
      this.excuses.add([name]);
    }
  }

  /** What is adopted is as a whole the program's. */
  #agreeTo(resource: Declared): void {
    const { kind, args, held = [] } = resource;
    for (const name of [...claimsOfArgs(resource).keys(), ...held]) this.#agreed.add(name);
    const whole = WHOLE[kind] ?? [];
    const isWithin = (name: string) => whole.some((what) => name.startsWith(`${what} ${args.zone ?? JOB_ZONES[1]}/`));
    for (const name of this.before.keys()) if (isWithin(name)) this.#agreed.add(name);
  }

  /**
   * Takes note of what somebody has done by hand.
   *
   * @param isBegun whether a run that goes on declares a thing: where its name is all that it has, nobody can tell who was first
   */
  witness(
    { come, gone, remade, changed }: Deed,
    states: readonly Entry[],
    isBegun: (name: string) => boolean = () => false,
  ): void {
    const atoms = atomsOf(this.simulator);
    const known = new Set(states.flatMap((entry) => [...claimsOf(entry).keys()]));
    const isExchange = gone.some((name) => name.startsWith("ip ")) && come.some((name) => name.startsWith("ip "));
    const isTheirs = isExchange && gone.some((name) => this.before.has(name) && !this.#agreed.has(name));
    // Nor does anything show that what a state has was gone, and somebody has made it again.
    const isUnsettled = (name: string) => NAMELESS.test(name) && (isBegun(name) || known.has(name));
    for (const name of [...come, ...remade]) {
      // Of a list that a program declares as a whole, what others have put there goes; and a new IP is that of the one which is gone.
      const isOpen = this.#isOnWhole(name) || (isExchange && !isTheirs) || isUnsettled(name);
      if (isOpen) this.excuses.add([name]);
      else this.before.set(name, atoms.get(name) ?? "");
    }
    for (const name of [...come, ...remade].filter((each) => known.has(each))) this.#strange.add(name);
    for (const name of changed.filter((each) => this.before.has(each))) this.before.set(name, atoms.get(name) ?? "");
    for (const name of gone) this.before.delete(name);
    for (const name of gone.filter((each) => known.has(each))) this.#stale.add(name);
    this.#doubtAll(new Set([...come, ...gone, ...remade, ...changed]));
  }

  /** Takes note of what a run has deleted whose state was not saved: another resource may get the same. */
  outdate(names: readonly string[]): void {
    for (const name of names) this.#stale.add(name);
  }

  /** Whether it was taken away: the state that has it may be that of what is gone. */
  isStale(name: string): boolean {
    return this.#stale.has(name);
  }

  /** Takes note of what no provider can tell from what its program has begun: by its name, and by when it was made. */
  confuse(names: readonly string[]): void {
    for (const name of names) this.#agreed.add(name);
  }

  /** Takes note that an older state has what others have made since, where nothing shows who has. */
  confuseNameless(entries: readonly Entry[]): void {
    const names = entries.flatMap((entry) => [...claimsOf(entry).keys()]);
    this.confuse(names.filter((name) => NAMELESS.test(name)));
  }

  /** Whether a program declares all of the list that a thing is on, or has at any time. */
  #isOnWhole(name: string): boolean {
    const [what, rest = ""] = name.split(" ");
    return (
      (what === "allowed" && this.#wholes.has(`access ${rest.split("/")[0]}`)) ||
      (what === "ui" && this.#wholes.has("list ui"))
    );
  }

  /** Whether a thing is another's by now, whatever a state says, and no program has agreed to take it over. */
  isStrange(name: string): boolean {
    return this.#strange.has(name) && !this.#agreed.has(name);
  }

  /** Takes note that what states have is another's by now, under the same name. */
  estrange(entries: readonly Entry[]): void {
    for (const entry of entries) for (const name of claimsOf(entry).keys()) this.#strange.add(name);
  }

  /** Takes note of what a state has. */
  see(entries: readonly Entry[]): void {
    for (const entry of entries) for (const name of claimsOf(entry).keys()) this.#ever.add(name);
  }

  contest(programs: readonly Declared[][]): void {
    const contested = contestedIn(programs);
    if (!programs.flat().some((resource) => namesOf(resource).some(contested))) return;
    this.isContested = true;
    this.#contested.push(contested);
  }

  wasContested(name: string): boolean {
    return this.#contested.some((contested) => contested(name));
  }

  /** Whether that is over. */
  isSettled(name: string): boolean {
    return this.#settled.some((contested) => contested(name));
  }

  /** Whether a thing is as it should be. What another resource has set on a port, and this one does not declare, stays. */
  isAs(name: string, wanted: string | undefined, now: string): boolean {
    // That a zone is disabled is nobody's declaration.
    const found = name.startsWith("zone ") ? now.replace("disabled", "active") : now;
    const isOpen = /^port /.test(name) && this.isSettled(name);
    return wanted === undefined || found === wanted || (isOpen && wanted.endsWith(" ") && found.startsWith(wanted));
  }

  /** Whether a thing stood on a list that several have written. */
  wasOverwritten(name: string): boolean {
    return /^(allowed|denied|ui|ports) /.test(name) && this.wasContested(name);
  }

  /** What these resources have may be another's by now, or gone: no state tells of it before a refresh. */
  doubt(entries: readonly Entry[]): void {
    this.#doubtAll(new Set(entries.flatMap((entry) => [...claimsOf(entry).keys()])));
  }

  #doubtAll(names: ReadonlySet<string>): void {
    if (names.size === 0) return;
    this.isContested = true;
    this.#contested.push((name) => names.has(name));
  }

  /** What was contested is not any more. */
  settle(): void {
    this.isContested = false;
    this.#settled = this.#contested;
    this.#contested = [];
  }

  /**
   * Nothing was bought in these runs but what is declared and was not there.
   *
   * @param isOpen whether a process of theirs lives on, and may buy what it has not bought yet
   */
  pays(bought: Ledger, pages: readonly { needed: Ledger }[], isOpen: boolean): void {
    for (const what of Object.keys(EMPTY) as (keyof Ledger)[]) {
      const number = this.ledger[what] - bought[what];
      const needed = this.#open[what] + pages.reduce((sum, page) => sum + page.needed[what], 0);
      if (number > needed) throw new Wrong(`${number} ${what} were bought, and ${needed} needed`);
      this.#open[what] = isOpen ? needed - number : Math.min(this.#open[what], needed - number);
    }
  }

  /** What nobody has agreed to has stayed. */
  foreign(after: Atoms): void {
    for (const [name, value] of this.before) {
      const found = after.get(name);
      // With a zone that is the program's by now goes what it has.
      if (this.#agreed.has(name) || (found === undefined && this.#isWithinAgreed(name))) continue;
      if (found !== value)
        throw new Wrong(`${name}, which was there before, was ${value || "there"} and is ${found ?? "gone"}`);
    }
  }

  /** What there is besides what was there before, and what the states have. */
  orphans(states: readonly Entry[]): string[] {
    const known = new Set(states.flatMap((entry) => [...claimsOf(entry).keys()]));
    const zones = new Set([...this.before.keys()].filter((name) => name.startsWith("zone ")));
    const orphans = [...atomsOf(this.simulator).keys()].filter((name) => {
      const [what = "", rest = ""] = name.split(" ");
      const zone = `zone ${rest.split("/")[0]}`;
      const isOfZone = /^(password|allowed|denied|ip)$/.test(what);
      // A new zone has a password of its own, and nothing else.
      const isOfNewZone = isOfZone && ((what === "password" && !zones.has(zone)) || this.#agreed.has(zone));
      // Whose IPs are exchanged on purpose.
      const isExchanged = what === "ip" && JOB_ZONES.some((own) => zone === `zone ${own}`);
      // What a person has taken off a list comes back where a resource puts back what it has found.
      const isFirst = what === "ui" && this.first.has(name);
      return (
        !isExchanged &&
        !isOfNewZone &&
        !isFirst &&
        !this.before.has(name) &&
        !known.has(name) &&
        !this.#isLeftForGood(name)
      );
    });
    const left = this.excuses.without(orphans);
    for (const name of orphans) if (!left.includes(name)) this.used.add(name);
    return left;
  }

  /**
   * The manager cannot remove a user. And what a setting was before is known to the resource alone that changed it: another one,
   * or one that comes after it, puts back what it has found.
   */
  #isLeftForGood(name: string): boolean {
    // What an action has brought stays with the service.
    if (/^(snapshot|delivery) /.test(name)) return this.#ever.has(name);
    return this.#declared.has(name) && (name.startsWith("user ") || (name.startsWith("ui ") && this.#isPutBack));
  }

  get #isPutBack(): boolean {
    return this.#settings.size > 1 && [...this.#settings].some((urn) => urn.startsWith("ManagerSettings "));
  }

  #isWithinAgreed(name: string): boolean {
    const zone = /^\w+ ([^/]+)\//.exec(name)?.[1];
    return zone !== undefined && this.#agreed.has(`zone ${zone}`);
  }
}
