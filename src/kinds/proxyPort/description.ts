import { filterKeys } from "../../base/json";
import type { ValueOf } from "../../declaration/property";
import type { ConfiguredPort, PortFields } from "../../manager/portFields";
import { portDescription, portFields } from "../../model/portFields";

const holdsCredentials = (name: string): boolean => name in portFields && !(name in portDescription.properties);

export type PortDescription = ValueOf<typeof portDescription>;

export function withoutCredentials<Found extends Omit<ConfiguredPort, "proxyType">>(
  record: Found,
): Omit<Found, keyof PortFields> & PortDescription {
  const kept = filterKeys(record, (name) => name !== "pulumiId" && !holdsCredentials(name));
  const { rules } = record;
  return { ...kept, ...(rules && { rules: rules.map(withoutRequest) }) } as Omit<Found, keyof PortFields> &
    PortDescription;
}

/** The URL of a webhook is as good as a password. */
function withoutRequest<Rule extends { action: object }>({ action, ...rule }: Rule) {
  return { ...rule, action: filterKeys(action, (name) => name !== "requestUrl") };
}
