import type { JsonObject } from "../../src/base/json.ts";
import type { Kind } from "./kinds.mts";

const TARGET = {
  type: "s3",
  bucket: "history",
  credentials: { awsAccessKey: "Sample-Secret-Access", awsSecretKey: "Sample-Secret-Key" },
};

/** What is there for them before any program. */
export const JOB_ZONES = ["spare", "used"];
export const JOB_PORT = 24_910;
export const READY_SNAPSHOT = "s_ready";

/** Of an action nothing is left that could be looked for, but what it has cost. */
const action = (draw: Kind["draw"], identity: readonly string[] = ["triggers"]): Kind => ({
  draw,
  identity,
  makes: [],
  claims: () => new Map(),
});

const triggers: Kind["draw"] = (chance) => ({ triggers: [chance.pick(["1", "1", "2"])] });

export const deliveryOf = (number: number): JsonObject => ({
  snapshotId: READY_SNAPSHOT,
  target: TARGET,
  filename: { template: `results${number}`, extension: "json" },
});

/** What a history has to know of kinds that do something once. */
export const JOBS: Readonly<Record<string, Kind>> = {
  DatasetCollection: {
    draw: (chance, stack) => ({
      datasetId: "gd_simulated",
      inputs: [{ url: `https://example.com/${stack}${chance.below(2)}` }],
      ...triggers(chance, stack),
    }),
    identity: ["datasetId", "inputs", "triggers"],
    makes: ["snapshot"],
    claims: ({ snapshotId }) => new Map(snapshotId === undefined ? [] : [[`snapshot ${snapshotId}`, undefined]]),
    buys: "collections",
  },
  SnapshotDelivery: {
    draw: (chance, stack) => ({
      ...deliveryOf(stack),
      ...triggers(chance, stack),
    }),
    identity: ["snapshotId", "target", "filename", "triggers"],
    makes: ["delivery"],
    claims: ({ deliveryId }) => new Map(deliveryId === undefined ? [] : [[`delivery ${deliveryId}`, undefined]]),
    buys: "deliveries",
  },
  ZoneIpRefresh: {
    ...action((chance, stack) => ({ zone: "spare", all: true, ...triggers(chance, stack) })),
    buys: "refreshes",
  },
  // Another trigger would ask for an IP that is gone.
  PortIpRefresh: { ...action(() => ({ port: JOB_PORT, ip: "198.18.0.6" }), ["port", "ip"]), buys: "refreshes" },
  ManagerApiKey: action((chance, stack) => (chance.oneIn(2) ? triggers(chance, stack) : {})),
  ManagerRestart: action(triggers),
  ManagerUpgrade: action(triggers),
  PortIpUnban: action((chance, stack) => ({ port: 24_900, ip: "192.0.2.200", ...triggers(chance, stack) })),
  PortSessionRefresh: action((chance, stack) => ({ port: 24_900, ...triggers(chance, stack) })),
  PortSslEnable: action((chance, stack) => ({ port: 24_900, ...triggers(chance, stack) })),
};
