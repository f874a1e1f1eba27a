import type { Report, ZoneReport } from "./model";
import { decimal } from "./money";

const COLUMNS = [
  ...["account", "zone", "type", "status", "from", "to"],
  ...["cost_usd", "cost_of_complete_days_usd", "cost_before_usd", "forecast_usd"],
  ...["bytes", "bytes_before", "requests", "ips", "unused_ips"],
];

/** A report as CSV (RFC 4180), a line for each zone. What could not be read is empty. */
export function csvOf({ accounts, period }: Report): string {
  const rows = accounts.flatMap(({ name, zones }) => zones.map((zone) => rowOf(name, zone)));
  return [COLUMNS, ...rows].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");

  function rowOf(account: string | undefined, zone: ZoneReport): (string | number | undefined)[] {
    const { name, type, status, cost, forecast, bytes, requests, ips, unusedIps } = zone;
    const isCompared = period.before !== undefined;
    return [
      ...[account ?? "default", name, type, status, period.from, period.to],
      ...[cost && decimal(cost.total), cost && decimal(cost.complete)],
      ...[
        cost && isCompared ? decimal(cost.before) : undefined,
        forecast === undefined ? undefined : decimal(forecast),
      ],
      ...[bytes?.total, bytes && isCompared ? bytes.before : undefined, requests, ips, unusedIps],
    ];
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A text that a spreadsheet would take for a formula is marked as text; a credit is a number. */
function cell(value: string | number | undefined): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const plain = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n\u2028\u2029]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
