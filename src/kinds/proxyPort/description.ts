import { secretsAmong } from "../../declaration/paths";
import type { ValueOf } from "../../declaration/property";
import type { ConfiguredPort, PortFields } from "../../manager/portFields";
import { type portDescription, portFields } from "../../model/portFields";
import { filterKeys } from "../shared/keys";

const CREDENTIALS: ReadonlySet<string> = new Set(secretsAmong(portFields));

export type PortDescription = ValueOf<typeof portDescription>;

export function withoutCredentials<Found extends Omit<ConfiguredPort, "proxyType">>(
  record: Found,
): Omit<Found, keyof PortFields> & PortDescription {
  const kept = filterKeys(record, (name) => name !== "pulumiId" && !CREDENTIALS.has(name));
  return kept as Omit<Found, keyof PortFields> & PortDescription;
}
