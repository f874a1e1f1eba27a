import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json.ts";
import type { BoxEvent, Command, Exchange } from "./box.mts";
import { AFTERMATH, BROKEN_STATE } from "./boxRun.mts";
import { type Deployment, decrypted, type StateResource } from "./boxState.mts";
import { sorted } from "./sorted.mts";
import { Wrong } from "./verdicts.mts";

/**
 * Two engines that are given the same commands. What one answers counts, and the other is not to differ from it: neither in what is
 * called, in which order and with what, nor in what becomes of the state.
 */
export class Both implements Exchange {
  readonly #one: Exchange;
  readonly #other: Exchange;
  /** Numbers of the other's processes and calls, by those of the one. */
  readonly #numbers = new Map<number, number>();

  constructor(one: Exchange, other: Exchange) {
    this.#one = one;
    this.#other = other;
  }

  exchange(command: Command): BoxEvent[] {
    const events = this.#one.exchange(command);
    const others = this.#other.exchange(this.#translated(command));
    // What it refuses itself, it has made by mistake.
    if (events.some(({ errors = [] }) => errors.some((words) => BROKEN_STATE.test(words)))) return events;
    const isKilled = "kill" in command;
    const [played, imitated] = [events, others].map((all) => heard(all, isKilled)) as [BoxEvent[], BoxEvent[]];
    for (let place = 0; place < Math.max(played.length, imitated.length); place++) {
      const [one, other] = [this.#renumbered(played[place]), imitated[place]].map(
        (event) => event && plain(event, isKilled),
      );
      if (!isDeepStrictEqual(one, other)) throw new Wrong(differing(command, [played, imitated], [one, other]));
      this.#pair(played[place], imitated[place]);
    }
    return events;
  }

  close(): void {
    this.#one.close();
    this.#other.close();
  }

  #translated(command: Command): Command {
    if (!("answer" in command)) return command;
    const { call } = command.answer;
    return { answer: { ...command.answer, call: this.#numbers.get(call) ?? call } };
  }

  /** A call with the other's number of the process that it goes to. */
  #renumbered(event: BoxEvent | undefined): BoxEvent | undefined {
    if (event?.process === undefined || event.kind === "process") return event;
    return { ...event, process: this.#numbers.get(event.process) ?? event.process };
  }

  #pair(event?: BoxEvent, other?: BoxEvent): void {
    for (const key of ["call", "process"] as const) {
      const [one, two] = [event?.[key], other?.[key]];
      if (one !== undefined && two !== undefined && (key === "call" || event?.kind === "process")) {
        this.#numbers.set(one, two);
      }
    }
  }
}

/** What counts: nothing after the end, or of a run that is killed but its end, nor which processes are asked to end. */
function heard(events: readonly BoxEvent[], isKilled: boolean): BoxEvent[] {
  const end = events.findIndex(({ kind }) => kind === "end");
  const counted = events.slice(0, end === -1 ? undefined : end + 1);
  return counted.filter(({ kind }) => (isKilled ? kind === "end" : kind !== "cancelled"));
}

/** An event without what differs from run to run: numbers, and the ids of providers. */
function plain(event: BoxEvent, isKilled: boolean): BoxEvent {
  const { errors, state, config, call: _, process, id, ...rest } = event;
  // What follows from the end alone is not told by both.
  const told = errors?.filter((words) => !(isKilled && AFTERMATH.test(words))) ?? [];
  return {
    ...rest,
    ...(event.kind === "call" && { process }),
    ...(id !== undefined && !PROVIDER.test(event.urn ?? "") && { id }),
    ...(told.length > 0 && { errors: told }),
    ...(config !== undefined && { config: sorted(config) as Record<string, string> }),
    ...(state !== undefined && { state: plainState(state as Deployment) }),
  };
}

const PROVIDER = /^urn:pulumi:.*::pulumi:providers:[^:]*::[^:]*/;

/** What a state has of each resource. Secrets are in no envelope, and times are left out. */
function plainState({ resources = [], pending_operations: operations = [] }: Deployment): JsonObject {
  return sorted({
    resources: resources.map(plainResource),
    operations: operations.map(({ resource, type }) => ({ ...plainResource(resource), type })),
  }) as JsonObject;
}

function plainResource(resource: StateResource): JsonObject {
  const { urn, type, custom, id, parent, provider, inputs, outputs, dependencies, ...more } = resource;
  const { deletedWith, initErrors, delete: isDeleted, pendingReplacement, protect, retainOnDelete, taint } = more;
  const flags = { deletedWith, initErrors, isDeleted, pendingReplacement, protect, retainOnDelete, taint };
  return {
    ...{ urn, type, custom, ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) },
    ...(id !== undefined && !PROVIDER.test(urn) && { id }),
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider: PROVIDER.exec(provider)?.[0] ?? provider }),
    inputs: decrypted(inputs ?? {}),
    outputs: decrypted(outputs ?? {}),
    dependencies: dependencies ?? [],
  } as JsonObject;
}

const nameOf = (event: BoxEvent | undefined): string =>
  event === undefined ? "nothing" : [event.kind, event.method ?? event.op ?? ""].join(" ").trim();

const brief = (events: readonly BoxEvent[]): string =>
  events
    .map((event) => [nameOf(event), event.urn?.slice(event.urn.lastIndexOf(":", event.urn.length)) ?? ""].join(" "))
    .join("; ");

/** The first line names the sort of event, the others have all of it. */
function differing(
  command: Command,
  [played, imitated]: [BoxEvent[], BoxEvent[]],
  [one, other]: (BoxEvent | undefined)[],
): string {
  return [
    `The imitation differs: ${nameOf(other)} instead of ${nameOf(one)}`,
    `after ${JSON.stringify(command).slice(0, MOST_OF_A_COMMAND)}`,
    `engine:    ${brief(played)}`,
    `imitation: ${brief(imitated)}`,
    ...differences("", one, other),
  ].join("\n");
}

const MOST_OF_A_COMMAND = 400;

/** Where two values differ, by the way there. */
function differences(place: string, one: unknown, other: unknown): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  const isWhole = [one, other].some((each) => typeof each !== "object" || each === null);
  if (isWhole) return [`${place}: ${JSON.stringify(one)} | ${JSON.stringify(other)}`];
  const [all, others] = [one, other] as [JsonObject, JsonObject];
  const keys = new Set([...Object.keys(all), ...Object.keys(others)]);
  return [...keys].flatMap((key) => differences(`${place}.${key}`, all[key], others[key]));
}
