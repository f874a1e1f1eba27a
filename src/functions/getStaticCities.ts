import { list, text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { ipPool } from "../model/availability";

export const getStaticCities = remoteLookup("getStaticCities", {
  says: "Lists the cities of a country in which datacenter or ISP zones can have IPs.",
  brief: "the cities of a country in which IPs can be bought",
  endpoints: ["GET /zone/static/cities?country=&pool_ip_type="],
  arguments: {
    country: text({ says: "Two letters.", required: true, example: "us" }),
    poolIpType: ipPool({ says: "The network: datacenter or ISP.", default: "dc" }),
  },
  gives: "Cities in which zones can have IPs of their own.",
  result: {
    country: text({ says: "The country that was asked for.", required: true }),
    poolIpType: ipPool({ says: "The network that was asked for.", required: true }),
    cities: list(text({}), {
      says: "The cities as `countryCity` takes them, such as `us-chicago`; empty if there are none.",
      required: true,
    }),
  },
  fails: [["ArgumentError", "the country is not two letters"]],
  example: `const { cities } = await brightdata.getStaticCities({ country: "us", poolIpType: "static_res" });`,
  outputExample: `const { cities } = brightdata.getStaticCitiesOutput({ country: "us", poolIpType: "static_res" });
export const inChicago = cities.apply((all) => all.includes("us-chicago"));`,
  async ask({ availability }, { country, poolIpType = "dc" }, options) {
    return { country, poolIpType, cities: await availability.cities(country, poolIpType, options) };
  },
});
