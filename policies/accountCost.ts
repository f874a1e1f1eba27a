import type { Declared } from "./declared";

/** The part of `pulumi-brightdata` that is used. It need not be installed where nobody asks for the account's cost. */
interface Library {
  readSettings(read: (key: string) => string | undefined): unknown;
  RemoteClient: new (
    settings: unknown,
  ) => {
    usage: { accountCost(period: { from: string; to: string }, dimension: "products"): Promise<{ total: number }> };
  };
}

/** The calendar month before the one of a date, without its end. */
export function monthBefore(date: Date): { from: string; to: string } {
  const first = (months: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)).toISOString().slice(0, 10);
  return { from: first(1), to: first(0) };
}

const asked = new Map<string, Promise<number | string>>();

/**
 * What the account cost last month, in US dollars, with the settings that the package itself uses; or a sentence that says why
 * that is not known. It is asked for once.
 */
export function lastMonthsCost(
  resources: readonly Declared[],
  load = () => require("pulumi-brightdata") as Library,
): Promise<number | string> {
  const configuration = resources[0]?.provider.configuration ?? {};
  const key = JSON.stringify(configuration);
  const cost = asked.get(key) ?? ask(configuration, load);
  asked.set(key, cost);
  return cost;
}

async function ask(
  configuration: Declared["provider"]["configuration"],
  load: () => Library,
): Promise<number | string> {
  try {
    const { RemoteClient, readSettings } = load();
    const read = (name: string) => {
      const value = configuration[`brightdata:${name}`];
      return value === undefined ? undefined : typeof value === "string" ? value : JSON.stringify(value);
    };
    const { usage } = new RemoteClient(readSettings(read));
    return (await usage.accountCost(monthBefore(new Date()), "products")).total;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "MODULE_NOT_FOUND" ? "install pulumi-brightdata beside this policy pack." : message;
    return `What the account cost last month is not known: ${why}`;
  }
}
