import { expect, test } from "vitest";
import { ResponseFormatError, ServiceError } from "../../src/base/errors";
import type { RemoteClient } from "../../src/remote/client";
import { failure, startRemote } from "./harness";

const PAGE = "<!DOCTYPE html><html><title>Sign in</title></html>";

const OPERATIONS: Record<string, (client: RemoteClient) => Promise<unknown>> = {
  "zones.create": ({ zones }) => zones.create({ name: "web", plan: { type: "static" } }),
  "zones.setDisabled": ({ zones }) => zones.setDisabled("web", true),
  "zones.setFullUptime": ({ zones }) => zones.setFullUptime("web", true),
  "zones.remove": ({ zones }) => zones.remove("web"),
  "passwords.add": ({ passwords }) => passwords.add("web", ["secret-1"]),
  "passwords.remove": ({ passwords }) => passwords.remove("web", ["secret-1"]),
  "access.allowIps": ({ access }) => access.allowIps("web", ["203.0.113.7"]),
  "access.removeAllowedIp": ({ access }) => access.removeAllowedIp("web", "203.0.113.7"),
  "access.allowDomains": ({ access }) => access.allowDomains("web", ["example.com"]),
  "access.removeAllowedDomains": ({ access }) => access.removeAllowedDomains("web", ["example.com"]),
  "ips.add": ({ ips }) => ips.add("web", { count: 1 }),
  "ips.remove": ({ ips }) => ips.remove("web", ["203.0.113.7"]),
  "ips.removeGips": ({ ips }) => ips.removeGips("web", ["gip"]),
  "ips.refresh": ({ ips }) => ips.refresh("web", { all: true }),
  "ips.migrate": ({ ips }) => ips.migrate({ from: "web", to: "other", ips: ["203.0.113.7"] }),
  "collections.trigger": ({ collections }) => collections.trigger({ datasetId: "gd_1", input: [{ url: "a" }] }),
  "collections.cancel": ({ collections }) => collections.cancel("s_1"),
  "collector.triggerImmediate": ({ collector }) => collector.triggerImmediate("c_1", {}),
  "collector.getResult": ({ collector }) => collector.getResult("r_1"),
  "deliveries.deliver": ({ deliveries }) =>
    deliveries.deliver("s_1", {
      storage: { type: "webhook", endpoint: "https://example.com" },
      filename: { template: "a", extension: "json" },
    }),
  "snapshots.input": ({ snapshots }) => snapshots.input("s_1"),
  "snapshots.download": async ({ snapshots }) => {
    for await (const _ of await snapshots.download("s_1", { format: "csv" }));
  },
};

test.each(Object.entries(OPERATIONS))("%s does not take a page with status 200 for a success", async (_, operation) => {
  const { client, answer } = await startRemote();
  answer(200, PAGE);
  const error = await failure(operation(client), ResponseFormatError);
  expect(error).toMatchObject({ settled: false });
  expect(error.message).toContain("an HTML page");
});

// Each row of a collector, and of a snapshot, may have an error of its own.
const DONE = Object.entries(OPERATIONS).filter(
  ([name]) => !["collector.getResult", "snapshots.download"].includes(name),
);

test.each(DONE)("%s does not take an error with status 200 for a success", async (_, operation) => {
  const { client, answer } = await startRemote();
  answer(200, { error: "Zone is locked, try again later" });
  const error = await failure(operation(client), ServiceError);
  expect(error).toMatchObject({ settled: false });
  expect(error.message).toContain("answered 200: Zone is locked, try again later");
});

test("access.removeAllowedDomains takes an answer without an error for one that lists none", async () => {
  const { client, answer } = await startRemote();
  for (const body of [{}, { error: null }]) {
    answer(200, body);
    await expect(client.access.removeAllowedDomains("web", ["example.com"])).resolves.toEqual([]);
  }
});

test("zones.create takes both answers that a new zone has been seen with", async () => {
  const { client, answer } = await startRemote();
  for (const body of ["Zone added", { zone: "web" }]) {
    answer(201, body);
    await expect(client.zones.create({ name: "web", plan: { type: "static" } })).resolves.toBeUndefined();
  }
});

test.each([
  ["a status", 302, {}],
  ["a header beside a success", 200, { "x-brd-error": "zone is suspended" }],
  ["202", 202, {}],
])("%s does not mean that nothing was done", async (_, status, headers) => {
  const { client, answer } = await startRemote();
  answer(status, "OK", headers);
  const error = await client.zones.remove("web").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ServiceError", status, settled: false });
});
