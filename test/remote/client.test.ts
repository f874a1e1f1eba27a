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
} from "../../src/base/errors";
import type { CallOptions } from "../../src/http/call";
import { RemoteClient } from "../../src/remote/client";
import { SETTINGS } from "../../src/settings/definitions";
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
const apiToken = { value: TOKEN, source: "the environment (BRIGHTDATA_API_TOKEN)", setting: SETTINGS.apiToken };

test("a client heeds what another client of the same service and person was told", async () => {
  const { clientWith, answer, requests } = await startRemote();
  answer(429, "Slow down", { "retry-after": "3600" });
  await failure(clientWith({}).zones.listAll(), RateLimitError);
  const error = await failure(clientWith({}).account.status(), RateLimitError);
  expect(error.message).toMatch(
    /^Could not read the account's status: nothing was sent, because http:\S+ has answered 429 \(too many requests\) and asked for a long pause\. Try again in 3\d{3} s, at /,
  );
  expect(requests).toHaveLength(1);
});

test("a client sends a service that answers nothing but 429 no more than ten requests, whatever it is asked for", async () => {
  const { clientWith, simulator, requests } = await startRemote();
  const forEver = {
    kind: "respond",
    status: 429,
    headers: { "retry-after": "0.01" },
    times: Number.POSITIVE_INFINITY,
  } as const;
  simulator.remote.service.faults.add(forEver);
  const client = clientWith({ retries: 3 });
  const names = Array.from({ length: 30 }, (_, index) => `zone_${index}`);
  await Promise.all(names.map((name) => failure(client.zones.get(name), RateLimitError)));
  expect(requests).toHaveLength(10);
});

const CHECK_ZONE =
  "Check the zone's name, and that the token is of its account. Where somebody has deleted a declared zone, `pulumi up --refresh` makes it again.";

test.each([
  [400, "no IPs available", "Ask for fewer, choose another country or city, or try again later."],
  [400, "Wrong zone plan", "Name a zone whose plan has IPs of its own."],
  [422, "Zone not found", CHECK_ZONE],
  [400, "the zone does not exist", CHECK_ZONE],
  [402, "Payment required", "Check in the control panel whether the account is active and has funds."],
  [422, "Customer has invalid status", "Check in the control panel whether the account is active and has funds."],
  [422, "", "Check the zone's name and plan, and whether the account is active and has funds."],
])("an error says what to do about %i %j", async (status, words, remedy) => {
  const { client, answer } = await startRemote();
  answer(status, words);
  const error = await failure(client.ips.list("web"), ServiceError);
  expect(error.message).toMatch(/^Could not list the IPs of zone "web": GET /);
  expect(error.message.endsWith(` answered ${status}${words && `: ${words}`}. ${remedy}`)).toBe(true);
});

test("an error says nothing more than the service where only that knows what to do", async () => {
  const { client, answer } = await startRemote();
  answer(400, "Invalid IP");
  expect((await failure(client.ips.list("web"), InvalidRequestError)).message).toMatch(/ answered 400: Invalid IP\.$/);
});

test("a client needs a token", () => {
  const make = () => new RemoteClient({ ...settings, baseUrl: "https://api.example" });
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(
    "There is no Bright Data API token. Set it with `pulumi config set --secret brightdata:apiToken <value>` or the environment variable BRIGHTDATA_API_TOKEN.",
  );
});

test("a client sends no token in clear over a network", () => {
  const make = () => new RemoteClient({ ...settings, apiToken, baseUrl: "http://api.example" });
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(/http:\/\/api\.example is plain http and not this machine/);
});

test("a client keeps the path of its base URL", async () => {
  const { clientWith, simulator, requests } = await startRemote();
  await clientWith({ baseUrl: `${simulator.remote.url}/prefix` })
    .zones.listAll()
    .catch(() => undefined);
  expect(requests[0]?.path).toBe("/prefix/zone/get_all_zones");
});

type Operation = (client: RemoteClient, options?: CallOptions) => Promise<unknown>;

const IP = "198.51.100.1";

