import type * as pulumi from "@pulumi/pulumi";
import type { ProxyPortArgs } from "../kinds/proxyPort/resource";
import type { PORT_FIELDS, PortField, PortRecord } from "../manager/portFields";

type Credential = {
  [Field in PortField]: (typeof PORT_FIELDS)[Field] extends { secret: true } ? Field : never;
}[PortField];

/** What {@link ProxyPortArgs} has beside the fields of a port. */
type NotOfThePort = "adopt" | "timeouts";

/** What a resource may be given in fewer forms than a port has it. */
type Kind = "port" | "proxyType";

/**
 * A port's fields, as {@link ProxyPortArgs} has them, but for those that hold credentials: `password`, `userPassword`,
 * `extProxies` and `extProxyPassword`. A field that the port does not have is absent.
 */
export type PortDescription = Partial<Omit<pulumi.Unwrap<ProxyPortArgs>, Credential | NotOfThePort | Kind>> & {
  /** Number of the port. */
  port: number;
  /** `persist`, or `duplicate` for a port that `multiply` made; the manager's own drop-in port has none. */
  proxyType?: string;
  /** Number that the port really listens on; the manager says so of its own drop-in port. */
  listenPort?: number;
};

// Written out: the specification of the fields comes with a library that most programs do not need.
const CREDENTIALS: Readonly<Record<Credential, true>> = {
  password: true,
  userPassword: true,
  extProxies: true,
  extProxyPassword: true,
};

/** The record without the fields that hold credentials. */
export function withoutCredentials<Found extends PortRecord>(
  record: Found,
): Omit<Found, keyof PortRecord> & PortDescription {
  const fields = Object.entries(record).filter(([name]) => name !== "pulumiId" && !Object.hasOwn(CREDENTIALS, name));
  return Object.fromEntries(fields) as Omit<Found, keyof PortRecord> & PortDescription;
}
