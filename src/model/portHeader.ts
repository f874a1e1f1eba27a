import { object, text } from "../declaration/property";

const REFUSED_HEADERS = /^(?!(?:content-length|transfer-encoding|trailer|proxy-authorization)$)/i;

/** A header that a port adds to requests. */
export const portHeader = object(
  {
    name: text({
      says: "Name of the header.",
      must: [
        { format: "headerName", expected: "expected the name of a header: letters, digits and hyphens." },
        {
          pattern: REFUSED_HEADERS,
          expected:
            "expected another header: this one is the manager's own to set, and requests fail or lose the zone's credentials with it.",
        },
      ],
      required: true,
      most: 300,
      example: "accept-language",
    }),
    value: text({
      says: "Value of the header.",
      must: [
        {
          format: "headerValue",
          expected: "expected one line of characters of Latin-1: with any other, every request to the port fails.",
        },
      ],
      required: true,
      blank: true,
      example: "de",
    }),
  },
  {
    named: "PortHeader",
    says: "A header that is added to requests.",
    open: true,
    expected: "expected { name, value }.",
  },
);
