import { createServer } from "node:net";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  ServiceError,
} from "../../src/errors";
import { RemoteClient } from "../../src/remote/client";
import { failure, startRemote, TOKEN } from "./harness";

const pauses: number[] = [];
vi.mock("../../src/http/pause", () => ({
  pause: async (ms: number) => {
    pauses.push(ms);
  },
}));
beforeEach(() => {
  pauses.length = 0;
});

const settings = { requestTimeout: 30, retries: 0, requestsPerMinute: 0, logLevel: "off" } as const;
const apiToken = { value: TOKEN, source: "the environment (BRIGHTDATA_API_TOKEN)" };

describe("a client", () => {
  test("needs a token", () => {
    const make = () => new RemoteClient({ ...settings, baseUrl: "https://api.example" });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      "There is no Bright Data API token. Set it with `pulumi config set --secret brightdata:apiToken <value>` or the environment variable BRIGHTDATA_API_TOKEN.",
    );
  });

  test("sends no token in clear over a network", () => {
    const make = () => new RemoteClient({ ...settings, apiToken, baseUrl: "http://api.example" });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/http:\/\/api\.example is plain http and not this machine/);
  });

  test("keeps the path of its base URL", async () => {
    const { clientWith, simulator, requests } = await startRemote();
    await clientWith({ baseUrl: `${simulator.remote.url}/prefix` })
      .zones.listAll()
      .catch(() => undefined);
    expect(requests[0]?.path).toBe("/prefix/zone/get_all_zones");
  });
});

/** Every operation, on something that is there. */
const OPERATIONS: Record<string, (client: RemoteClient) => Promise<unknown>> = {
  "zones.create": (client) => client.zones.create({ name: "new", plan: { type: "static" } }),
  "zones.get": (client) => client.zones.get("web"),
  "zones.listAll": (client) => client.zones.listAll(),
  "zones.listActive": (client) => client.zones.listActive(),
  "zones.setDisabled": (client) => client.zones.setDisabled("web", true),
  "zones.remove": (client) => client.zones.remove("web"),
  "passwords.list": (client) => client.passwords.list("web"),
  "usage.bandwidth": (client) => client.usage.bandwidth("web"),
  "usage.cost": (client) => client.usage.cost("web"),
  "snapshots.list": (client) => client.snapshots.list({ datasetId: "gd_simulated" }),
  "snapshots.progress": (client) => client.snapshots.progress("s_ready"),
  "snapshots.records": (client) => client.snapshots.records("s_ready", { limit: 1 }),
};

const READS_JSON = Object.keys(OPERATIONS).filter(
  (name) => !["zones.create", "zones.setDisabled", "zones.remove", "snapshots.records"].includes(name),
);
const SENT_AGAIN = Object.keys(OPERATIONS).filter((name) => name !== "zones.create");

const operation = (name: string) => OPERATIONS[name] as (client: RemoteClient) => Promise<unknown>;

