import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { IpPool } from "../remote/availability";

/** Arguments of {@link getStaticCities}. */
export interface GetStaticCitiesArgs {
  /** Two letters, such as `us`. */
  country: string;
  /**
   * The network: datacenter or ISP.
   *
   * @default "dc"
   */
  poolIpType?: IpPool | undefined;
}

/** Arguments of {@link getStaticCitiesOutput}. */
export type GetStaticCitiesOutputArgs = Inputs<GetStaticCitiesArgs>;

/** Cities in which zones can have IPs of their own. */
export interface GetStaticCitiesResult {
  country: string;
  poolIpType: IpPool;
  /** As `countryCity` takes them, such as `us-chicago`; none where the country has none. */
  cities: string[];
}

/**
 * Lists the cities of a country in which zones of the datacenter or ISP kind can have IPs.
 * `GET /zone/static/cities?country=&pool_ip_type=`.
 *
 * @throws {ArgumentError} when the country is not two letters, before anything is sent
 * @throws {RequestError} when the service refuses, or cannot be reached
 *
 * @example
 * const { cities } = await brightdata.getStaticCities({ country: "us", poolIpType: "static_res" });
 */
export async function getStaticCities(
  args: GetStaticCitiesArgs,
  options: CallOptions = {},
): Promise<GetStaticCitiesResult> {
  const { country, poolIpType = "dc" } = args;
  return { country, poolIpType, cities: await remoteClient().availability.cities(country, poolIpType, options) };
}

/** {@link getStaticCities} for arguments that are not known yet. */
export const getStaticCitiesOutput = (args: GetStaticCitiesOutputArgs): pulumi.Output<GetStaticCitiesResult> =>
  whenKnown(args, getStaticCities);
