import { isObject, type JsonObject } from "../../base/json";
import { piecesIn } from "../../kinds/zone/pieces";
import { UNKNOWN } from "../../lifecycle/lifecycle";
import { pieceOf } from "../../model/products";
import { isSecret } from "../../pulumi/values";
import type { Prices } from "../../settings/values";
import type { PreviewStep, UpdatePlan } from "./plan";

interface Holding {
  /** Of which resource: `Zone web`. */
  readonly of: string;
  /** `undefined` where it is not known before the update. */
  readonly count: number | undefined;
  /** Name of the price; `undefined` where there is none by the piece. */
  readonly piece: string | undefined;
}

export interface Purchase extends Holding {
  /** US dollars a month; `undefined` where no price is configured, or the number is not known. */
  readonly monthly: number | undefined;
  /** Whether it is taken over, or counted, instead where it is there already. */
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

export function moneyOf({ steps }: UpdatePlan, prices: Prices): Money {
  const costOf = ({ count, piece }: Holding): number | undefined => {
    const price = piece === undefined ? undefined : prices[piece];
    return count === undefined || price === undefined ? undefined : count * price;
  };
  // A former one that is still to be deleted has the URN of the one that is there now.
  const own = [...new Map(steps.map((step) => [step.operation === "delete" ? step : step.urn, step])).values()];
  const now = holdings(own, "before");
  const after = holdings(own, "after");
  const sum = (all: ReadonlyMap<PreviewStep, Holding>) =>
    [...all.values()].reduce((sum, one) => sum + (costOf(one) ?? 0), 0);
  const bought = [...after].flatMap(([step, held]): Purchase[] => {
    if (step.operation === "same" || step.operation === "import") return [];
    // What replaces another has other IPs.
    const former = step.operation === "replace" ? undefined : now.get(step);
    const more = { ...held, count: held.count === undefined ? undefined : held.count - (former?.count ?? 0) };
    return more.count !== undefined && more.count <= 0
      ? []
      : [{ ...more, monthly: costOf(more), isAdopted: step.after?.adopt === true || step.isLacking === true }];
  });
  const unpriced = [...now.values(), ...after.values()].filter((each) => costOf(each) === undefined);
  return { now: sum(now), after: sum(after), unpriced: [...new Set(unpriced.map(({ of }) => of))], bought };
}

function holdings(steps: readonly PreviewStep[], when: "before" | "after"): Map<PreviewStep, Holding> {
  const all = steps.flatMap((step) => {
    const { [when]: inputs } = step;
    return inputs === undefined ? [] : [{ step, inputs: withoutSecrets(inputs) }];
  });
  const plans = new Map<string, JsonObject>();
  for (const { step, inputs } of all) {
    const key = step.kind === "Zone" ? zoneKey(inputs.account, inputs.name) : undefined;
    if (key !== undefined && isObject(inputs.plan)) plans.set(key, inputs.plan);
  }
  const held = all.flatMap(({ step, inputs }) => {
    const found = heldBy(step.kind, inputs, plans);
    return found === undefined ? [] : [[step, { of: `${step.kind} ${step.name}`, ...found }] as const];
  });
  return new Map(held);
}

/** Stands for a zone; for none where it is not known which. */
const zoneKey = (account: unknown, name: unknown): string | undefined =>
  typeof name === "string" && (account === undefined || typeof account === "string")
    ? JSON.stringify([account, name])
    : undefined;

/** A secret value is as good as one that is not known yet. */
const withoutSecrets = (inputs: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => {
      if (isSecret(value)) return [key, UNKNOWN];
      return [key, isObject(value) ? withoutSecrets(value) : value];
    }),
  );

function heldBy(kind: string, inputs: JsonObject, plans: ReadonlyMap<string, JsonObject>) {
  if (kind === "Zone") return heldByZone(inputs);
  // What is only looked up has no inputs. gIPs are not added but taken over: the zone's plan has them.
  if (kind !== "ZoneIps" || inputs.count === undefined || inputs.kind === "gips") return undefined;
  const plan = plans.get(zoneKey(inputs.account, inputs.zone) ?? "");
  const piece = plan === undefined ? undefined : pieceOf(plan);
  if (typeof inputs.count === "symbol") return { count: undefined, piece };
  return { count: beyondPlan(Number(inputs.count), inputs, plan), piece };
}

function heldByZone({ plan }: JsonObject) {
  if (typeof plan === "symbol") return { count: undefined, piece: undefined };
  if (!isObject(plan)) return undefined;
  const pieces = piecesIn(plan);
  return pieces && { count: pieces.count, piece: pieceOf(plan) };
}

/** Of some IPs, those that the zone does not have by its plan: one that takes over what is there begins with these. */
function beyondPlan(count: number, inputs: JsonObject, plan: JsonObject = {}): number | undefined {
  const isElsewhere = ["country", "countryCity"].some((name) => ![undefined, plan[name]].includes(inputs[name]));
  if (inputs.adopt !== true || isElsewhere) return count;
  const pieces = piecesIn(plan) ?? { count: 0 };
  return pieces.count === undefined ? undefined : Math.max(0, count - pieces.count);
}

/** What an account has cost since the first day of the month; `undefined` where it could not be read. */
export interface Spent {
  readonly account: string;
  readonly dollars: number | undefined;
}
export const inDollars = (amount: number): string => `$${amount.toFixed(2)}`;
