import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json.ts";
import type { Entry, Outcome } from "./engine.mts";
import { Excuses } from "./excuses.mts";
import type { Deed } from "./hands.mts";
import type { RunStep, Up } from "./history.mts";
import { KINDS, kindOf } from "./kinds.mts";
import { type Resource, urnOf } from "./program.mts";
import { Wrong } from "./verdicts.mts";
import { type Atoms, atomsOf, type Ledger, ledgerOf, type Services } from "./world.mts";

type Claims = ReadonlyMap<string, string | undefined>;

/** A resource as a program has it, with what it has besides and does not name. */
export type Declared = Resource & { held?: readonly string[] };

/** A resource that a program has, with what the state has of it. */
interface Had {
  resource: Resource;
  entry: Entry;
  /** Whether the same thing is meant to stay. */
  stays: boolean;
}

export const claimsOf = (entry: Entry): Claims => kindOf(entry.urn).claims(entry.outputs);

export const claimsOfArgs = ({ kind, args }: Resource): Claims => KINDS[kind]?.claims(args) ?? new Map();

/** The books of one account and its manager: what there is, whose it is, and what was paid for. */
export class Books {
  readonly simulator: Services;
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
  /** Names of what a program has declared to be its own, though it was there before. */
  readonly #agreed = new Set<string>();
  /** What may be there, and in no state: a person has been told, or nobody can be asked. */
  readonly excuses = new Excuses();
  /** What was excused where it was found. */
  readonly used = new Set<string>();

  /** Whether states may not be as things are, which a refresh finds out. */
  isContested = false;
  /** Say of a thing whether several programs or resources have declared it. */
  #contested: ((name: string) => boolean)[] = [];
  /** The same of what was contested and is not any more. */
  #settled: ((name: string) => boolean)[] = [];

  constructor(simulator: Services) {
    this.simulator = simulator;
    this.first = atomsOf(simulator);
    this.before = new Map(this.first);
    this.ledger = ledgerOf(simulator);
  }

  /** Takes note of what a program declares. */
  agree(program: readonly Resource[]): void {
    for (const resource of program) {
      const { kind, name: own, args } = resource;
      if (kind === "ManagerSettings" || kind === "WhitelistIp") this.#settings.add(`${kind} ${own}`);
      const names = claimsOfArgs(resource).keys();
      for (const name of names) this.#declared.add(name);
      if (args.adopt === true || kind === "ManagerSettings") this.#agreeTo(resource);
    }
  }

