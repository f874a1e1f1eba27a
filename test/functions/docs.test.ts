import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type * as functions from "../../src/functions";

type Names<T> = Record<keyof T, true>;

// The compiler sees to it that these are all the fields, and no others.
const FIELDS = {
  getZone: {
    arguments: { name: true } satisfies Names<functions.GetZoneArgs>,
    result: {
      name: true,
      created: true,
      ips: true,
      perm: true,
      description: true,
      plan: true,
      disabled: true,
      status: true,
    } satisfies Names<functions.GetZoneResult>,
  },
  getZonePasswords: {
    arguments: { zone: true } satisfies Names<functions.GetZonePasswordsArgs>,
    result: { zone: true, passwords: true, password: true } satisfies Names<functions.GetZonePasswordsResult>,
  },
  getZoneBandwidth: {
    arguments: { zone: true, from: true, to: true } satisfies Names<functions.GetZoneBandwidthArgs>,
    result: {
      zone: true,
      customerId: true,
      from: true,
      to: true,
      daily: true,
      sums: true,
      lastValueAt: true,
      lastUpdateAt: true,
    } satisfies Names<functions.GetZoneBandwidthResult>,
  },
  getZoneCost: {
    arguments: { zone: true, from: true, to: true } satisfies Names<functions.GetZoneCostArgs>,
    result: { zone: true, customerId: true, periods: true } satisfies Names<functions.GetZoneCostResult>,
  },
  getSnapshots: {
    arguments: {
      datasetId: true,
      status: true,
      skip: true,
      limit: true,
      fromDate: true,
      toDate: true,
      triggerType: true,
    } satisfies Names<functions.GetSnapshotsArgs>,
    result: { datasetId: true, snapshots: true } satisfies Names<functions.GetSnapshotsResult>,
  },
  getSnapshotProgress: {
    arguments: { snapshotId: true } satisfies Names<functions.GetSnapshotProgressArgs>,
    result: {
      snapshotId: true,
      datasetId: true,
      status: true,
      errorMessage: true,
    } satisfies Names<functions.GetSnapshotProgressResult>,
  },
  getSnapshot: {
    arguments: { snapshotId: true, maxRecords: true } satisfies Names<functions.GetSnapshotArgs>,
    result: {
      snapshotId: true,
      datasetId: true,
      status: true,
      errorMessage: true,
      created: true,
      size: true,
      triggerType: true,
      records: true,
    } satisfies Names<functions.GetSnapshotResult>,
  },
};

/** The names in the first column of the first table below a heading. */
function namesBelow(page: string, heading: string): string[] {
  const [, below = ""] = page.split(`\n## ${heading}\n`);
  const [table = ""] = below.trimStart().split("\n\n");
  const firstColumn = table.split("\n").map((row) => row.split("|")[1] ?? "");
  return firstColumn.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

test.each(Object.entries(FIELDS))(
  "the page of %s names every argument and every field of the result",
  (name, fields) => {
    const page = readFileSync(join(__dirname, `../../docs/functions/${name}.md`), "utf8");
    expect(page.startsWith(`# ${name}\n`)).toBe(true);
    expect(namesBelow(page, "Arguments")).toEqual(Object.keys(fields.arguments));
    expect(namesBelow(page, "Result")).toEqual(Object.keys(fields.result));
  },
);
