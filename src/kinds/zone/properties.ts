import { type Facts, text } from "../../declaration/property";

/** Name of the zone that something belongs to. Existing zones may have names that a new one could not get. */
export const zoneName = <const F extends Facts>(facts: F) =>
  text({
    expected: "expected the name of a zone.",
    must: [
      {
        pattern: /^[^\s/,*]+$/,
        expected: "expected the name of one zone, without blanks, commas, slashes and asterisks.",
      },
    ],
    ...facts,
  });
