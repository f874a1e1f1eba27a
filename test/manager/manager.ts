import { onTestFinished } from "vitest";
import { type Handler, SimulatedService, text } from "../../simulator/service";
import { ManagerClient, type ManagerClientSettings } from "../../src/manager/client";

/** A client of a loopback service that answers as the routes say, and any other path as the manager answers it. */
export async function managerWith(
  routes: Record<string, Handler>,
  settings: Partial<ManagerClientSettings> = {},
): Promise<{ client: ManagerClient; service: SimulatedService }> {
  const service = new SimulatedService(({ method, path }) =>
    text(`<!DOCTYPE html><html><pre>Cannot ${method} ${path}</pre></html>`, method === "GET" ? 200 : 404),
  );
  for (const [route, handler] of Object.entries(routes)) {
    const [method = "", path = ""] = route.split(" ");
    service.route(method, path, handler);
  }
  await service.listen();
  onTestFinished(() => service.close());
  return { service, client: clientOf(service.url, settings) };
}

/** A client that logs nothing. */
export const clientOf = (proxyManagerUrl: string, settings: Partial<ManagerClientSettings> = {}): ManagerClient =>
  new ManagerClient({
    proxyManagerUrl,
    requestTimeout: 30,
    retries: 1,
    requestsPerMinute: 0,
    logLevel: "off",
    ...settings,
  });
