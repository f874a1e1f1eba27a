import { expect, test } from "vitest";
import { ConnectionError, PermissionError, ServerError, TimeoutError } from "../../src/base/errors";
import { failure, startManager } from "./harness";

// The answer of `GET /api/version`.
const VERSION = JSON.stringify({ version: "1.0.0" });

test("upgrades to a newer version, which the next start runs", async () => {
  const { client, manager, requests, request } = await startManager({ latestVersion: "1.600.1" });
  expect(await client.process.upgrade()).toEqual({ upgraded: true, version: "1.600.1" });
  expect(requests).toEqual([
    request({ method: "GET", path: "/api/last_version" }),
    request({ method: "POST", path: "/api/upgrade" }),
  ]);
  await client.process.restart();
  await manager.settled();
  expect(await client.versions.running()).toMatchObject({ version: "1.600.1" });
});

test("does not ask for an upgrade that has nothing to do: it would never be answered", async () => {
  const { client, requests, request } = await startManager();
  expect(await client.process.upgrade()).toEqual({ upgraded: false, version: "1.570.247" });
  expect(requests).toEqual([request({ method: "GET", path: "/api/last_version" })]);
});

test("upgrades without asking where that is called for", async () => {
  const { client, requests, request } = await startManager({ latestVersion: "1.600.1", vendorReachable: false });
  await client.process.upgradeUnasked();
  expect(requests).toEqual([request({ method: "POST", path: "/api/upgrade" })]);
});

test("says why the version could not be installed", async () => {
  const { client, manager } = await startManager({ latestVersion: "1.600.1" });
  manager.state.upgradeError = "npm ERR! EACCES";
  const error = await failure(client.process.upgrade(), ServerError);
  expect(error.message).toContain("Could not upgrade the Proxy Manager:");
  expect(error.message).toContain("npm ERR! EACCES. The manager could not install the version");
});

test("does not take a caller who may not call for a failed upgrade", async () => {
  const { client, answer } = await startManager({ latestVersion: "1.600.1" });
  answer(200, { version: "1.600.1", newer: true });
  answer(403, "Connection from your IP is forbidden. If you want to access this site ask the administrator");
  const error = await failure(client.process.upgrade(), PermissionError);
  expect(error.message).toContain("Run this on the manager's own machine");
});

test("restarts, and waits for the process that comes after", async () => {
  const { client, manager, requests, request } = await startManager();
  await client.process.restart();
  await manager.settled();
  const query = { probe: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  const probe = request({ method: "GET", path: "/api/version", query });
  expect(requests.slice(0, 2)).toEqual([probe, request({ method: "POST", path: "/api/restart" })]);
  const after = requests.slice(2);
  expect(after.length).toBeGreaterThan(0);
  expect(new Set(requests.filter(({ method }) => method === "GET").map((made) => made.query.probe)).size).toBe(1);
});

test("goes on asking while the old process answers, and while none does", async () => {
  const { client, manager, requests } = await startManager();
  const plan = manager.service.faults;
  // All let the first request through, which comes before the restart.
  const later = { method: "GET", after: 1 };
  const old = { "content-type": "application/json", ratelimit: "limit=2000, remaining=1998, reset=60" };
  plan.add({ ...later, kind: "respond", status: 200, headers: old, body: VERSION });
  plan.add({ ...later, kind: "reset" });
  plan.add({ ...later, kind: "respond", status: 503, body: "not yet" });
  await client.process.restart();
  const probes = requests.filter(({ method }) => method === "GET");
  expect(probes.map(({ status }) => status)).toEqual([200, 200, 0, 503, 200]);
});

test("reads the newer way of counting", async () => {
  const { client, manager, requests } = await startManager();
  for (const left of [1999, 1998, 1999]) {
    const headers = { ratelimit: `"2000-in-1min"; r=${left}; t=60` };
    manager.service.faults.add({ method: "GET", kind: "respond", status: 200, headers, body: VERSION });
  }
  await client.process.restart();
  expect(requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET", "GET"]);
});

test("takes a manager that does not count to be back when it answers", async () => {
  const { client, manager, requests } = await startManager();
  manager.service.faults.add({ method: "GET", kind: "respond", status: 200, body: VERSION });
  await client.process.restart();
  expect(requests.at(-1)).toMatchObject({ method: "GET", path: "/api/version", status: 200 });
});

test("gives up on a manager that does not come back", async () => {
  const { client, manager } = await startManager();
  manager.service.faults.add({ kind: "hang", method: "GET", after: 1, times: Number.POSITIVE_INFINITY });
  const error = await failure(client.process.restart({ wait: 0.3 }), TimeoutError);
  expect(error.message).toContain("gave up waiting for the restarted manager's first answer");
  expect(error.seconds).toBe(0.3);
});

test("says of a manager that does not run beforehand that it could not be restarted", async () => {
  const { client, manager } = await startManager();
  await client.process.shutdown();
  await manager.settled();
  const error = await failure(client.process.restart(), ConnectionError);
  expect(error.message).toMatch(/^Could not restart the Proxy Manager: http:.* cannot be reached /);
});

test("does not wait where it is not to", async () => {
  const { client, manager, requests, request } = await startManager();
  await client.process.restart({ wait: 0 });
  await manager.settled();
  expect(requests).toEqual([request({ method: "POST", path: "/api/restart" })]);
});

test("stops waiting with the caller's signal", async () => {
  const { client, manager, requests } = await startManager();
  manager.service.faults.add({ kind: "hang", method: "GET", after: 1 });
  const stop = new AbortController();
  const reason = new Error("enough");
  const restarted = client.process.restart({ signal: stop.signal });
  restarted.catch(() => undefined);
  await expect.poll(() => requests.length).toBe(3);
  stop.abort(reason);
  await expect(restarted).rejects.toBe(reason);
});

test("shuts the manager down", async () => {
  const { client, manager, requests, request } = await startManager();
  await client.process.shutdown();
  await manager.settled();
  expect(requests).toEqual([request({ method: "POST", path: "/api/shutdown" })]);
  await failure(client.versions.running(), ConnectionError);
});

test.each(["restart", "shutdown"] as const)("a manager in the cloud refuses %s", async (name) => {
  const { client, answer } = await startManager();
  if (name === "restart") answer(200, { version: "1.0.0" });
  answer(403, "This action is not allowed in Cloud");
  const error = await failure(client.process[name](), PermissionError);
  expect(error.message).toContain("is started, stopped and upgraded by the vendor");
});
