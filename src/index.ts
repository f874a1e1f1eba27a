export * from "./errors";
export { ProxyPort, type ProxyPortArgs } from "./resources/proxyPort";
export type { TimeoutsArgs } from "./resources/resource";
export { WhitelistIp, type WhitelistIpArgs } from "./resources/whitelistIp";
export { type PlanCount, type PlanFlag, Zone, type ZoneArgs, type ZonePlan, type ZonePlanArgs } from "./resources/zone";
