import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const country = config.require("country");

/** The month as a period: the day after the last is not part of it. */
function period(month: string): { from: string; to: string } {
  const [year, number] = month.split("-").map(Number);
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  return { from: `${month}-01`, to: day(new Date(Date.UTC(year, number))) };
}

const month = period(config.require("month"));

async function describe(zone: string) {
  const [{ plan, ips: clients }, { status }, cost, bandwidth, { ips: recentClients }, { passwords }] =
    await Promise.all([
      brightdata.getZone({ name: zone }),
      brightdata.getZoneStatus({ zone }),
      brightdata.getZoneCost({ zone, ...month }),
      brightdata.getZoneBandwidth({ zone, ...month }),
      brightdata.getZoneRecentIps({ zone }),
      brightdata.getZonePasswords({ zone }),
    ]);
  // Zones of other types have no IPs of their own.
  const { ips } = plan.type === "static" ? await brightdata.getZoneIps({ zone }) : { ips: [] };
  return {
    type: plan.type,
    status,
    dollars: cost.periods.custom?.cost ?? 0,
    gigabytes: (bandwidth.sums.custom?.bwSum ?? 0) / 1e9,
    ips: ips.length,
    openToEveryone: clients.includes("any"),
    recentClients,
    // Only the number leaves the secret.
    passwords: pulumi.unsecret(passwords.apply((all) => all.length)),
  };
}

export = async () => {
  const [account, cost, { zones }, { cities }, { count }] = await Promise.all([
    brightdata.getBalance(),
    brightdata.getAccountCost(month),
    brightdata.getZones(),
    brightdata.getStaticCities({ country }),
    brightdata.getAvailableIpCount({ plan: { ipsType: "dedicated", country } }),
  ]);
  const names = zones.filter(({ status }) => status !== "deleted").map(({ name }) => name);
  return {
    balance: account.balance,
    dollars: cost.total,
    zones: Object.fromEntries(await Promise.all(names.map(async (name) => [name, await describe(name)]))),
    available: { dedicatedIps: count, cities },
  };
};
