import { type Facts, text } from "../declaration/property";

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

/** Country of new proxy IPs; for them the service understands lower case only. */
export const ipCountry = <const F extends Facts>(facts: F) =>
  text({
    expected: 'expected a two-letter country code, such as "us".',
    must: [{ pattern: /^[a-z]{2}$/, expected: 'expected a two-letter country code in lower case, such as "us".' }],
    example: "us",
    ...facts,
  });

/** City of new proxy IPs; its name begins with that of its country. */
export const ipCity = <const F extends Facts>(facts: F) =>
  text({
    must: [{ pattern: /^[a-z]{2}-\S+$/, expected: 'expected a city as the service writes it, such as "us-chicago".' }],
    example: "us-chicago",
    ...facts,
  });
