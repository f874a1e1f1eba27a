import { json, type SimulatedRequest } from "../service";
import { namedZone, objectBody, type RemoteContext } from "./call";
import { refuse } from "./refusal";
import type { ZoneRecord } from "./zone";

const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const METRICS = ["bw_sum", "bw_dn", "bw_up", "http_direct_req", "bw_sum_dc", "bw_api", "https_direct_req"];

/** A span of time whose end is not part of it. */
interface Span {
  from: Date;
  to: Date;
}

/** Reports what zones used and cost, and the account's balance. */
export function addUsageRoutes(context: RemoteContext): void {
  const { account, behaviour, route } = context;

  route("GET", "/customer/balance", () => {
    const { balance, pending_costs } = account.balance;
    return json(
      behaviour.balanceFigures === "observed" ? account.balance : { balance, pending_balance: pending_costs },
    );
  });

  const bandwidth = (zones: ZoneRecord[], request: SimulatedRequest) => {
    const now = account.clock();
    const asked = askedSpan(request, now);
    const span = asked ?? { from: startOfMonth(now, -1), to: startOfDay(now) };
    const byZone = <Value>(value: (zone: ZoneRecord) => Value) =>
      Object.fromEntries(zones.map((zone) => [zone.name, value(zone)]));
    return json({
      [account.customer]: {
        customer_id: account.customer,
        from: span.from.toISOString(),
        to: span.to.toISOString(),
        data: byZone((zone) => series(zone, span)),
        last_value_ts: now.toISOString(),
        last_update_ts: now.toISOString(),
        sums: byZone((zone) =>
          asked === undefined
            ? Object.fromEntries(recentSpans(now, ["back_m2"]).map(([key, back]) => [key, sums(zone, back)]))
            : { custom: sums(zone, asked) },
        ),
      },
    });
  };

  route("GET", "/zone/bw", (request) => bandwidth([namedZone(context, request.query.get("zone"))], request));
  route("GET", "/customer/bw", (request) => bandwidth(account.liveZones(), request));

  route("GET", "/zone/cost", (request) => {
    const zone = namedZone(context, request.query.get("zone"));
    const now = account.clock();
    const asked = askedSpan(request, now);
    const entry =
      asked === undefined
        ? Object.fromEntries(recentSpans(now).map(([key, span]) => [key, costAndBandwidth(zone, span)]))
        : { custom: costOfSpan(zone, asked) };
    return json({ [account.customer]: entry });
  });

  // By day, then by resource. Zones are all that costs anything here, deleted ones included; what costs nothing is left out.
  route("POST", "/costs/export/json", (request) => {
    const { dimension, from, to } = objectBody(request);
    if (typeof from !== "string" || typeof to !== "string") throw refuse(400, "from and to are required");
    const zones = dimension === "zones" ? [...account.zones.values()] : [];
    const days = wholeDays({ from: readDate(from), to: readDate(to) }).map((day) => {
      const costs = zones.map((zone) => [zone.name, dayValue(zone, day, "cost")] as const);
      return [day, Object.fromEntries(costs.filter(([, cost]) => cost > 0))] as const;
    });
    return json(Object.fromEntries(days));
  });
}

/** The span a request asks for, or undefined when it asks for none. */
function askedSpan(request: SimulatedRequest, now: Date): Span | undefined {
  const from = request.query.get("from");
  const to = request.query.get("to");
  if (from === null && to === null) return undefined;
  return {
    from: from === null ? startOfMonth(now, -1) : readDate(from),
    to: to === null ? new Date(startOfDay(now).getTime() + DAY_MS) : readDate(to),
  };
}

/** `YYYY-MM-DD`, with a time or without one, in UTC. */
function readDate(written: string): Date {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(written) ? written : `${written.replace(/Z$/, "")}Z`);
  if (!/^\d{4}-\d{2}-\d{2}/.test(written) || Number.isNaN(date.getTime())) throw refuse(400, "Invalid date");
  return date;
}

/** The service's own windows: months and days, counted back from the present one. */
function recentSpans(now: Date, without: string[] = []): [string, Span][] {
  const months = [2, 1, 0].map((back): [string, Span] => [
    `back_m${back}`,
    { from: startOfMonth(now, -back), to: startOfMonth(now, 1 - back) },
  ]);
  const days = [2, 1, 0].map((back): [string, Span] => {
    const from = new Date(startOfDay(now).getTime() - back * DAY_MS);
    return [`back_d${back}`, { from, to: new Date(from.getTime() + DAY_MS) }];
  });
  return [...months, ...days].filter(([key]) => !without.includes(key));
}

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
