import type { Books } from "./books.mts";
import { claimsOf, claimsOfArgs, contestedIn, type Declared, mayMake, namesOf, withHeld } from "./claims.mts";
import { retain } from "./edits.mts";
import type { Entry } from "./engine.mts";
import type { StackEngine } from "./engines.mts";
import type { Up } from "./history.mts";
import { JOBS } from "./jobs.mts";
import { canAdopt, KINDS } from "./kinds.mts";
import { plain, standing } from "./meant.mts";
import { LEFT_TO_THE_NEXT } from "./page.mts";
import type { Playing } from "./playing.mts";
import { isOrWas, type Resource, urnOf } from "./program.mts";
import type { Stage } from "./stage.mts";
import { brief, Told, Wrong } from "./verdicts.mts";

const REFUSED_AS_ANOTHER = /differs in what cannot be changed in place: `plan|Take it off the|Leave this resource out/;

const MOVED = /^(\w+) (\S+) has moved from (?:the default provider|the provider "(\w+)") to /;

const EXCHANGED =
  / of zone (\S+) (?:is|are) gone, which this resource did not have, and .*Set `adopt` to take over what has come/;

const ONLY_PASSWORD = /^This is the only password of zone "([\w-]+)"/;

const ADDED = "Added-Password-1";

const TEXT_MISSING = /text of the provider is missing/;

/** How often an update may leave something to the one that follows. */
const MOST_REMAINDERS = 3;

/** What a person does at the end of a history: it leads to what is declared, and then to nothing. */
export class Ending {
  readonly #stage: Stage;
  #wasContested = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async play(): Promise<void> {
    const { playing: all, books: every } = this.#stage;
    // What was begun in a future that no clock shows any more is waited for until then.
    this.#stage.setClock();
    for (const playing of all) {
      playing.program = playing.program.map(plain);
      playing.engine.edit?.({ what: "unprotect" });
      this.#giveUp(playing);
      playing.program = standing(this.#sound(playing));
      // Of what was begun and is not in the program any more, or not there, nobody is asked.
      const places = new Set(playing.program.map(placeOf));
      this.#excuse(playing, ({ resource }) => !places.has(placeOf(resource)));
    }
    // What a resource has written over another's is seen by a refresh only.
    for (const playing of all) if (this.#stage.booksOf(playing).isContested) await this.#refresh(playing);
    this.#wasContested = every.some((books) => books.isContested);
    for (const books of every) books.settle();
    for (const [index, playing] of all.entries()) {
      // What an earlier one has given up of what both declared went with it.
      if (this.#wasContested && index > 0) await this.#refresh(playing);
      await this.#converge(index, playing);
    }
    for (const books of every) this.#isAccountedFor(books, "when all is as declared");
    for (const [index, { engine }] of all.entries()) await this.#destroy(index, engine);
    for (const books of every) this.#isAccountedFor(books, "when all is destroyed");
  }

  async #destroy(index: number, engine: StackEngine): Promise<void> {
    const page = this.#stage.open({ do: "destroy", stack: index });
    let outcome = await this.#stage.until(engine.destroy());
    this.#log(`destroy ${index}: ${brief(outcome)}`);
    // What stands on a zone and does not say so goes at the same time: then a person does it again.
    if (outcome.errors.some((words) => words.includes("Zone not found"))) {
      outcome = await this.#stage.until(engine.destroy());
    }
    if (this.#addPasswords(page.books, outcome.errors)) outcome = await this.#stage.until(engine.destroy());
    if (outcome.errors.length > 0) throw new Wrong(`destroy fails: ${outcome.errors[0]}`);
    page.close(outcome, engine.state);
  }

  /** The words ask for another one where a zone would be left without any. */
  #addPasswords(books: Books, errors: readonly string[]): boolean {
    const zones = new Set(errors.flatMap((words) => ONLY_PASSWORD.exec(words)?.[1] ?? []));
    for (const zone of zones) books.simulator.account.zone(zone)?.password.push(ADDED);
    books.excuses.add([...zones].map((zone) => `password ${zone}/${ADDED}`));
    return zones.size > 0;
  }

  async #refresh(playing: Playing): Promise<void> {
    const { engine, own: env } = playing;
    // The state may have the configuration of a stranger.
    let outcome = await this.#stage.until(engine.refresh({ env }));
    if (outcome.errors.some((words) => TEXT_MISSING.test(words))) {
      const up = async () => {
        const { words, errors } = await this.#stage.until(
          engine.up(playing.declared(standing(playing.program)), { env }),
        );
        this.#stage.booksOf(playing).hear([...words, ...errors]);
        return errors;
      };
      // What the plugin has recorded, the process of dynamic resources cannot read before an update has come to it.
      const errors = playing.form === "native" ? [] : await up();
      if (errors.some((words) => MOVED.test(words))) {
        this.#moveBack(playing, errors);
        await up();
      }
      const program = playing.declared(standing(playing.program));
      outcome = await this.#stage.until(engine.refresh(playing.form === "native" ? { env, program } : { env }));
    }
    this.#log(`refresh: ${brief(outcome)}`);
    if (outcome.errors.some((words) => MOVED.test(words))) {
      this.#moveBack(playing, outcome.errors);
      outcome = await this.#stage.until(engine.refresh({ env, program: playing.declared(playing.program) }));
      this.#log(`refresh with the program: ${brief(outcome)}`);
    }
    this.#stage.booksOf(playing).hear([...outcome.words, ...outcome.errors]);
    // What somebody has made anew may be unlike what the program declares.
    if (outcome.words.some((words) => words.includes("is not the one that this resource had")))
      playing.isRestored = true;
  }

  #log(words: string): void {
    this.#stage.log(words);
  }

  /** What is another's by now, under the same name, is taken out of the state, as `pulumi state delete` does. */
  #giveUp(playing: Playing): void {
    const books = this.#stage.booksOf(playing);
    const isStrange = (entry: Entry) => [...claimsOf(entry).keys()].some((name) => books.isStrange(name));
    const lost = playing.engine.state.filter(isStrange);
    if (lost.length === 0) return;
    for (const entry of lost) books.excuses.add(claimsOf(entry).keys());
    playing.engine.state = playing.engine.state.filter((entry) => !lost.includes(entry));
    const urns = lost.map(({ urn }) => urn);
    // And of what a change that was cut short has made in its place, nobody is asked.
    for (const { urn, come } of playing.changed) if (urns.includes(urn)) books.excuses.add(come);
    playing.program = playing.program.filter(({ kind, name }) => !urns.includes(urnOf(kind, name)));
    playing.isRestored = true;
  }

  async #converge(index: number, playing: Playing): Promise<void> {
    const { engine } = playing;
    const up = async (program = playing.program, more = MOST_REMAINDERS): Promise<readonly string[]> => {
      const step: Up = { do: "up", stack: index, program: standing(program) };
      const page = this.#stage.open(step, playing.program);
      const before = engine.state;
      const outcome = await this.#stage.until(
        engine.up(playing.declared(step.program), playing.isAstray ? { env: playing.own } : {}),
      );
      this.#log(`end ${index}: ${brief(outcome)}`);
      retain(this.#stage, step, before);
      page.close(outcome, engine.state);
      const isLeft = outcome.errors.length === 0 && outcome.words.some((words) => LEFT_TO_THE_NEXT.test(words));
      return isLeft && more > 0 ? up(program, more - 1) : outcome.errors;
    };
    // What others declared as well goes before what is left in its place comes, unless that takes it over.
    const isKept = ({ kind, name }: Resource) =>
      engine.state.some(({ urn, recreated }) => !recreated && urn === urnOf(kind, name));
    const isFirst = (each: Resource) => isKept(each) || each.args.adopt === true;
    if (this.#wasContested && !playing.program.every(isKept)) await up(playing.program.filter(isFirst));
    let errors = await up();
    // An error may hide those behind it, and each of them takes two.
    for (let tries = 0, most = 2 * playing.program.length + 2; errors.length > 0 && tries < most; tries++) {
      await this.#heed(playing, errors);
      // And leaves out what cannot be there before something else goes, or at all beside what an earlier program has left.
      if (tries > 0) await up(playing.program.filter(isKept));
      if (tries > 1 && this.#wasContested) {
        const isRefused = ({ args }: Resource) =>
          errors.some((words) => words.includes("Leave this resource out") && words.startsWith(`${args.ip} `));
        playing.program = playing.program.filter((resource) => !isRefused(resource));
      }
      errors = await up();
    }
    const isDeclared = (urn: string) => playing.program.some(({ kind, name }) => urn === urnOf(kind, name));
    if (movedIn(playing, errors).some(({ urn }) => !isDeclared(urn)))
      throw new Told("what another provider has had goes back into the program to be deleted");
    refuse(errors, playing.begun.length > 0 || playing.isRestored);
    const preview = await this.#stage.until(engine.preview(playing.declared(standing(playing.program))));
    if (preview.steps.length + preview.errors.length > 0) {
      throw new Wrong(`a preview is not empty after up: ${[...preview.steps, ...preview.errors].join("; ")}`);
    }
  }

  /** A person does what the words say. */
  async #heed(playing: Playing, errors: readonly string[]): Promise<void> {
    const isSaid = (words: RegExp) => errors.some((error) => words.test(error));
    if (isSaid(/has moved from /)) this.#moveBack(playing, errors);
    if (isSaid(/`adopt: true`/)) adopt(playing);
    this.#adoptIps(playing, errors);
    this.#addPasswords(this.#stage.booksOf(playing), errors);
    // What the plugin has recorded, the process of dynamic resources cannot delete before an update has come to it.
    if (isSaid(TEXT_MISSING)) playing.form = "native";
    if (isSaid(/Run `pulumi refresh`, and the next/)) await this.#refresh(playing);
    if (isSaid(/Run again later/)) this.#stage.listAll();
    // The number of a port without one may not have been in the state when the program was made sound.
    if (isSaid(/is another resource's of this program/)) playing.program = standing(this.#sound(playing));
    if (isSaid(/limit\. Wait/)) await this.#stage.step({ do: "wait", hours: 1 });
    if (isSaid(/is not (sent|delivered) again by itself|Change a trigger to ask again|nothing was replaced/))
      removeOpen(playing);
    const open = /^Could not .* proxy port (\d+): .* (?:There is no such port|invalid port number)/;
    const ports = errors.flatMap((words) => Number(open.exec(words)?.[1] ?? []));
    playing.program = playing.program.filter(({ kind, args }) => !(kind in JOBS && ports.includes(Number(args.port))));
    this.#heedZones(playing, errors);
    const listed = errors.flatMap((words) => /^(\S+) stands on the `ports` list, and/.exec(words)?.[1] ?? []);
    const isOnPorts = ({ kind, args }: Resource) => kind === "WhitelistIp" && listed.includes(String(args.ip));
    const isThere = (resource: Resource) =>
      playing.engine.state.some(
        (entry) => !entry.doomed && isOrWas(entry, resource) && entry.outputs.ip === resource.args.ip,
      );
    playing.program = playing.program.filter((resource) => !isOnPorts(resource) || isThere(resource));
    const others = errors.flatMap(
      (words) =>
        /^Zone "([\w-]+)" exists already(?:, but|: an update that was cut short .* It) differs/.exec(words)?.[1] ?? [],
    );
    const isOwn = ({ kind, name }: Resource, zone: string) =>
      playing.engine.state.some(
        // What is left to be deleted goes only with an update that succeeds: it is in the way of its own successor.
        (entry) => !entry.doomed && entry.urn === urnOf(kind, name) && claimsOf(entry).has(zone),
      );
    const isOthers = (resource: Resource) =>
      resource.kind === "Zone" &&
      others.map((name) => `zone ${name}`).some((zone) => mayMake(resource, zone) && !isOwn(resource, zone));
    playing.program = playing.program.filter((resource) => !isOthers(resource));
    // What stands on it was not come to, and leaves the program with it.
    const left = standing(playing.program);
    const lost = new Set(playing.program.filter((resource) => !left.includes(resource)).map(placeOf));
    this.#excuse(playing, ({ resource }) => lost.has(placeOf(resource)));
  }

  /** IPs that came as a replacement, or by an addition, are taken over as the words say, where no other stack may have them. */
  #adoptIps(playing: Playing, errors: readonly string[]): void {
    const zones = errors.flatMap((words) => EXCHANGED.exec(words)?.[1] ?? []);
    if (zones.length > 0 && this.#stage.besides(playing).length > 0) throw new Told("whose IPs have come is not known");
    playing.program = playing.program.map((each) =>
      each.kind === "ZoneIps" && zones.includes(String(each.args.zone)) && !hasIps(playing, each)
        ? { ...each, args: { ...each.args, adopt: true } }
        : each,
    );
  }

  /** What stands on a zone that is not there comes after it, or leaves the program where that has no such zone. */
  #heedZones(playing: Playing, errors: readonly string[]): void {
    const { account } = this.#stage.booksOf(playing).simulator;
    const missing = errors
      .flatMap((words) => /^Could not .* zone "([\w-]+)": .* Zone not found/.exec(words)?.[1] ?? [])
      .filter((zone) => account.zone(zone) === undefined);
    const isMissing = ({ kind, args }: Resource) => kind === "Zone" && missing.includes(String(args.name));
    const zones = playing.program.filter(isMissing);
    const isUnfounded = ({ args }: Resource) =>
      missing.includes(String(args.zone)) && !zones.some(({ args: { name } }) => name === args.zone);
    const rest = playing.program.filter((resource) => !isMissing(resource) && !isUnfounded(resource));
    playing.program = [...zones, ...rest];
  }

  /** Excuses what was begun and nobody is asked of. */
  #excuse(playing: Playing, isMeant: (begun: Playing["begun"][number]) => boolean): void {
    for (const { come } of playing.begun.filter(isMeant)) this.#stage.booksOf(playing).excuses.add(come);
  }

  /** What shows by nothing that it is the same goes back to the provider that had it. */
  #moveBack(playing: Playing, errors: readonly string[]): void {
    const moved = movedIn(playing, errors);
    playing.program = playing.program.map((resource) => {
      const back = moved.find(({ urn }) => urn === urnOf(resource.kind, resource.name));
      if (back === undefined) return resource;
      const { provider: _, ...rest } = resource;
      return back.home === undefined ? rest : { ...rest, provider: back.home };
    });
  }

  /** The last program without what others declare as well, or what somebody else has. */
  #sound(playing: Playing): Resource[] {
    const { before } = this.#stage.booksOf(playing);
    const sound: Declared[] = [];
    for (const resource of withHeld(playing.program, playing.engine.state)) {
      const contested = contestedIn([...this.#stage.besides(playing).map(({ held }) => held), [...sound, resource]]);
      const { kind, args } = resource;
      const entries = playing.engine.state.filter((entry) => isOrWas(entry, resource));
      // An IP is replaced once: it is gone then.
      if (kind === "PortIpRefresh" && entries.length === 0) continue;
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
    const [orphan] = books.orphans(this.#stage.statesOf(books));
    if (orphan !== undefined) throw new Wrong(`${orphan} is in no state ${when}, and nobody was told`);
  }
}

const placeOf = ({ kind, name, options }: Resource): string => [urnOf(kind, name), options?.parent].join(" ");

/** What errors say of resources that another provider has had, and the name of that. */
function movedIn({ engine }: Playing, errors: readonly string[]): { urn: string; home: string | undefined }[] {
  return errors.flatMap((words) => {
    const [, kind, id, home] = MOVED.exec(words) ?? [];
    // The words leave out the connection that an id begins with, and all that change settings have one id.
    const isIts = (each: Entry) => each.id === id || each.id.endsWith(`/${id}`);
    const isFrom = ({ urn, outputs }: Entry) => urn.startsWith(`${kind} `) && outputs.__with === home;
    return engine.state.filter((each) => isIts(each) && isFrom(each)).map(({ urn }) => ({ urn, home }));
  });
}

function removeOpen(playing: Playing): void {
  playing.program = playing.program.filter(
    ({ kind }) => !["refreshes", "deliveries"].includes(KINDS[kind]?.buys ?? ""),
  );
}

const isIn = ({ engine }: Playing, { kind, name, options }: Resource): boolean =>
  engine.state.some(
    ({ urn, recreated, parent }) => !recreated && urn === urnOf(kind, name) && parent === options?.parent,
  );

/** What is replaced by one of another zone is in the state, and not of this zone; and what was made in part may have none yet. */
const hasIps = (playing: Playing, resource: Resource): boolean =>
  isIn(playing, resource) &&
  playing.engine.state.some(
    ({ urn, outputs: { zone, ips } }) =>
      urn === urnOf(resource.kind, resource.name) && zone === resource.args.zone && [ips ?? []].flat().length > 0,
  );

function adopt(playing: Playing): void {
  playing.program = playing.program.map((each) =>
    canAdopt(each.kind, each.args) ? { ...each, args: { ...each.args, adopt: true } } : each,
  );
}

/** @param isForgotten whether there is something that no state has any more */
function refuse(errors: readonly string[], isForgotten: boolean): void {
  if (errors.some((words) => words.includes("cannot be told"))) throw new Told("which are whose cannot be told");
  // What no state has any more is refused by words that say what to do, where the program is another by now.
  if (isForgotten && errors.some((words) => REFUSED_AS_ANOTHER.test(words)))
    throw new Told("what no state has any more is refused");
  // The documents say how to get back to the plugin, which can delete it.
  if (errors.some((words) => TEXT_MISSING.test(words)))
    throw new Told("what the plugin has recorded cannot be deleted by dynamic resources");
  if (errors.length > 0) throw new Wrong(`up fails to the end: ${errors[0]}`);
}
