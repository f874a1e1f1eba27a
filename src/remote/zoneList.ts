import { unless } from "../base/cause";
import { PermissionError } from "../base/errors";
import type { ZoneSummary } from "../model/zone";
import type { ZoneDetails } from "./zones";

/** Names of the zones in a list, where deleted ones stay. */
export const namesIn = (zones: readonly ZoneSummary[]): string[] =>
  zones.flatMap(({ name, status }) => (status === "deleted" ? [] : [name]));

/** The line of a zone in a list, where a deleted one of the same name may stand before it. A token may be allowed to read and make zones, but not to list them. */
export async function lineOf(name: string, list: Promise<readonly ZoneSummary[]>): Promise<ZoneSummary | undefined> {
  const lines = (await list.catch(unless(PermissionError)))?.filter((zone) => zone.name === name);
  return lines?.find(({ status }) => status !== "deleted") ?? lines?.[0];
}

/** A zone with its status, which its line in the list tells. */
export const withStatus = (zone: ZoneDetails, line: ZoneSummary | undefined): ZoneDetails & { status: string } => ({
  ...zone,
  status: line?.status ?? (zone.disabled ? "disabled" : "active"),
});