describe.each(Object.keys(OPERATIONS))("%s", (name) => {
  const run = operation(name);

  test.each<[number, unknown, abstract new (...rest: never[]) => ServiceError, string]>([
    [401, "Customer not found", AuthenticationError, "Customer not found"],
    [401, { error: "User authentication is required" }, AuthenticationError, "User authentication is required"],
    [
      403,
      "Your API key lacks the required permissions",
      PermissionError,
      "Your API key lacks the required permissions",
    ],
    [404, { error: "nothing here" }, NotFoundError, "nothing here"],
    [422, "Customer has invalid status", InvalidRequestError, "Customer has invalid status"],
    [429, "Slow down", RateLimitError, "Slow down"],
    [500, "Internal server error", ServerError, "Internal server error"],
    [502, "<html><head><title>502 Bad Gateway</title></head></html>", ServerError, "an HTML page (502 Bad Gateway)"],
    [418, "", ServiceError, ""],
  ])("%i %j", async (status, body, kind, serviceMessage) => {
    const { client, answer, requests } = await startRemote();
    answer(status, body);
    const error = await failure(run(client), kind);
    expect(error).toMatchObject({ service: "remote", status, serviceMessage, settled: status < 500 });
    expect(error.message).toMatch(/^Could not /);
    expect(error.message).not.toContain(TOKEN);
    expect(requests).toHaveLength(1);
  });

  test("says where a refused token came from", async () => {
    const { client, answer } = await startRemote();
    answer(401, `The token ${TOKEN} is unknown (Bearer ${TOKEN})`);
    const error = await failure(run(client), AuthenticationError);
    expect(error.message).toContain("The token came from the environment (BRIGHTDATA_API_TOKEN).");
    expect(error.message).toContain("The token [secret] is unknown (Bearer [secret])");
    expect(JSON.stringify(error)).not.toContain(TOKEN);
  });

  test("says what a token may lack", async () => {
    const { client, answer } = await startRemote();
    answer(403, "");
    const error = await failure(run(client), PermissionError);
    expect(error.message).toContain("it needs the Admin or Ops role and the permission for this action");
  });

  test("is sent again when the service says so after 429, creations too", async () => {
    const { clientWith, answer, requests, account } = await startRemote();
    prepare(account);
    answer(429, "Slow down", { "retry-after": "0" });
    await run(clientWith({ retries: 1 }));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toEqual({ ...requests[1], status: 429 });
    expect(requests[1]?.status).toBeLessThan(300);
    expect(pauses).toEqual([0]);
  });

  test("does not wait for longer than is reasonable", async () => {
    const { clientWith, answer, requests } = await startRemote();
    answer(429, "Slow down", { "retry-after": "3600" });
    const error = await failure(run(clientWith({ retries: 3 })), RateLimitError);
    expect(error.retryAfter).toBe(3600);
    expect(error.message).toContain("Wait 3600 s and try again");
    expect(requests).toHaveLength(1);
  });

  test("is refused by the header alone", async () => {
    const { client, answer } = await startRemote();
    answer(200, "", { "x-brd-error": "Wrong zone plan" });
    await expect(run(client)).rejects.toMatchObject({ serviceMessage: "Wrong zone plan" });
  });

  test("tells that nothing can be reached", async () => {
    const { clientWith } = await startRemote();
    const error = await failure(run(clientWith({ baseUrl: await deadUrl() })), ConnectionError);
    expect(error).toMatchObject({ code: "ECONNREFUSED", settled: true });
    expect(error.message).toContain("brightdata:baseUrl / BRIGHTDATA_BASE_URL");
  });

  test("tells that the connection was cut", async () => {
    const { client, simulator } = await startRemote();
    simulator.remote.service.faults.add({ kind: "reset" });
    const error = await failure(run(client), ConnectionError);
    expect(error.settled).toBe(false);
  });

  test("ends when the caller gives up", async () => {
    const { client, requests } = await startRemote();
    const reason = new Error("no more interest");
    const signal = AbortSignal.abort(reason);
    const { zones, passwords, usage, snapshots } = client;
    const withSignal: Record<string, () => Promise<unknown>> = {
      "zones.create": () => zones.create({ name: "new", plan: { type: "static" } }, { signal }),
      "zones.get": () => zones.get("web", { signal }),
      "zones.listAll": () => zones.listAll({ signal }),
      "zones.listActive": () => zones.listActive({ signal }),
      "zones.setDisabled": () => zones.setDisabled("web", true, { signal }),
      "zones.remove": () => zones.remove("web", { signal }),
      "passwords.list": () => passwords.list("web", { signal }),
      "usage.bandwidth": () => usage.bandwidth("web", {}, { signal }),
      "usage.cost": () => usage.cost("web", {}, { signal }),
      "snapshots.list": () => snapshots.list({ datasetId: "gd_simulated" }, { signal }),
      "snapshots.progress": () => snapshots.progress("s_ready", { signal }),
      "snapshots.records": () => snapshots.records("s_ready", { limit: 1, signal }),
    };
    await expect(withSignal[name]?.()).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe.each(READS_JSON)("%s", (name) => {
  test.each([
    ["an HTML page", "<!DOCTYPE html><html><body>Sign in</body></html>", "an HTML page instead of JSON"],
    ["JSON cut short", '[{"name":"web","ty', "text that is not JSON, or JSON cut short (18 characters)"],
    ["text", "OK", "text that is not JSON"],
    ["nothing", "", "text that is not JSON"],
    ["another shape", '"web"', "JSON of another shape"],
  ])("does not take %s for an answer", async (_, body, problem) => {
    const { client, answer, requests } = await startRemote();
    answer(200, body);
    const error = await failure(operation(name)(client), ResponseFormatError);
    expect(error.message).toContain(problem);
    expect(requests).toHaveLength(1);
  });

  test("does not take half an answer for a whole one", async () => {
    const { client, account, simulator } = await startRemote();
    prepare(account);
    simulator.remote.service.faults.add({ kind: "truncate" });
    await failure(operation(name)(client), ConnectionError);
  });
});

describe.each(SENT_AGAIN)("%s", (name) => {
  test("is sent again after 5xx and after a broken connection: twice does no more than once", async () => {
    const { clientWith, account, answer, simulator, requests } = await startRemote();
    prepare(account);
    answer(503, "Unavailable");
    simulator.remote.service.faults.add({ kind: "reset" });
    await operation(name)(clientWith({ retries: 2 }));
    expect(requests).toHaveLength(3);
    expect(pauses).toHaveLength(2);
  });
});

function prepare(account: Awaited<ReturnType<typeof startRemote>>["account"]): void {
  account.addZone("web", { type: "static" });
  const snapshot = account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com" }]);
  snapshot.status = "ready";
  account.snapshots.set("s_ready", snapshot);
}

/** An address that nobody listens at: a port that was free a moment ago. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}
