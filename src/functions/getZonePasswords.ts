import * as pulumi from "@pulumi/pulumi";
import { BrightDataError } from "../errors";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getZonePasswords}. */
export interface GetZonePasswordsArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZonePasswordsOutput}. */
export type GetZonePasswordsOutputArgs = Inputs<GetZonePasswordsArgs>;

/** Passwords of a zone. They are secret: encrypted where they reach the state, and hidden in the output of the CLI. */
export interface GetZonePasswordsResult {
  zone: string;
  /** The proxies accept any of them. Secret. */
  passwords: pulumi.Output<string[]>;
  /** The first of them. Secret. */
  password: pulumi.Output<string>;
}

/**
 * Looks up the passwords of a zone. `GET /zone/passwords?zone=`.
 *
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { password } = await brightdata.getZonePasswords({ zone: "web" });
 */
export async function getZonePasswords(
  args: GetZonePasswordsArgs,
  options: CallOptions = {},
): Promise<GetZonePasswordsResult> {
  const { zone, passwords, password } = await read(args, options);
  return { zone, passwords: pulumi.secret(passwords), password: pulumi.secret(password) };
}

/**
 * {@link getZonePasswords} for arguments that are not known yet. The whole result is secret.
 *
 * @example
 * export const password = brightdata.getZonePasswordsOutput({ zone: zone.name }).password;
 */
export const getZonePasswordsOutput = (
  args: GetZonePasswordsOutputArgs,
): pulumi.Output<pulumi.Unwrap<GetZonePasswordsResult>> => pulumi.secret(whenKnown(args, (known) => read(known, {})));

async function read({ zone }: GetZonePasswordsArgs, options: CallOptions) {
  const client = remoteClient();
  const passwords = await ofZone(client, zone, () => client.passwords.list(zone, options), options);
  const [password] = passwords;
  if (password === undefined) throw new BrightDataError(`Zone ${JSON.stringify(zone)} has no password.`);
  return { zone, passwords, password };
}
