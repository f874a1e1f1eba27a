import type { ZoneRecord } from "../account/zone";
import { json, type SimulatedResponse, text } from "../service";
import { type Call, objectBody, queriedZone, type Routes } from "./call";
import { csvLine } from "./csv";
import { CONTENT_TYPES } from "./recordStream";
import { refuse } from "./refusal";

const DAY_MS = 86_400_000;
/** To the year 2096, or 1843. What the service says to thousands of years nobody knows: here, they would take minutes to add up. */
const FARTHEST_MS = 4e12;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const METRICS = ["bw_sum", "bw_dn", "bw_up", "http_direct_req", "bw_sum_dc", "bw_api", "https_direct_req"];

/** A span of time whose end is not part of it. */
interface Span {
  from: Date;
  to: Date;
}

/** What zones used and cost, and the account's balance. */
export const usageRoutes: Routes = {
  "GET /customer/balance": readBalance,
  "GET /customer/bw": (call) => bandwidth(call, call.account.liveZones()),
  "GET /zone/bw": (call) => bandwidth(call, [queriedZone(call)]),
  "GET /zone/cost": readCost,
  "POST /costs/export/json": (call) => json(Object.fromEntries(costsByDay(call))),
  "POST /costs/export/csv": exportTable,
};

function readBalance({ account, behaviour }: Call): SimulatedResponse {
  const { balance, pending_costs } = account.balance;
  return json(behaviour.balanceFigures === "observed" ? account.balance : { balance, pending_balance: pending_costs });
}

function bandwidth({ account, query }: Call, zones: ZoneRecord[]): SimulatedResponse {
  const now = account.clock();
  const asked = askedSpan(query, now);
  const span = asked ?? { from: startOfMonth(now, -1), to: startOfDay(now) };
  const summed = asked === undefined ? recentSpans(now, ["back_m2"]) : { custom: asked };
  const byZone = (value: (zone: ZoneRecord) => unknown) =>
    Object.fromEntries(zones.map((zone) => [zone.name, value(zone)]));
  return json({
    [account.customer]: {
      customer_id: account.customer,
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      data: byZone((zone) => series(zone, span)),
      last_value_ts: now.toISOString(),
      last_update_ts: now.toISOString(),
      sums: byZone((zone) => bySpan(summed, (each) => sums(zone, each))),
    },
  });
}

function readCost(call: Call): SimulatedResponse {
  const zone = queriedZone(call);
  const { account, query } = call;
  const now = account.clock();
  const asked = askedSpan(query, now);
  const costs =
    asked === undefined
      ? bySpan(recentSpans(now), (span) => costAndBandwidth(zone, span))
      : { custom: costOfSpan(zone, asked) };
  return json({ [account.customer]: costs });
}

/** What the costs of zones are put together by. */
const GROUPS: Readonly<Record<string, (zone: ZoneRecord) => string>> = {
  products: ({ plan }) => plan.product,
  types: ({ plan }) => plan.type,
  zones: ({ name }) => name,
};

/** Nothing but zones costs anything here. */
const DIMENSIONS = [
  ...Object.keys(GROUPS),
  ...["datasets", "web_apis", "collectors", "domains", "ws_api_snaps", "snapshots"],
];

/** The costs of each day by resource. Deleted zones count; what costs nothing is left out. */
function costsByDay(call: Call): [day: string, costs: Record<string, number>][] {
  const { dimension, from, to } = objectBody(call);
  if (typeof dimension !== "string" || !DIMENSIONS.includes(dimension))
    throw refuse(400, `dimension should be one of ${DIMENSIONS.join(", ")}`);
  if (typeof from !== "string" || typeof to !== "string") throw refuse(400, "from and to are required");
  const groupOf = GROUPS[dimension];
  const zones = groupOf === undefined ? [] : [...call.account.zones.values()];
  return wholeDays({ from: readDate(from), to: readDate(to) }).map((day) => {
    const costs: Record<string, number> = {};
    for (const zone of zones) {
      const group = groupOf?.(zone) ?? "";
      const cost = dayValue(zone, day, "cost");
      if (cost > 0) costs[group] = (costs[group] ?? 0) + cost;
    }
    return [day, costs];
  });
}

