import { Failure } from "./failure.mts";

/** A page that describes several functions. */
export interface Topic {
  /** Name of the page in `docs/functions`. */
  readonly page: string;
  readonly title: string;
  /** The functions in the order of the page. */
  readonly functions: readonly string[];
}

/** Every function is on one page. */
export const TOPICS: readonly Topic[] = [
  {
    page: "zones",
    title: "Zones and their IPs",
    functions: [
      "getZone",
      "getZones",
      "getZoneStatus",
      "getZonePasswords",
      "getZoneRecentIps",
      "getZoneIps",
      "getAvailableIpCount",
      "getStaticCities",
    ],
  },
  {
    page: "usage",
    title: "Usage and cost",
    functions: ["getZoneBandwidth", "getZoneCost", "getAccountCost", "getBalance"],
  },
  {
    page: "datasets",
    title: "Datasets and collectors",
    functions: [
      "getSnapshot",
      "getSnapshots",
      "getSnapshotProgress",
      "getSnapshotParts",
      "getSnapshotInput",
      "getDelivery",
      "getCollectorResult",
    ],
  },
  {
    page: "ports",
    title: "Ports of the Proxy Manager",
    functions: ["getProxyPort", "getProxyPorts", "getRunningPorts", "getPortStatus", "getBannedIps"],
  },
  {
    page: "manager",
    title: "The Proxy Manager",
    functions: [
      "getManagerSession",
      "getManagerSettings",
      "getManagerUsers",
      "getManagerVersions",
      "getManagerZones",
      "getAllocatedIps",
      "getAllocatedGips",
      "getRecentStats",
      "getHarLogs",
      "getLogTail",
    ],
  },
];

/** The page of a function, below the root of the repository. */
export function pageOfFunction(name: string): string {
  const topic = TOPICS.find(({ functions }) => functions.includes(name));
  if (topic === undefined) throw new Failure(`${name} has no page: add it to a topic in scripts/generate/topics.mts.`);
  return `docs/functions/${topic.page}.md`;
}
