import type { Settings } from "../config";
import { type Connection, connected, keyOf } from "../connections";
import { Account } from "../lifecycle/account";
import { Context } from "../lifecycle/context";

// Resources of all kinds share connections, lists and limits: one context for each Proxy Manager and account, whatever the
// name that they are configured under.
const contexts = new Map<string, Context>();
const accounts = new Map<string, Account>();

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
    return new Context(own, [...new Set(all)] as [Account, ...Account[]]);
  });
}

function accountOf(settings: Settings, account: string | undefined): Account {
  const { managerApiKey: _, ...own } = connected(settings, { account });
  return once(accounts, keyOf({ ...own, proxyManagerUrl: "" }), () => new Account(own));
}

function once<T>(made: Map<string, T>, key: string, make: () => T): T {
  const found = made.get(key) ?? make();
  made.set(key, found);
  return found;
}
