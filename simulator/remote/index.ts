import type { Account } from "../account/account";
import { json, type SimulatedRequest, type SimulatedResponse, SimulatedService, text } from "../service";
import { accessRoutes } from "./access";
import { availabilityRoutes } from "./availability";
import { RemoteBehaviour } from "./behaviour";
import type { Routes } from "./call";
import { collectorRoutes } from "./collector";
import { datasetRoutes } from "./datasets";
import { deliveryRoutes } from "./deliveries";
import { ipRoutes } from "./ips";
import { passwordRoutes } from "./passwords";
import { orRefused } from "./refusal";
import { snapshotRoutes } from "./snapshots";
import { statusRoutes } from "./status";
import { triggerRoutes } from "./trigger";
import { usageRoutes } from "./usage";
import { zoneRoutes } from "./zones";

const ROUTES: Routes = {
  ...statusRoutes,
  ...zoneRoutes,
  ...passwordRoutes,
  ...accessRoutes,
  ...ipRoutes,
  ...availabilityRoutes,
  ...usageRoutes,
  ...collectorRoutes,
  ...datasetRoutes,
  ...triggerRoutes,
  ...snapshotRoutes,
  ...deliveryRoutes,
};

/** The remote service: account, zones, collectors and datasets, answering from an {@link Account}. */
export class SimulatedRemote {
  readonly account: Account;
  /** How it behaves; change it at any time. */
  readonly behaviour: RemoteBehaviour;
  readonly service: SimulatedService;
  readonly #given: Partial<RemoteBehaviour>;

  constructor(account: Account, behaviour: Partial<RemoteBehaviour> = {}) {
    this.account = account;
    this.#given = behaviour;
    this.behaviour = Object.assign(new RemoteBehaviour(), behaviour);
    this.service = new SimulatedService(
      unknownRoute,
      (request) => checkToken(account, request),
      () => account.clock(),
    );
    for (const [line, answer] of Object.entries(ROUTES)) {
      const [method = "", path = ""] = line.split(" ");
      this.service.route(method, path, (request) =>
        orRefused(answer, { ...request, account, behaviour: this.behaviour }),
      );
    }
  }

  /** Listens; port `0` takes a free one. */
  async listen(port = 0, host?: string): Promise<void> {
    await this.service.listen(port, host);
  }

  /** Answers at the address of another account's service what comes with the token of its own. */
  join(remote: SimulatedRemote): void {
    remote.service.share(this.service, (request) => isFrom(this.account, request));
  }

  /** Back to what there was when it was made, the account's state included. */
  reset(): void {
    this.account.reset();
    this.service.reset();
    Object.assign(this.behaviour, new RemoteBehaviour(), this.#given);
  }

  get url(): string {
    return this.service.url;
  }

  async close(): Promise<void> {
    await this.service.close();
  }
}

const unknownRoute = ({ method, path }: SimulatedRequest): SimulatedResponse => text(`Cannot ${method} ${path}`, 404);

const isFrom = ({ token }: Account, { headers }: SimulatedRequest): boolean =>
  headers.authorization === `Bearer ${token}`;

/** The families of calls each refuse a token in their own way. */
function checkToken(account: Account, request: SimulatedRequest): SimulatedResponse | undefined {
  const { authorization } = request.headers;
  if (isFrom(account, request)) return undefined;
  if (request.path.startsWith("/datasets/v3/trigger")) return json({ error: "Unauthorized" }, 401);
  if (request.path.startsWith("/datasets/")) return json({ error: "User authentication is required" }, 401);
  return text(authorization?.startsWith("Bearer ") ? "Customer not found" : "Auth method is not supported", 401);
}
