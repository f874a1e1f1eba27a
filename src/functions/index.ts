export * from "./getSnapshot";
export * from "./getSnapshotProgress";
export * from "./getSnapshots";
export * from "./getZone";
export * from "./getZoneBandwidth";
export * from "./getZoneCost";
export * from "./getZonePasswords";
