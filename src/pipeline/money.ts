import { isObject, type JsonObject } from "../base/json";
import { piecesIn } from "../kinds/zone/pieces";
import { pieceOf } from "../model/products";
import type { Prices } from "../settings/values";
import type { Plan, Step } from "./plan";

/** IPs or gIPs that a resource has, or would have. */
interface Holding {
  /** Of which resource: `Zone web`. */
  readonly of: string;
  /** `undefined` where it is not known before the update. */
  readonly count: number | undefined;
  /** Name of the price; `undefined` where there is none by the piece. */
  readonly piece: string | undefined;
}

/** What an update would buy for a resource. */
export interface Purchase extends Holding {
  /** US dollars a month; `undefined` where no price is configured, or the number is not known. */
  readonly monthly: number | undefined;
  /** Whether it is taken over instead where it is there already. */
  readonly isAdopted: boolean;
}

/** What IPs and gIPs of a stack cost, by the configured prices, in US dollars a month. */
export interface Money {
  readonly now: number;
  readonly after: number;
  /** Resources with IPs that are in neither sum, because there is no price or no number. */
  readonly unpriced: readonly string[];
  readonly bought: readonly Purchase[];
}

export function moneyOf({ steps }: Plan, prices: Prices): Money {
  const costOf = ({ count, piece }: Holding): number | undefined => {
    const price = piece === undefined ? undefined : prices[piece];
    return count === undefined || price === undefined ? undefined : count * price;
  };
  const now = holdings(steps, "before");
  const after = holdings(steps, "after");
  const sum = (all: ReadonlyMap<string, Holding>) =>
    [...all.values()].reduce((sum, one) => sum + (costOf(one) ?? 0), 0);
  const bought = steps.flatMap((step): Purchase[] => {
    const held = after.get(titleOf(step));
    // What replaces another has other IPs.
    const former = step.operation === "replace" ? undefined : now.get(titleOf(step));
    if (held === undefined || step.operation === "same" || step.operation === "import") return [];
    const more = { ...held, count: held.count === undefined ? undefined : held.count - (former?.count ?? 0) };
    return more.count !== undefined && more.count <= 0
      ? []
      : [{ ...more, monthly: costOf(more), isAdopted: step.after?.adopt === true }];
  });
  const unpriced = [...new Map([...now, ...after])].filter(([, each]) => costOf(each) === undefined);
  return { now: sum(now), after: sum(after), unpriced: unpriced.map(([of]) => of), bought };
}

const titleOf = ({ kind, name }: Step): string => `${kind} ${name}`;

/** What the resources of a stack have, by their titles. */
function holdings(steps: readonly Step[], when: "before" | "after"): Map<string, Holding> {
  const plans = new Map(
    steps.flatMap(({ kind, [when]: inputs }) =>
      kind === "Zone" && inputs !== undefined && isObject(inputs.plan) ? [[inputs.name, inputs.plan] as const] : [],
    ),
  );
  return new Map(
    steps.flatMap((step) => {
      const { [when]: inputs } = step;
      const of = titleOf(step);
      const found = inputs === undefined ? undefined : heldBy(step.kind, inputs, plans);
      return found === undefined ? [] : [[of, { of, ...found }] as const];
    }),
  );
}

function heldBy(kind: string, inputs: JsonObject, plans: ReadonlyMap<unknown, JsonObject>) {
  if (kind === "Zone") {
    if (!isObject(inputs.plan)) return undefined;
    const pieces = piecesIn(inputs.plan);
    return pieces === undefined ? undefined : { count: pieces.count, piece: pieceOf(inputs.plan) };
  }
  // gIPs are not added but taken over: the zone's plan has them.
  if (kind !== "ZoneIps" || inputs.kind === "gips") return undefined;
  const plan = plans.get(inputs.zone);
  const count = typeof inputs.count === "symbol" ? undefined : Number(inputs.count);
  return { count, piece: plan === undefined ? undefined : pieceOf(plan) };
}

/** What an account has cost since the first day of the month; `undefined` where it could not be read. */
export interface Spent {
  readonly account: string;
  readonly dollars: number | undefined;
}

/** The days of a month until now, as the service counts them: whole ones, in UTC, the last one exclusive. */
export function monthUntil(now: Date): { from: string; to: string } {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return { from: day(first), to: day(new Date(now.getTime() + 86_400_000)) };
}

export const inDollars = (amount: number): string => `$${amount.toFixed(2)}`;
