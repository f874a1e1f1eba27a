import * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "../base/errors";
import { ofProcess } from "../base/memory";
import { once } from "../base/once";
import { requireArguments } from "../declaration/arguments";
import { HIGHEST_PORT } from "../model/portRange";
import type { RemoteClient } from "../remote/client";
import { remoteClient } from "./clients";
import { connectedSettings } from "./function";
import type { ProviderOptions } from "./provider";
import { type ProxyUsernameArgs, proxyUsername } from "./proxyUsername";
import { configurationOf } from "./settings";
import { type Inputs, whenKnown } from "./whenKnown";

/** Protocols that the super proxy speaks, and the ports where it does. */
const PORTS = { http: 44_445, socks5h: 22_228 };

const HOST = "brd.superproxy.io";

/** Arguments of {@link proxyUrl}. */
export interface ProxyUrlArgs extends ProxyUsernameArgs {
  /** Password of the zone. */
  password: string;
  /**
   * Protocol between the client and the super proxy; `http` is for requests of `https`, too.
   *
   * @default "http"
   */
  protocol?: keyof typeof PORTS | undefined;
  /**
   * Host of the super proxy, or of a Proxy Manager, whose drop-in port takes the same user names.
   *
   * @default "brd.superproxy.io"
   */
  host?: string | undefined;
  /**
   * Port of the super proxy.
   *
   * @default 44445, and 22228 for `socks5h`
   */
  port?: number | undefined;
}

/** Arguments of {@link proxyUrlOutput}. */
export type ProxyUrlOutputArgs = Inputs<
  Omit<ProxyUrlArgs, "customer"> & {
    /**
     * The account's customer id, such as `hl_1a2b3c4d`.
     *
     * @default that of the account, which is asked for (`GET /status`)
     */
    customer?: string | undefined;
    /** Name of the account, one of `brightdata:accounts`. */
    account?: string | undefined;
  }
>;

/**
 * The URL of a proxy, for a client of any language, such as
 * `http://brd-customer-hl_1a2b3c4d-zone-web-country-us:<password>@brd.superproxy.io:44445`. It contains the password.
 *
 * The user name is by the [grammar of the service](https://docs.brightdata.com/proxy-networks/config-options).
 *
 * @throws {ArgumentError} for a value that the service would not understand, and for values that exclude each other
 * @example
 * const url = brightdata.proxyUrl({ customer: "hl_1a2b3c4d", zone: "web", password, country: "us", session: "shop1" });
 */
export function proxyUrl(args: ProxyUrlArgs): string {
  requireArguments("proxyUrl", ["customer", "zone", "password"], args);
  const { password, protocol = "http", host = HOST, port = PORTS[protocol], ...asked } = args;
  if (typeof password !== "string" || password === "") {
    throw new ArgumentError("The argument `password` of proxyUrl is no text, or empty: expected the zone's password.");
  }
  refuse("protocol", protocol, Object.hasOwn(PORTS, protocol), 'expected "http" or "socks5h"');
  refuse(
    "host",
    host,
    typeof host === "string" && /^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(host),
    "expected the name of a host, without a port",
  );
  const isPort = Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT;
  refuse("port", port, isPort, `expected a whole number from 1 to ${HIGHEST_PORT}`);
  const username = encodeURIComponent(proxyUsername("proxyUrl", asked));
  return `${protocol}://${username}:${encodeURIComponent(password)}@${host}:${port}`;
}

function refuse(name: string, value: unknown, isGood: boolean, expected: string): void {
  if (isGood) return;
  throw new ArgumentError(`The argument \`${name}\` of proxyUrl is ${JSON.stringify(value)}: ${expected}.`);
}

/**
 * {@link proxyUrl} for arguments that are not known yet. The result is a secret. Without `customer`, the account is asked for
 * it once everything else is known.
 *
 * Remote service: `GET /status`.
 *
 * @example
 * export const url = brightdata.proxyUrlOutput({ zone: zone.name, password: zone.password, country: "us" });
 */
export const proxyUrlOutput = (args: ProxyUrlOutputArgs, options: ProviderOptions = {}): pulumi.Output<string> =>
  pulumi.secret(
    whenKnown(
      args,
      async ({ account, customer, ...asked }) => {
        const payer = customer ?? (await customerOf(account, options));
        return proxyUrl({ ...asked, customer: payer });
      },
      configurationOf(options),
    ),
  );

/** The customer ids that were asked for: a program makes many URLs of few accounts. */
const askedFor = () => new WeakMap<RemoteClient, Promise<string>>();

async function customerOf(account: string | undefined, options: ProviderOptions): Promise<string> {
  const client = remoteClient(await connectedSettings("remote", { account }, options));
  const customers = ofProcess(askedFor);
  return once(customers, client, () => {
    const asked = client.account.status().then(({ customer }) => customer);
    // One failure is not that of the next program of this process.
    asked.catch(() => customers.delete(client));
    return asked;
  });
}
