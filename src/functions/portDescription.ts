import type * as pulumi from "@pulumi/pulumi";
import { isPortField, type PortRecord, portField } from "../manager/portFields";
import type { ProxyPortArgs } from "../resources/proxyPort";

type Secret = "password" | "userPassword" | "extProxies" | "extProxyPassword";

/** What {@link ProxyPortArgs} has beside the fields of a port. */
type NotOfThePort = "adopt" | "timeouts";

/**
 * A port's fields, as {@link ProxyPortArgs} has them, but for those that hold credentials: `password`, `userPassword`,
 * `extProxies` and `extProxyPassword`. A field that the port does not have is absent.
 */
export type PortDescription = Partial<Omit<pulumi.Unwrap<ProxyPortArgs>, Secret | NotOfThePort | "port">> & {
  /** Number of the port. */
  port: number;
  /** Number of the port that it really listens on; the manager says so of its own drop-in port. */
  listenPort?: number;
};

/** The record without the fields that hold credentials. */
export function withoutCredentials<Record extends PortRecord>(record: Record): Omit<Record, keyof PortRecord> & PortDescription {
  const fields = Object.entries(record).filter(([name]) => !(isPortField(name) && portField(name).secret === true));
  return Object.fromEntries(fields) as Omit<Record, keyof PortRecord> & PortDescription;
}
