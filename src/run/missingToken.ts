import type { Service } from "../declaration/connection";
import { missingToken } from "../settings/connections";
import type { Settings } from "../settings/settings";

const said = new Set<string>();

/** Says, once for all resources of a run, that the token is missing that an update needs. */
export function sayMissingToken(
  service: Service,
  name: unknown,
  settings: Settings,
  say: (words: string) => void,
): void {
  const words = missingToken(service, name, settings);
  if (words === undefined || said.has(words)) return;
  said.add(words);
  say(words);
}
