import { type Facts, text } from "../../declaration/property";

/** Id of the snapshot of a collection. Those of the marketplace, `snap_…`, are known to other endpoints only. */
export const snapshotId = <const F extends Facts>(facts: F) =>
  text({
    must: [{ pattern: /^(?!snap_)./, expected: "expected the snapshot of a collection, whose id begins with `s_`." }],
    example: "s_m4x7enmven8djfqak",
    ...facts,
  });
