import { counted, grouped } from "../base/counted";
import { type RequestContext, ResponseFormatError } from "../base/errors";

/**
 * What is wrong with the records that came of a snapshot, in words; `undefined` for enough of them. An answer that has nothing in
 * it may be none at all.
 *
 * @param size how many there are, where the list of snapshots tells
 * @param most how many were asked for
 */
export function shortfall(
  records: number,
  size: number | undefined,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (size === undefined) return records === 0 ? "it has no records, and nothing tells how many there are" : undefined;
  if (records >= Math.min(size, most)) return undefined;
  return `it has ${counted(records, "record")}, and the list of snapshots tells of ${grouped(size)}`;
}

/** What the errors of a snapshot say of the request that they are not about alone. */
export const contextOf = (id: string): RequestContext => ({
  service: "remote",
  operation: `download snapshot ${JSON.stringify(id)}`,
  method: "GET",
  url: `/datasets/v3/snapshot/${encodeURIComponent(id)}`,
});

/** What came of a snapshot cannot be all of it, or is not of its format. */
export const malformed = (id: string, problem: string): ResponseFormatError =>
  new ResponseFormatError(contextOf(id), problem);
