import { unless } from "../../base/cause";
import { counted, grouped } from "../../base/counted";
import { BrightDataError, InvalidRequestError, NotFoundError, PermissionError } from "../../base/errors";
import type { Step } from "../../lifecycle/lifecycle";
import { removeOnce } from "../../lifecycle/settle";
import { sightingOf, type Witnessed } from "../../lifecycle/witnesses";
import { ipThing } from "../shared/things";
import { unlessGone } from "../zone/gone";

/** A proxy IP of a zone, or one of its gIPs. */
export interface ZoneIp {
  /** The address, or the gIP's name. */
  name: string;
  /** Where geolocation databases see it, as two-letter codes in lower case; none where the service does not tell. */
  countries: readonly string[];
}

export type IpKind = "ips" | "gips";

export const isIpKind = (kind: unknown): kind is IpKind => kind === "ips" || kind === "gips";

export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

export const namesIn = (present: readonly ZoneIp[]): string[] => present.map(({ name }) => name);

/**
 * What is new is told from what was there before: nothing else may add or refresh IPs of the zone meanwhile. By way of a manager, it
 * may be a zone of any account.
 */
export function alone<T>(zone: string, { context, deadline }: Step, task: () => Promise<T>): Promise<T> {
  const [{ scope: own }] = context.accounts;
  const scopes = context.scope === own ? [] : context.accounts.map(({ scope }) => scope);
  return context.alone(`IPs of zone ${zone}`, task, deadline, scopes);
}

/** What has become of IPs that a state has, and all that the zone has. */
export interface Sight extends Witnessed {
  present: readonly ZoneIp[];
}

/** The proxy IPs of a zone (`ips`), or the groups of residential ones under one name that the service calls gIPs. */
export class IpList {
  readonly noun: string;

  constructor(
    readonly zone: string,
    readonly kind: IpKind,
    readonly step: Step,
  ) {
    this.noun = kind === "ips" ? "IP" : "gIP";
  }

  async present(signal = this.step.deadline.signal): Promise<ZoneIp[]> {
    const present = await this.#listed(signal);
    if (this.kind === "gips" && present.length === 0) await this.requireWhole(present.length, signal);
    return present;
  }

  async names(signal?: AbortSignal): Promise<string[]> {
    return namesIn(await this.present(signal));
  }

  /** @param awaited what an answer gave a short while ago: the lists may be late, and the zone's plan with them */
  async sight(names: readonly string[], awaited: readonly string[] = []): Promise<Sight> {
    const { signal } = this.step.deadline;
    const present = new Map<string, ZoneIp>();
    const list = async () => {
      const listed = await this.#listed(signal);
      for (const ip of listed) if (!present.has(ip.name)) present.set(ip.name, ip);
      return namesIn(listed);
    };
    const agrees = (listed: readonly string[]) => this.#planAgrees(listed.length, signal);
    const { there, gone, doubtful } = await sightingOf(names, { list, agrees });
    const late = gone.filter((name) => awaited.includes(name));
    return { there, gone: without(gone, late), doubtful: [...doubtful, ...late], present: [...present.values()] };
  }

  /** @throws {BrightDataError} where the zone's plan has more than are listed */
  async requireWhole(listed: number, signal = this.step.deadline.signal): Promise<void> {
    const number = await this.#numberInPlan(signal);
    if (number === undefined || number <= listed) return;
    const listing = listed === 0 ? `no ${this.noun}s` : counted(listed, this.noun);
    throw new BrightDataError(
      `The service lists ${listing} for zone ${JSON.stringify(this.zone)}, but the zone's plan has ${grouped(number)}. Nothing was changed. Run again later.`,
    );
  }

  isAnothers(ip: string): boolean {
    return this.step.context.claims.isAnothers(ipThing(this.zone, ip), this.step.me);
  }

  /**
   * Gives back these and no others, and waits until the zone certainly has them no more. Those that are gone already are no
   * error.
   */
  async giveBack(unwanted: readonly string[], awaited: readonly string[] = []): Promise<void> {
    if (unwanted.length === 0) return;
    const { there, doubtful } = await this.sight(unwanted, awaited);
    const left = [...there, ...doubtful];
    if (left.length === 0) return;
    const answered = new Set<string>();
    const send = async (names: readonly string[]) => {
      await this.#remove(names);
      for (const name of names) answered.add(name);
    };
    const sendAll = async () => {
      try {
        await send(left);
      } catch (error) {
        const isUnknown = error instanceof InvalidRequestError || error instanceof NotFoundError;
        if (doubtful.length === 0 || !isUnknown) throw error;
        // The service knows none of that name, or says so for another reason: what is listed is given back by itself.
        if (there.length > 0) await send(there);
      }
    };
    // That it was given back, the service has answered; of all else, the zone's plan has to say the same as its list.
    const areGone = async (signal: AbortSignal) => {
      const listed = namesIn(await this.#listed(signal));
      if (left.some((name) => listed.includes(name))) return false;
      return left.every((name) => answered.has(name)) || this.#planAgrees(listed.length, signal);
    };
    // The zone may be deleted meanwhile.
    const isGone = async (signal: AbortSignal) =>
      (await unlessGone(this.zone, this.step, () => areGone(signal))) ?? true;
    const waiting = `waiting for ${counted(left.length, this.noun)} to leave zone ${JSON.stringify(this.zone)}`;
    await removeOnce(waiting, sendAll, isGone, this.step);
  }

  async #listed(signal: AbortSignal): Promise<ZoneIp[]> {
    const { ips } = this.step.context.remote;
    if (this.kind === "ips") {
      const listed = await ips.list(this.zone, { signal });
      return listed.map(({ ip, countries }) => ({
        name: ip,
        countries: Object.values(countries).map((code) => code.toLowerCase()),
      }));
    }
    const names = await ips.listGips(this.zone, { signal });
    return names.map((name) => ({ name, countries: [] }));
  }

  async #remove(names: readonly string[]): Promise<void> {
    const { ips } = this.step.context.remote;
    const { deadline } = this.step;
    await (this.kind === "ips" ? ips.remove(this.zone, names, deadline) : ips.removeGips(this.zone, names, deadline));
  }

  async #planAgrees(listed: number, signal: AbortSignal): Promise<boolean> {
    const number = await this.#numberInPlan(signal);
    return number !== undefined && number <= listed;
  }

  /** How many the zone has by its plan; `undefined` where that does not tell, or the token may not ask. */
  async #numberInPlan(signal: AbortSignal): Promise<number | undefined> {
    const zone = await this.step.context.remote.zones.get(this.zone, { signal }).catch(unless(PermissionError));
    if (zone?.plan.type === undefined) return undefined;
    return Number((this.kind === "ips" ? zone.plan.ips : zone.plan.vips) ?? 0);
  }

  /** Tells of IPs that are not listed and may be there: the state keeps them, and none is bought in their place. */
  sayDoubtful(doubtful: readonly string[]): void {
    if (doubtful.length === 0) return;
    this.step.say?.(
      `Zone ${this.zone} does not list ${doubtful.join(", ")}, and its plan says that it has more ${this.noun}s than are listed. They may be there, so the state keeps them.`,
    );
  }
}
