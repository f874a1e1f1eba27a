import { type Facts, text } from "../../declaration/property";

export const ipOfBan = <const F extends Facts>(facts: F) =>
  text({
    expected: "expected an IPv4 address.",
    must: [
      {
        format: "bannable",
        expected:
          'expected an IPv4 address of four octets, such as "203.0.113.7", or the 33 characters by which the service hides one. The manager takes neither blocks nor IPv6.',
      },
    ],
    ...facts,
  });

export const hostOfBan = <const F extends Facts>(facts: F) =>
  text({
    expected: "expected a host name.",
    must: [
      {
        pattern: /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/,
        expected: 'expected a host name in lower case, such as "example.com", without scheme, port or path.',
      },
    ],
    ...facts,
  });