/** A line for each day, with a column for each resource. */
function exportTable(call: Call): SimulatedResponse {
  const days = costsByDay(call);
  const resources = [...new Set(days.flatMap(([, costs]) => Object.keys(costs)))];
  const lines = days.map(([day, costs]) => [day, ...resources.map((resource) => costs[resource] ?? 0)]);
  return text([["Day", ...resources], ...lines].map(csvLine).join(""), 200, CONTENT_TYPES.csv);
}

/** The span a request asks for, or undefined when it asks for none. */
function askedSpan(query: URLSearchParams, now: Date): Span | undefined {
  const from = query.get("from");
  const to = query.get("to");
  if (from === null && to === null) return undefined;
  return {
    from: from === null ? startOfMonth(now, -1) : readDate(from),
    to: to === null ? new Date(startOfDay(now).getTime() + DAY_MS) : readDate(to),
  };
}

/** `YYYY-MM-DD`, with a time or without one, in UTC. */
function readDate(written: string): Date {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(written) ? written : `${written.replace(/Z$/, "")}Z`);
  if (!/^\d{4}-\d{2}-\d{2}/.test(written) || !(Math.abs(date.getTime()) < FARTHEST_MS))
    throw refuse(400, "Invalid date");
  return date;
}

/** The service's own windows: months and days, counted back from the present one. */
function recentSpans(now: Date, without: string[] = []): Record<string, Span> {
  const months = [2, 1, 0].map((back): [string, Span] => [
    `back_m${back}`,
    { from: startOfMonth(now, -back), to: startOfMonth(now, 1 - back) },
  ]);
  const days = [2, 1, 0].map((back): [string, Span] => {
    const from = new Date(startOfDay(now).getTime() - back * DAY_MS);
    return [`back_d${back}`, { from, to: new Date(from.getTime() + DAY_MS) }];
  });
  return Object.fromEntries([...months, ...days].filter(([key]) => !without.includes(key)));
}

const bySpan = (spans: Record<string, Span>, value: (span: Span) => unknown) =>
  Object.fromEntries(Object.entries(spans).map(([key, span]) => [key, value(span)]));

const startOfDay = (time: Date): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));

const startOfMonth = (time: Date, months: number): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1));

/** The whole days of a span: a day that it does not hold entirely counts for nothing. */
function wholeDays({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = startOfDay(from).getTime(); day + DAY_MS <= to.getTime(); day += DAY_MS) {
    if (day >= from.getTime()) days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}

/** The seven metrics every zone has, and what else its usage names. */
function metricsOf(zone: ZoneRecord): string[] {
  const named = Object.values(zone.usage).flatMap((day) => Object.keys(day));
  return [...new Set([...METRICS, ...named])].filter((metric) => metric !== "cost");
}

const dayValue = (zone: ZoneRecord, day: string, metric: string): number => zone.usage[day]?.[metric] ?? 0;

const total = (zone: ZoneRecord, span: Span, metric: string): number =>
  wholeDays(span).reduce((sum, day) => sum + dayValue(zone, day, metric), 0);

const series = (zone: ZoneRecord, span: Span) =>
  Object.fromEntries(
    metricsOf(zone).map((metric) => [metric, wholeDays(span).map((day) => dayValue(zone, day, metric))]),
  );

const sums = (zone: ZoneRecord, span: Span) =>
  Object.fromEntries(metricsOf(zone).map((metric) => [metric, total(zone, span, metric)]));

const costAndBandwidth = (zone: ZoneRecord, span: Span) => ({
  bw: total(zone, span, "bw_sum"),
  cost: total(zone, span, "cost"),
});

/** A window the caller chose has more to say, by plan; a disabled zone has its cost only. */
function costOfSpan(zone: ZoneRecord, span: Span) {
  const { bw, cost } = costAndBandwidth(zone, span);
  if (zone.status === "disabled") return { cost };
  return {
    cost,
    bw,
    gbs: gigabytes(bw),
    range: { from: shownDate(span.from), to: shownDate(span.to) },
    ...(zone.allocatedGips.length > 0 ? { vips: zone.allocatedGips.length } : {}),
    ...(zone.allocatedIps.length > 0 ? { gbs_ipbw: gigabytes(bw), ips: zone.allocatedIps.length } : {}),
    ...(zone.plan.product === "serp" ? { reqs_serp: total(zone, span, "reqs_serp") } : {}),
  };
}

/** As the service shows it, with four decimals. */
const gigabytes = (bytes: number): number => Math.round(bytes / 1e5) / 1e4;

const shownDate = (date: Date): string =>
  `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()] ?? ""}-${date.getUTCFullYear()}`;
