import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json.ts";
import { claimsOf } from "./claims.mts";
import { retain } from "./edits.mts";
import type { Entry } from "./engine.mts";
import { faultOf } from "./faults.mts";
import type { Trouble } from "./history.mts";
import { environmentOf, type Playing } from "./playing.mts";
import type { Declaration } from "./program.mts";
import type { Stage } from "./stage.mts";
import { brief, Wrong } from "./verdicts.mts";
import { atomsOf, type Services } from "./world.mts";

const REMOTE = /^Zone(?!IpRefresh)/;

type What = "up" | "refresh" | "destroy";

/** Runs that reach services which the stack has nothing to do with. */
export class Astray {
  readonly #stage: Stage;
  /** Another account with a manager, which no stack has. */
  readonly #stranger: Services;

  constructor(stage: Stage, stranger: Services) {
    this.#stage = stage;
    this.#stranger = stranger;
  }

  /** Somebody gives a run the token of another account. */
  async byToken(playing: Playing, what: What, trouble?: Trouble): Promise<void> {
    const { engine } = playing;
    // What goes with a zone the engine forgets by itself, and asks nobody: it is not paid for.
    const isKept = ({ urn, recreated, retained, deletedWith }: Entry) =>
      !recreated && !retained && deletedWith === undefined && REMOTE.test(urn);
    const before = engine.state.filter(isKept);
    // Where nothing is declared, the configuration of the state is used.
    if (what === "up" && knownOf(playing).length === 0) return;
    // Whether it is another account cannot be told where nobody knew which it was.
    if (before.length === 0 || before.some(({ outputs }) => outputs.__at === undefined)) return;
    // A token that may not ask whose it is, is let through.
    if (hasProviders(playing) || trouble?.fault === "refused 403") return;
    const all = engine.state;
    const services = [this.#stage.booksOf(playing).simulator, this.#stranger];
    const look = () => JSON.stringify(services.map(({ account }) => account.liveZones()));
    const seen = look();
    const { token, remote } = this.#stranger;
    if (trouble !== undefined) remote.service.faults.add(faultOf(trouble));
    const outcome = await this.#run(playing, what, {
      "brightdata:apiToken": token,
      "brightdata:baseUrl": remote.url,
      "brightdata:accounts": JSON.stringify({ same: { apiToken: token, baseUrl: remote.url } }),
    });
    this.#stage.log(`stranger ${playing.name}: ${brief(outcome)}`);
    this.#stage.booksOf(playing).hear([...outcome.words, ...outcome.errors]);
    retain(this.#stage, { do: "refresh", stack: this.#stage.playing.indexOf(playing) }, all);
    remote.service.faults.clear();
    if (trouble !== undefined) await this.#stage.calmDown();
    if (look() !== seen) throw new Wrong("another account's token has changed something");
    const isLost = before.some(({ urn, id }) => !engine.state.some((entry) => entry.urn === urn && entry.id === id));
    if (isLost) throw new Wrong("another account's token has made a state forget something");
    if (what !== "up" && outcome.errors.length === 0) throw new Wrong("another account's token is not refused");
  }

  /** A run on another machine, whose manager has ports of such numbers, made by hand. The state from before comes back. */
  async byManager(playing: Playing, what: What): Promise<void> {
    const { engine } = playing;
    const { state } = engine;
    const { first } = this.#stage.booksOf(playing);
    const isMade = (name: string) => name.startsWith("port ") && !first.has(name);
    const ports = state.flatMap((entry) => [...claimsOf(entry).keys()].filter(isMade));
    // What was taken over, or imported, bears no mark: that it is another's nobody can see.
    if (ports.length === 0 || state.some(({ declared }) => declared.adopt === true) || hasProviders(playing)) return;
    const ask = this.#stage.ask(this.#stranger);
    const made = [...new Set(ports.map((name) => Number(name.slice(5))))];
    for (const port of made) {
      await this.#stage.until(ask("POST", "/api/proxies", { proxy: { port, zone: "shop" } }));
    }
    const look = () => made.map((port) => atomsOf(this.#stranger).get(`port ${port}`)).join();
    const seen = look();
    const { url } = this.#stranger.manager;
    const outcome = await this.#run(playing, what, {
      "brightdata:proxyManagerUrl": url,
      "brightdata:managers": JSON.stringify({ same: { url } }),
    });
    this.#stage.log(`elsewhere ${playing.name}: ${brief(outcome)}`);
    this.#stage.booksOf(playing).hear([...outcome.words, ...outcome.errors]);
    if (look() !== seen) throw new Wrong(`ports of another manager, made by hand, were ${seen} and are ${look()}`);
    engine.state = state;
    playing.isRestored = true;
    this.#stage.booksOf(playing).doubt(state);
  }

  #run(playing: Playing, what: What, config: Readonly<Record<string, string>>) {
    const { engine } = playing;
    // What the program does not declare has the configuration of the state: only the environment says something else.
    const env = environmentOf(config);
    playing.isAstray = true;
    return this.#stage.until(what === "up" ? engine.up(knownOf(playing), { config, env }) : engine[what]({ env }));
  }
}

/**
 * What is declared as it is in the state: what is made elsewhere for the first time is nothing to refuse. Nor is what replaces
 * something by force: the engine tells nothing of what the state has there.
 */
function knownOf(playing: Playing): Declaration[] {
  const state = playing.engine.state.filter(({ doomed, recreated, tainted }) => !doomed && !recreated && !tainted);
  const declarations = playing.declared(playing.program);
  return declarations.filter(({ urn, properties }) =>
    state.some((entry) => entry.urn === urn && isDeepStrictEqual(unannounced(entry.declared), unannounced(properties))),
  );
}

/** Without what a class tells of one run. */
const unannounced = ({ __program: said, ...inputs }: JsonObject): JsonObject => ({
  ...inputs,
  __program: { ...(said as JsonObject | undefined), run: undefined },
});

/** An explicit provider has its own settings, which nothing else changes. */
const hasProviders = ({ engine, program }: Playing): boolean =>
  [...engine.state, ...program].some(({ provider }) => provider !== undefined);
