import { secretsAmong } from "../../declaration/paths";
import type { ValueOf } from "../../declaration/property";
import type { ConfiguredPort, PortFields } from "../../manager/portFields";
import { type portDescription, portFields } from "../../model/portFields";

const CREDENTIALS: ReadonlySet<string> = new Set(secretsAmong(portFields));

export type PortDescription = ValueOf<typeof portDescription>;

export function withoutCredentials<Found extends Omit<ConfiguredPort, "proxyType">>(
  record: Found,
): Omit<Found, keyof PortFields> & PortDescription {
  const { pulumiId: _mark, ...fields } = record;
  const kept = Object.entries(fields).filter(([name]) => !CREDENTIALS.has(name));
  return Object.fromEntries(kept) as Omit<Found, keyof PortFields> & PortDescription;
}
