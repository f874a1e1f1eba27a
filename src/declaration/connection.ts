import type { Service } from "../base/errors";
import { type Facts, text } from "./property";

export type { Service };

/** The argument that names the connection to a service. */
export const CONNECTION = { remote: "account", manager: "manager" } as const satisfies Record<Service, string>;

const named = {
  remote: text({
    says: "Name of the account, one of `brightdata:accounts`.",
    defaultSays: "the account of `brightdata:apiToken`",
    example: "shop",
  }),
  manager: text({
    says: "Name of the Proxy Manager, one of `brightdata:managers`.",
    defaultSays: "the Proxy Manager at `brightdata:proxyManagerUrl`",
    example: "fra-1",
  }),
} as const;

export type ConnectionArgument<S extends Service> = {
  readonly [Name in (typeof CONNECTION)[S]]: (typeof named)[S];
};

export const connection = <S extends Service>(service: S, facts: Facts = {}): ConnectionArgument<S> =>
  ({ [CONNECTION[service]]: { ...named[service], ...facts } }) as ConnectionArgument<S>;
