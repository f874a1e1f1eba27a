import { Account } from "../lifecycle/account";
import { Claims } from "../lifecycle/claims";
import { Context } from "../lifecycle/context";
import { accountKeyOf, type Connection, connected, keyOf } from "../settings/connections";
import type { Settings } from "../settings/settings";

// Resources of all kinds share connections, lists and limits: one context for each Proxy Manager and account, whatever the
// name that they are configured under.
const contexts = new Map<string, Context>();
const accounts = new Map<string, Account>();
// Who has what is a matter of the service alone: two names of one manager may have different keys.
const allClaims = new Map<string, Claims>();

/**
 * What the resources with those connections share in this process.
 *
 * @throws {ConfigurationError} for a name that is not configured
 */
export function contextOf(settings: Settings, connection: Connection): Context {
  const own = connected(settings, connection);
  return once(contexts, keyOf(own), () => {
    const names = [connection.account, undefined, ...Object.keys(settings.accounts)];
    const all = names.map((account) => accountOf(settings, account));
    const { managerApiKey: _, ...keyless } = own;
    const claims = once(allClaims, keyOf(keyless), () => new Claims());
    return new Context(own, [...new Set(all)] as [Account, ...Account[]], claims);
  });
}

function accountOf(settings: Settings, account: string | undefined): Account {
  const own = connected(settings, { account });
  return once(accounts, accountKeyOf(own), () => new Account(own, account));
}

function once<T>(made: Map<string, T>, key: string, make: () => T): T {
  const found = made.get(key) ?? make();
  made.set(key, found);
  return found;
}