/** Operations that may be sent twice, and answer JSON; each on something that is there. */
const READS: Record<string, Operation> = {
  "zones.get": (client, options) => client.zones.get("web", options),
  "zones.listAll": (client, options) => client.zones.listAll(options),
  "zones.listActive": (client, options) => client.zones.listActive(options),
  "zones.status": (client, options) => client.zones.status("web", options),
  "zones.permissions": (client, options) => client.zones.permissions("web", options),
  "zones.recentIps": (client, options) => client.zones.recentIps("*", options),
  "passwords.list": (client, options) => client.passwords.list("web", options),
  "access.listAllowedIps": (client, options) => client.access.listAllowedIps("*", options),
  "access.listDeniedIps": (client, options) => client.access.listDeniedIps("*", options),
  "access.removeAllowedDomains": (client, options) => client.access.removeAllowedDomains("web", ["a.example"], options),
  "access.removeDeniedDomains": (client, options) => client.access.removeDeniedDomains("web", ["a.example"], options),
  "ips.list": (client, options) => client.ips.list("web", options),
  "ips.countByCountry": (client, options) => client.ips.countByCountry("web", options),
  "ips.listGips": (client, options) => client.ips.listGips("res", options),
  "ips.listUnavailable": (client, options) => client.ips.listUnavailable(options),
  "ips.listPendingReplacement": (client, options) => client.ips.listPendingReplacement("web", options),
  "ips.remove": (client, options) => client.ips.remove("web", [IP], options),
  "ips.removeGips": (client, options) => client.ips.removeGips("res", ["us_1"], options),
  "account.status": (client, options) => client.account.status({}, options),
  "account.balance": (client, options) => client.account.balance(options),
  "account.networkStatus": (client, options) => client.account.networkStatus("all", options),
  "usage.bandwidth": (client, options) => client.usage.bandwidth("web", {}, options),
  "usage.accountBandwidth": (client, options) => client.usage.accountBandwidth({}, options),
  "usage.cost": (client, options) => client.usage.cost("web", {}, options),
  "snapshots.list": (client, options) => client.snapshots.list({ datasetId: "gd_simulated" }, options),
  "snapshots.progress": (client, options) => client.snapshots.progress("s_ready", options),
  "snapshots.parts": (client, options) => client.snapshots.parts("s_ready", {}, options),
  "deliveries.status": (client, options) => client.deliveries.status("dl_1", options),
};

/** Operations that may be sent twice, and answer something else. */
const OTHERS: Record<string, Operation> = {
  "zones.setDisabled": (client, options) => client.zones.setDisabled("web", true, options),
  "zones.setFullUptime": (client, options) => client.zones.setFullUptime("web", true, options),
  "zones.remove": (client, options) => client.zones.remove("web", options),
  "access.allowIps": (client, options) => client.access.allowIps("web", [IP], options),
  "access.denyIps": (client, options) => client.access.denyIps("web", [IP], options),
  "access.removeAllowedIp": (client, options) => client.access.removeAllowedIp("web", IP, options),
  "access.removeDeniedIp": (client, options) => client.access.removeDeniedIp("web", IP, options),
  "access.allowDomains": (client, options) => client.access.allowDomains("web", ["a.example"], options),
  "access.denyDomains": (client, options) => client.access.denyDomains("web", ["a.example"], options),
  "snapshots.records": (client, options) => client.snapshots.records("s_ready", { limit: 1, ...options }),
  "snapshots.input": (client, options) => client.snapshots.input("s_ready", options),
  "collector.getResult": (client, options) => client.collector.getResult("z1", options),
};

/** Operations that do something each time that they are sent. */
const SENT_ONCE: Record<string, Operation> = {
  "zones.create": (client, options) => client.zones.create({ name: "new", plan: { type: "static" } }, options),
  "passwords.add": (client, options) => client.passwords.add("web", ["third-one"], options),
  "passwords.remove": (client, options) => client.passwords.remove("web", ["first-one"], options),
  "ips.migrate": (client, options) => client.ips.migrate({ from: "web", to: "shop", ips: [IP] }, options),
  "ips.refresh": (client, options) => client.ips.refresh("web", { all: true }, options),
  "collections.trigger": (client, options) =>
    client.collections.trigger({ datasetId: "gd_simulated", input: [{ url: "https://example.com" }] }, options),
  "collections.cancel": (client, options) => client.collections.cancel("s_running", options),
  "deliveries.deliver": (client, options) =>
    client.deliveries.deliver(
      "s_ready",
      { storage: { type: "email", address: "a@example.com" }, filename: { template: "a", extension: "json" } },
      options,
    ),
  "collector.triggerImmediate": (client, options) => client.collector.triggerImmediate("c_1", { url: "a" }, options),
};

