import { z } from "zod";
import { canonicalAddress } from "../../declaration/address";

const PORT = "expected the number of a proxy port, from 1 to 65535.";

/** The number of a proxy port. */
export const portSchema = z.number(PORT).int(PORT).min(1, PORT).max(65_535, PORT);

/** An IP as bans have it: an IPv4 address, or the 33 characters by which the vendor hides one. `undefined` for anything else. */
export function bannableIp(text: string): string | undefined {
  if (/^\w[0-9a-f]{32}$/i.test(text)) return text;
  const address = canonicalAddress(text);
  return address?.includes("/") ? undefined : address;
}

/** An IP that can be banned. */
export const bannableSchema = z.string("expected an IPv4 address.").refine((text) => bannableIp(text) !== undefined, {
  message:
    'expected an IPv4 address of four octets, such as "203.0.113.7", or the 33 characters by which the service hides one. The manager takes neither blocks nor IPv6.',
});

/** The host of a request, as the manager compares it. */
export const domainSchema = z
  .string("expected a host name.")
  .regex(
    /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/,
    'expected a host name in lower case, such as "example.com", without scheme, port or path.',
  );
