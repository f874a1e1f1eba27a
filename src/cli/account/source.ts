import { accountOf, locationOf } from "../../base/location";
import type { Service } from "../../declaration/connection";
import { Account } from "../../lifecycle/account";
import { Context } from "../../lifecycle/context";
import { connected, isSameService } from "../../settings/connections";
import { SETTINGS } from "../../settings/definitions";
import type { Settings } from "../../settings/settings";
import { Misuse } from "./misuse";

/** An account or a Proxy Manager that is read. */
export interface Source {
  readonly service: Service;
  /** Name of its connection; `undefined` for that of the settings themselves. */
  readonly name: string | undefined;
  readonly context: Context;
  /** Of the service, without credentials, which settings refuse there. */
  readonly url: string;
  /** Whether the settings name it: the Proxy Manager on this machine is looked for in any case. */
  readonly isConfigured: boolean;
  /** Stands for where it is, as states have it; `undefined` where the token may not ask whose it is. */
  location(): Promise<string | undefined>;
}

/** What the connection without a name is called on the command line. */
const UNNAMED = "default";

/** In words: `account shop`. */
export const titleOf = ({ service, name }: Pick<Source, "service" | "name">): string =>
  `${service === "remote" ? "account" : "manager"}${name === undefined ? "" : ` ${name}`}`;

export const NO_TOKEN =
  "No account is read: there is no API token. Set BRIGHTDATA_API_TOKEN, or name a stack that has one with --stack.";

/** The names by which sources are chosen; all without them. */
export interface ChosenSources {
  accounts?: readonly string[] | undefined;
  managers?: readonly string[] | undefined;
}

/**
 * The accounts and Proxy Managers that are configured, each once, whatever the number of its names.
 *
 * @throws {Misuse} for a name that is not configured
 */
export function sources(settings: Settings, { accounts, managers }: ChosenSources = {}): Source[] {
  const own = settings.apiToken === undefined ? [] : [undefined];
  return [
    ...chosen("remote", [...own, ...Object.keys(settings.accounts).sort()], accounts, settings),
    ...chosen("manager", [undefined, ...Object.keys(settings.managers).sort()], managers, settings),
  ];
}

export function partlyChosen(settings: Settings, wanted: ChosenSources): ReadonlySet<Service> {
  const all = sources(settings);
  const some = sources(settings, wanted);
  const count = (of: Service, among: readonly Source[]) => among.filter(({ service }) => service === of).length;
  const services: readonly Service[] = ["remote", "manager"];
  return new Set(services.filter((service) => count(service, some) < count(service, all)));
}

export const locationsOf = async (all: Iterable<Source>): Promise<ReadonlyMap<Source, string | undefined>> =>
  new Map(await Promise.all([...all].map(async (source) => [source, await source.location()] as const)));

function chosen(
  service: Service,
  names: readonly (string | undefined)[],
  wanted: readonly string[] | undefined,
  settings: Settings,
): Source[] {
  const known = names.map((name) => name ?? UNNAMED);
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const noun = service === "remote" ? "account" : "Proxy Manager";
    throw new Misuse(
      `There is no ${noun} ${JSON.stringify(unknown)}: ${known.length === 0 ? "none is" : `${known.join(", ")} ${known.length === 1 ? "is" : "are"}`} configured.`,
    );
  }
  const all = names.filter((name) => wanted?.includes(name ?? UNNAMED) ?? true);
  const isFirst = (name: string | undefined, index: number) =>
    all.findIndex((other) => isSameService(service, other, name, settings)) === index;
  return all.filter(isFirst).map((name) => source(service, name, settings));
}

function source(service: Service, name: string | undefined, settings: Settings): Source {
  const isRemote = service === "remote";
  const own = { ...connected(settings, isRemote ? { account: name } : { manager: name }), asksOnce: true };
  const account = new Account(own, isRemote ? name : undefined);
  const context = new Context(own, [account]);
  const customer = () =>
    account.client.account.status().then(
      ({ customer }) => accountOf(customer),
      () => undefined,
    );
  return {
    service,
    name,
    context,
    url: isRemote ? own.baseUrl : own.proxyManagerUrl,
    isConfigured: isRemote || name !== undefined || own.proxyManagerUrl !== SETTINGS.proxyManagerUrl.initial,
    location: async () => (isRemote ? customer() : locationOf(own.proxyManagerUrl)),
  };
}