const SENT_AGAIN: Record<string, Operation> = { ...READS, ...OTHERS };
const OPERATIONS: Record<string, Operation> = { ...SENT_AGAIN, ...SENT_ONCE };

const operation = (name: string): Operation => OPERATIONS[name] as Operation;

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
    expect(error.message).toContain("The token came from the environment (BRIGHTDATA_API_TOKEN), ");
    expect(error.message).toContain("The token [secret] is unknown (Bearer [secret])");
    expect(JSON.stringify(error)).not.toContain(TOKEN);
  });

  test("says how to correct a refused token in the place where it came from", async () => {
    const { clientWith, answer } = await startRemote();
    const environment = "the environment (BRIGHTDATA_API_TOKEN)";
    const configuration = "the stack's configuration (brightdata:apiToken)";
    const refusalOf = async (source: string): Promise<string> => {
      answer(401, "Customer not found");
      return (
        await failure(
          run(clientWith({ apiToken: { value: TOKEN, source, setting: SETTINGS.apiToken } })),
          AuthenticationError,
        )
      ).message;
    };
    expect(await refusalOf(environment)).toMatch(
      /The token came from the environment \(BRIGHTDATA_API_TOKEN\), which comes before the stack's configuration\. Correct that variable, or unset it to use brightdata:apiToken of the stack's configuration\.$/,
    );
    expect(await refusalOf(configuration)).toMatch(
      /The token came from the stack's configuration \(brightdata:apiToken\)\. Set it with `pulumi config set --secret brightdata:apiToken <value>` or the environment variable BRIGHTDATA_API_TOKEN\. A refresh or destroy reads/,
    );
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
    answer(429, "Slow down", { "retry-after": "0.01" });
    await run(clientWith({ retries: 1 }));
    expect(requests).toHaveLength(2);
    expect(requests[0]).toEqual({ ...requests[1], status: 429 });
    expect(requests[1]?.status).toBeLessThan(300);
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
    await expect(run(client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe.each(Object.keys(READS))("%s", (name) => {
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

describe.each(Object.keys(SENT_AGAIN))("%s", (name) => {
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

describe.each(Object.keys(SENT_ONCE))("%s", (name) => {
  test("is sent once when it is not known what became of it", async () => {
    const { clientWith, account, answer, simulator, requests } = await startRemote();
    prepare(account);
    const client = clientWith({ retries: 3 });
    answer(503, "Unavailable");
    await failure(operation(name)(client), ServerError);
    simulator.remote.service.faults.add({ kind: "reset-after" });
    const error = await failure(operation(name)(client), ConnectionError);
    expect(error.settled).toBe(false);
    expect(requests).toHaveLength(2);
    expect(pauses).toEqual([]);
  });
});

function prepare(account: Awaited<ReturnType<typeof startRemote>>["account"]): void {
  const web = account.addZone("web", { type: "static" });
  web.allocatedIps = [{ ip: IP, country: "us" }];
  web.password = ["first-one", "second-one"];
  account.addZone("shop", { type: "static" });
  const res = account.addZone("res", {
    type: "resident",
    vip: true,
    vips_type: "domain",
    domain_whitelist: "a.example",
  });
  res.allocatedGips = [{ vip: "us_1", country: "us" }];
  const snapshot = account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com" }]);
  snapshot.status = "ready";
  account.snapshots.set("s_ready", snapshot);
  account.snapshots.set("s_running", account.addSnapshot("gd_simulated", ["running"], []));
  account.deliveries.set("dl_1", account.addDelivery(snapshot, ["done"], { type: "email", filenames: ["a.json"] }));
  account.collectorRuns.set("z1", account.addCollectorRun([{ title: "a" }], 0));
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
