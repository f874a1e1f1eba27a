import { Adapter } from "./engine/adapter";
import { datasetCollection } from "./lifecycle/datasetCollection";
import type { Lifecycle } from "./lifecycle/lifecycle";
import { proxyPort } from "./lifecycle/proxyPort";
import { snapshotDelivery } from "./lifecycle/snapshotDelivery";
import { whitelistIp } from "./lifecycle/whitelistIp";
import { zone } from "./lifecycle/zone";

const LIFECYCLES: Record<string, Lifecycle> = {
  DatasetCollection: datasetCollection,
  SnapshotDelivery: snapshotDelivery,
  Zone: zone,
  ProxyPort: proxyPort,
  WhitelistIp: whitelistIp,
};

/**
 * What the provider text of a resource calls. The text lives in people's state files: kinds and protocol numbers that were
 * once given out are answered for ever.
 *
 * @param kind name of the resource's class
 * @param protocol number of the agreement between that text and this function
 */
export function resource(kind: string, protocol: number): Adapter {
  const lifecycle = Object.hasOwn(LIFECYCLES, kind) ? LIFECYCLES[kind] : undefined;
  if (lifecycle === undefined || protocol !== 1) {
    throw new Error(
      `This version of pulumi-brightdata does not know ${kind} (protocol ${protocol}). The stack was made with a newer one: install that, or a later one, in the project.`,
    );
  }
  return new Adapter(lifecycle);
}