  /** What is adopted is as a whole the program's. */
  #agreeTo(resource: Resource): void {
    const { kind, args } = resource;
    for (const name of claimsOfArgs(resource).keys()) this.#agreed.add(name);
    const whole = { ZoneAccess: ["allowed", "denied"], ZoneIps: ["ip"] }[kind] ?? [];
    const isWithin = (name: string) => whole.some((what) => name.startsWith(`${what} ${args.zone}/`));
    for (const name of this.before.keys()) if (isWithin(name)) this.#agreed.add(name);
  }

  /** Takes note of what somebody has done by hand. */
  witness({ come, gone, remade, changed }: Deed, states: readonly Entry[]): void {
    const atoms = atomsOf(this.simulator);
    const known = new Set(states.flatMap((entry) => [...claimsOf(entry).keys()]));
    const isExchange = gone.some((name) => name.startsWith("ip ")) && come.some((name) => name.startsWith("ip "));
    const isTheirs = isExchange && gone.some((name) => this.before.has(name));
    for (const name of [...come, ...remade]) {
      // Of a list that a program declares, what others have put there goes; and a new IP is that of the one which is gone.
      const isOpen = /^(allowed|ui) /.test(name) || (isExchange && !isTheirs);
      if (isOpen) this.excuses.add([name]);
      else this.before.set(name, atoms.get(name) ?? "");
      if (known.has(name)) this.#strange.add(name);
    }
    for (const name of changed) if (this.before.has(name)) this.before.set(name, atoms.get(name) ?? "");
    for (const name of gone) this.before.delete(name);
    this.#doubtAll(new Set([...come, ...gone, ...remade, ...changed]));
  }

  /** Whether a thing is another's by now, whatever a state says, and no program has agreed to take it over. */
  isStrange(name: string): boolean {
    return this.#strange.has(name) && !this.#agreed.has(name);
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

  /** Whether a thing is as it should be. What another resource has set on a port, and this one does not declare, stays. */
  isAs(name: string, wanted: string | undefined, found: string): boolean {
    const isOpen = /^port /.test(name) && this.#settled.some((contested) => contested(name));
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

  /** Begins to look at a run. */
  open(step: RunStep, own: readonly Entry[], others: readonly Entry[], programs: readonly Declared[][]): Page {
    return new Page(this, step, own, others, programs);
  }

  /** Nothing was bought in these runs but what is declared and was not there. */
  pays(bought: Ledger, pages: readonly Page[]): void {
    for (const what of ["zones", "ips"] as const) {
      const number = this.ledger[what] - bought[what];
      const needed = pages.reduce((sum, page) => sum + page.needed[what], 0);
      if (number > needed) throw new Wrong(`${number} ${what} were bought, and ${needed} needed`);
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
      const isOfNewZone = isOfZone && (!zones.has(zone) || this.#agreed.has(zone));
      return !isOfNewZone && !this.before.has(name) && !known.has(name) && !this.#isLeftForGood(name);
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

/** What is looked at during one run. */
export class Page {
  readonly books: Books;
  readonly #step: RunStep;
  readonly #own: readonly Entry[];
  #others: readonly Entry[];
  #isAlongside = false;
  /** What stacks with another home have: an IP bears no mark, and the notes there are not seen here. */
  far: ReadonlySet<Entry> = new Set();
  readonly #atoms: Atoms;
  readonly #had: Had[];
  readonly #staying: Map<string, string>;
  readonly #zones: Map<string, object | undefined>;
  #closed: string[];
  /** What was taken away meanwhile, and may be bought again. */
  readonly #lost: Ledger = { zones: 0, ips: 0 };

  constructor(
    books: Books,
    step: RunStep,
    own: readonly Entry[],
    others: readonly Entry[],
    programs: readonly Declared[][],
  ) {
    this.books = books;
    this.#step = step;
    this.#own = own;
    this.#others = others;
    this.#atoms = atomsOf(books.simulator);
    if (step.do === "up") books.agree(step.program);
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
      this.#staying.delete(name);
      if (name.startsWith("zone ")) this.#zones.delete(name.slice(5));
      if (name.startsWith("zone ")) this.#lost.zones++;
      if (name.startsWith("ip ")) this.#lost.ips++;
    }
    if (gone.some((name) => /^(allowed|zone) /.test(name))) this.#closed = [];
  }

  /** The others run at the same time, and have this in their states: what becomes of it is looked at on their pages. */
  alongside(after: readonly Entry[]): void {
    this.#others = after;
    this.#isAlongside = true;
  }

  close(outcome: Outcome, after: readonly Entry[]): void {
    const atoms = atomsOf(this.books.simulator);
    this.books.excuses.hear([...outcome.words, ...outcome.errors]);
    this.books.foreign(atoms);
    for (const [name, why] of this.#staying) {
      if (!atoms.has(name)) throw new Wrong(`${name}, which ${why} has and declares, is gone`);
    }
    if (!this.#isAlongside) this.#keepsOthers(atoms);
    this.#speaksTruly(outcome, after);
    if (this.#step.do === "up" && outcome.errors.length === 0 && outcome.isRecorded)
      this.#holds(this.#step, after, atoms);
  }

  /** What has come since it was opened that a resource of the run may have made. */
  come(): string[] {
    const program = this.#step.do === "up" ? this.#step.program : [];
    const come = [...atomsOf(this.books.simulator).keys()].filter((name) => !this.#atoms.has(name));
    return come.filter((name) => program.some((resource) => mayMake(resource, name)));
  }

  #hadBy({ program, replace = [] }: Up): Had[] {
    return program.flatMap((resource) => {
      const { kind, name, args, aliases = [] } = resource;
      const find = (urn: string) => this.#own.find((entry) => entry.urn === urn && !entry.doomed && !entry.recreated);
      const urn = urnOf(kind, name);
      const entry = find(urn) ?? aliases.map((alias) => find(urnOf(kind, alias))).find(Boolean);
      if (entry === undefined) return [];
      const { identity } = KINDS[kind] as (typeof KINDS)[string];
      const isSame = identity.every((key) => isDeepStrictEqual(args[key], entry.declared[key]));
      return [{ resource, entry, stays: isSame && !replace.includes(urn) }];
    });
  }

  /** By name what has to be there all the time, and which resource says so. */
  #whatStays(): Map<string, string> {
    const staying = new Map<string, string>();
    for (const { resource, entry, stays } of this.#had) {
      if (!stays) continue;
      const { kind, args } = resource;
      const had = [...claimsOf(entry).keys()].filter((name) => this.#atoms.has(name));
      const wanted = claimsOfArgs(resource);
      // What arguments leave open is what there is; of a list, they say it all.
      const isWhole =
        kind === "ZoneIps"
          ? args.count === entry.declared.count
          : !["ZoneAccess", "ManagerSettings", "ProxyPorts", "BannedIp"].includes(kind);
      for (const name of had) {
        const isSafe =
          !this.books.wasOverwritten(name) && !this.#comesTooLate(name, resource) && !this.#isUntold(name, resource);
        if (isSafe && (isWhole || wanted.has(name))) staying.set(name, urnOf(kind, resource.name));
      }
    }
    return staying;
  }

  /**
   * Whether a resource before it, which changes, has the thing too: that is done before the engine tells the provider of this
   * one, unless all are checked first.
   */
  #comesTooLate(name: string, resource: Resource): boolean {
    if (this.#step.do !== "up" || this.#step.together === true) return false;
    const before = this.#step.program.slice(0, this.#step.program.indexOf(resource));
    return this.#had.some(
      (had) =>
        before.includes(had.resource) &&
        claimsOf(had.entry).has(name) &&
        !(had.stays && claimsOfArgs(had.resource).has(name)),
    );
  }

  /** Whether another resource has the thing too in a run of which this one is no target: the provider is not told of it. */
  #isUntold(name: string, { kind, name: own }: Resource): boolean {
    const urn = urnOf(kind, own);
    if (this.#step.do !== "up" || (this.#step.target?.includes(urn) ?? true)) return false;
    return this.#own.some((entry) => entry.urn !== urn && claimsOf(entry).has(name));
  }

  /** What the states of other programs have is as it was. */
  #keepsOthers(atoms: Atoms): void {
    for (const entry of this.#others) {
      for (const name of claimsOf(entry).keys()) {
        const isAgreed = this.#step.do === "up" && this.#step.program.some((each) => claimsOfArgs(each).has(name));
        const isTheirs = this.#own.some((own) => claimsOf(own).has(name));
        const isLost = this.#atoms.has(name) && !atoms.has(name) && !this.books.wasOverwritten(name);
        if (isLost && !isAgreed && !isTheirs) {
          throw new Wrong(`${name}, which ${entry.urn} of another program has, is gone`);
        }
      }
    }
  }

  /** What has to be bought for what is declared and not there. */
  get needed(): Ledger {
    const needed: Ledger = { ...this.#lost };
    for (const resource of this.#step.do === "up" ? this.#step.program : []) {
      const { buys } = KINDS[resource.kind] ?? {};
      if (buys === undefined) continue;
      const had = this.#had.find((each) => each.resource === resource);
      const stays = (name: string) => this.#atoms.has(name) && !this.#comesTooLate(name, resource);
      const there = had?.stays ? [...claimsOf(had.entry).keys()].filter(stays).length : 0;
      needed[buys] += Math.max(0, (buys === "ips" ? Number(resource.args.count) : 1) - there);
    }
    return needed;
  }

  /** Nobody is told that something is in no state, or was in none, which a state has, or had. */
  #speaksTruly({ words, errors }: Outcome, after: readonly Entry[]): void {
    const claimed = (entries: readonly Entry[]) =>
      entries.filter(({ recreated }) => !recreated).flatMap((entry) => [...claimsOf(entry).keys()]);
    const before = claimed(this.#own);
    const ever = [...before, ...claimed(after)];
    const others = claimed(this.#others);
    for (const text of [...words, ...errors].filter((each) => /in no state/.test(each))) {
      const own = /in no state when this update began/.test(text) ? before : ever;
      // Of another program's state nobody can know: what is said of it with an "if" is true.
      const known = new Set(/\bIf\b/.test(text) ? own : [...own, ...others]);
      for (const [, zone, port] of text.matchAll(/zone "?([\w-]+)"?|port (\d+)/g)) {
        const name = zone === undefined ? `port ${port}` : `zone ${zone}`;
        if (known.has(name)) throw new Wrong(`a state has ${name}, and the words are: ${text}`);
      }
    }
  }

  /** A run that succeeded has made everything as it is declared, and has nothing left to do. */
  #holds({ program, target }: Up, after: readonly Entry[], atoms: Atoms): void {
    for (const resource of program) {
      const urn = urnOf(resource.kind, resource.name);
      if (target !== undefined && !target.includes(urn)) continue;
      const entry = after.find((each) => each.urn === urn && !each.doomed && !each.recreated);
      if (entry === undefined) throw new Wrong(`${urn} is declared and not in the state`);
      for (const name of this.#made(resource, entry, atoms)) {
        if (target === undefined) this.#isAlone(name, entry, after);
      }
      if (resource.kind === "ZoneIps" && claimsOf(entry).size !== resource.args.count) {
        throw new Wrong(`${urn} has ${claimsOf(entry).size} IPs, and declares ${resource.args.count}`);
      }
    }
  }

  /** What a resource that is up to date has, each thing as it is declared. */
  #made(resource: Declared, entry: Entry, atoms: Atoms): string[] {
    const wanted = new Map([...claimsOf(entry), ...claimsOfArgs(resource)]);
    const certain = [...wanted].filter(
      ([name]) => !this.books.wasContested(name) && !this.#comesTooLate(name, resource),
    );
    for (const [name, value] of certain) {
      const found = atoms.get(name);
      if (found === undefined) throw new Wrong(`${entry.urn} is up to date, and ${name} is not there`);
      if (!this.books.isAs(name, value, found))
        throw new Wrong(`${entry.urn} is up to date, and ${name} is ${found}, not ${value}`);
    }
    return certain.map(([name]) => name);
  }

  /** No two resources have one thing, unless their programs say so. */
  #isAlone(name: string, entry: Entry, after: readonly Entry[]): void {
    if (/^(setting|user) /.test(name)) return;
    for (const other of [...after, ...this.#others]) {
      if (other === entry || other.doomed || other.recreated || !claimsOf(other).has(name)) continue;
      if (name.startsWith("ip ") && this.far.has(other)) continue;
      throw new Wrong(`${entry.urn} and ${other.urn} both have ${name}`);
    }
  }
}

/** Whether a thing of this name may be what a resource makes. */
export function mayMake(resource: Resource, name: string): boolean {
  const { kind, name: own, args } = resource;
  if (claimsOfArgs(resource).has(name)) return true;
  if (!isOpen(resource)) return false;
  const zone = `${args.zone}/`;
  const beginning = { Zone: `zone ${own}_`, ZoneIps: `ip ${zone}`, ZonePassword: `password ${zone}` }[kind] ?? "port ";
  return name.startsWith(beginning);
}

/** Arguments that leave it to the service what the thing is called. */
function isOpen({ kind, args }: Resource): boolean {
  if (kind === "ZoneIps") return true;
  const name = { Zone: "name", ProxyPort: "port", ZonePassword: "password" }[kind];
  if (name !== undefined) return args[name] === undefined;
  return (
    kind === "ProxyPorts" &&
    Object.values(args.ports as Record<string, JsonObject>).some(({ port }) => port === undefined)
  );
}

/** A program with what its resources have in a state without naming it. */
export const withHeld = (program: readonly Resource[], state: readonly Entry[]): Declared[] =>
  program.map((resource) => {
    const urns = [resource.name, ...(resource.aliases ?? [])].map((name) => urnOf(resource.kind, name));
    const had = urns.map((each) => state.find(({ urn, doomed }) => !doomed && urn === each));
    const entry = had.find(Boolean);
    return entry === undefined || !isOpen(resource) ? resource : { ...resource, held: [...claimsOf(entry).keys()] };
  });

/** Which things more than one resource declares: what becomes of them is a matter of who comes last. */
export function contestedIn(programs: readonly Declared[][]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const resource of programs.flat()) {
    for (const name of namesOf(resource)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isMany = (name: string) => (counts.get(name) ?? 0) > 1;
  return (name) => {
    const [what = "", rest = ""] = name.split(" ");
    const list = /^(allowed|denied)$/.test(what) ? `access ${rest.split("/")[0]}` : what === "ui" ? "list ui" : name;
    const isOnBoth = /^(ui|ports)$/.test(what) && isMany(`address ${rest}`);
    return isMany(name) || isOnBoth || (isMany(list) && counts.has(`whole ${list}`));
  };
}

/** What a resource declares, and the lists that are its own as a whole. */
export function namesOf(resource: Declared): string[] {
  const { kind, args } = resource;
  const names = [...new Set([...claimsOfArgs(resource).keys(), ...(resource.held ?? [])])];
  if (kind === "ZoneAccess") names.push(`access ${args.zone}`, `whole access ${args.zone}`);
  // The manager keeps an address on one of the lists.
  for (const name of [...names]) if (/^(ui|ports) /.test(name)) names.push(`address ${name.split(" ")[1]}`);
  if (kind === "WhitelistIp" && args.list === undefined) names.push("list ui");
  if (kind === "ManagerSettings" && args.wwwWhitelistIps !== undefined) names.push("list ui", "whole list ui");
  return names;
}
