import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { ZonePlan } from "../kinds/zone/resource";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";
import { lineOf, withStatus } from "../remote/zoneList";

/** Arguments of {@link getZone}. */
export interface GetZoneArgs {
  /** Name of the zone. */
  name: string;
}

/** Arguments of {@link getZoneOutput}. */
export type GetZoneOutputArgs = Inputs<GetZoneArgs>;

/** A zone, without its passwords: those are a look-up of their own, {@link getZonePasswords}. */
export interface GetZoneResult {
  name: string;
  /** When the zone was made, ISO 8601. */
  created?: string;
  /** Client addresses that may use the zone; `any` for all. */
  ips: string[];
  /** What requests may name, separated by blanks, such as `country city`. */
  perm?: string;
  description?: string;
  /** The plan as the service has it, in camel case. */
  plan: ZonePlan;
  /** Whether the zone is switched off. */
  disabled: boolean;
  /** `active`, `disabled` or `deleted`. */
  status: string;
}

/**
 * Looks up a zone. `GET /zone?zone=` and, for its status, `GET /zone/get_all_zones`.
 *
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { plan, status } = await brightdata.getZone({ name: "web" });
 */
export async function getZone(args: GetZoneArgs, options: CallOptions = {}): Promise<GetZoneResult> {
  const client = remoteClient();
  const { name } = args;
  const zone = await ofZone(client, name, () => client.zones.get(name, options), options);
  const { passwords: _, plan, ...known } = withStatus(zone, await lineOf(name, client.zones.listAll(options)));
  return { ...known, plan: plan as ZonePlan };
}

/**
 * {@link getZone} for arguments that are not known yet.
 *
 * @example
 * const status = brightdata.getZoneOutput({ name: zone.name }).status;
 */
export const getZoneOutput = (args: GetZoneOutputArgs): pulumi.Output<GetZoneResult> => whenKnown(args, getZone);
