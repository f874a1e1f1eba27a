import { json, type SimulatedRequest, type SimulatedResponse, SimulatedService, text } from "../service";
import { addAccessRoutes } from "./access";
import type { Account } from "./account";
import { addAvailabilityRoutes } from "./availability";
import { DEFAULT_BEHAVIOUR, type RemoteBehaviour } from "./behaviour";
import type { RemoteContext } from "./call";
import { addCollectorRoutes } from "./collector";
import { addDatasetRoutes } from "./datasets";
import { addDeliveryRoutes } from "./deliveries";
import { addIpRoutes } from "./ips";
import { addPasswordRoutes } from "./passwords";
import { refusing } from "./refusal";
import { addSnapshotRoutes } from "./snapshots";
import { addStatusRoutes } from "./status";
import { addTriggerRoutes } from "./trigger";
import { addUsageRoutes } from "./usage";
import { addZoneRoutes } from "./zones";

/** The remote service: account, zones, collectors and datasets, answering from an {@link Account}. */
export class SimulatedRemote {
  readonly account: Account;
  /** How it behaves; change it at any time. */
  readonly behaviour: RemoteBehaviour;
  readonly service: SimulatedService;

  constructor(account: Account, behaviour: Partial<RemoteBehaviour> = {}) {
    this.account = account;
    this.behaviour = { ...DEFAULT_BEHAVIOUR, ...behaviour };
    const service = new SimulatedService(unknownRoute, (request) => checkToken(account, request));
    this.service = service;
    const context: RemoteContext = {
      account,
      behaviour: this.behaviour,
      route: (method, pattern, handler) => void service.route(method, pattern, refusing(handler)),
    };
    for (const add of [
      addStatusRoutes,
      addZoneRoutes,
      addPasswordRoutes,
      addAccessRoutes,
      addIpRoutes,
      addAvailabilityRoutes,
      addUsageRoutes,
      addCollectorRoutes,
      addDatasetRoutes,
      addTriggerRoutes,
      addSnapshotRoutes,
      addDeliveryRoutes,
    ])
      add(context);
  }

  /** Listens on 127.0.0.1; port `0` takes a free one. */
  async listen(port = 0): Promise<void> {
    await this.service.listen(port);
  }

  get url(): string {
    return this.service.url;
  }

  async close(): Promise<void> {
    await this.service.close();
  }
}

const unknownRoute = ({ method, path }: SimulatedRequest): SimulatedResponse => text(`Cannot ${method} ${path}`, 404);

/** The families of calls each refuse a token in their own way. */
function checkToken(account: Account, request: SimulatedRequest): SimulatedResponse | undefined {
  const { authorization } = request.headers;
  if (authorization === `Bearer ${account.token}`) return undefined;
  if (request.path.startsWith("/datasets/v3/trigger")) return json({ error: "Unauthorized" }, 401);
  if (request.path.startsWith("/datasets/")) return json({ error: "User authentication is required" }, 401);
  return text(authorization?.startsWith("Bearer ") ? "Customer not found" : "Auth method is not supported", 401);
}
