import { type Facts, text } from "../declaration/property";
import type { Rule } from "../declaration/rules";

/** The block of all addresses. */
export const EVERYBODY = "0.0.0.0/0";

/** An address or a block that the manager lets in. */
export const allowedAddress = <const F extends Facts>(facts: F) =>
  text({
    expected: "expected an IPv4 address or CIDR block.",
    must: [
      {
        format: "address",
        expected:
          'expected an IPv4 address or CIDR block of four octets, such as "203.0.113.7" or "10.20.0.0/16". The manager takes neither IPv6 nor names.',
      },
      {
        not: "loopback",
        expected: "the manager's own machine is always allowed and never listed: there is nothing to declare.",
      },
    ],
    ...facts,
  });

/** Everybody is let in only where the program says that this is meant, with `allowAny`. */
export const everybodyOnPurpose = (name: string): Rule => ({
  reads: [name, "allowAny"],
  failure(inputs, plain) {
    const value = plain(name);
    const isList = Array.isArray(value);
    if (inputs.allowAny === true || !(isList ? value.includes(EVERYBODY) : value === EVERYBODY)) return undefined;
    return `\`${name}\` ${isList ? "has" : "is"} ${JSON.stringify(EVERYBODY)}, the whole internet: set \`allowAny: true\` if that is what you want.`;
  },
});
