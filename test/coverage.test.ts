import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../simulator";
import * as brightdata from "../src/index";
import {
  DATASET_OPERATIONS,
  MANAGER_OPERATIONS,
  NAMED_OPERATIONS,
  OPERATIONS,
  type Operation,
  REMOTE_OPERATIONS,
  type Scene,
} from "./contract";
import { COLLECTION_FAILURES, FAILURES } from "./contractFailures";

const ROOT = join(__dirname, "..");
const EXPORTS: Record<string, unknown> = brightdata;
const TESTS = globSync("test/**/*.test.ts", { cwd: ROOT, exclude: (path) => path === "test/coverage.test.ts" })
  .map((file) => readFileSync(join(ROOT, file), "utf8"))
  .join("\n");

const PORT = 24000;

/** Both services with one of everything, and a way to call the client's function of an operation. */
async function start() {
  const simulator = await startSimulator({
    seed: "seed",
    manager: { dropin: false, latestVersion: "9.0.0" },
    remote: { collectorPendingReads: 0 },
  });
  onTestFinished(() => simulator.close());
  const { account, manager } = simulator;
  const { name: zone, allocatedIps } = account.addZone("web", { type: "static", ips: 2 });
  const ip = allocatedIps[0]?.ip ?? "";
  manager.logIn();
  const settings = brightdata.readSettings(() => undefined, {
    ...simulator.environment(),
    BRIGHTDATA_LOG: "off",
    BRIGHTDATA_RETRIES: "0",
  });
  const clients = {
    manager: new brightdata.ManagerClient(settings),
    remote: new brightdata.RemoteClient(settings),
  };
  await clients.manager.ports.create({ port: PORT, zone, ips: [ip] });
  const ready = account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/" }]);
  ready.status = "ready";
  const scene: Scene = {
    simulator,
    port: PORT,
    zone,
    ip,
    ready,
    running: account.addSnapshot("gd_simulated", ["running"], []),
    deliveryId: account.addDelivery(ready, ["done"], { type: "webhook", filenames: [] }).id,
    responseId: account.addCollectorRun([{ title: "A page" }], 0).responseId,
  };
  manager.service.requests.length = 0;
  const call = async ({ service, client, args }: Operation, given = args?.(scene) ?? []): Promise<unknown> => {
    const [noun = "", name = ""] = client.split(".");
    const operations = Reflect.get(clients[service], noun) as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return operations[name]?.(...given);
  };
  return { simulator, scene, call };
}

const escaped = (text: string): string => text.replace(/[^\w/]/g, "\\$&");

/** A path, with anything for what stands in braces. */
const pattern = (path: string): string =>
  path
    .split(/\{\w+\}/)
    .map(escaped)
    .join("[^/]+");

test("these are all operations of the contract", () => {
  const counts = [MANAGER_OPERATIONS, NAMED_OPERATIONS, REMOTE_OPERATIONS, DATASET_OPERATIONS].map((all) => all.length);
  expect(counts).toEqual([9, 28, 6, 9]);
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(52);
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
  const { service, method, path, client, reachedBy, page } = operation;

  test("has a function of the client, which the simulated service answers", async () => {
    const { simulator, call } = await start();
    await call(operation);
    const answered = simulator[service].service.requests.map(({ status, ...request }) => ({
      line: `${request.method} ${request.path}`,
      ok: status >= 200 && status < 300,
    }));
    const line = expect.stringMatching(new RegExp(`^${method} ${pattern(path)}$`));
    expect(answered).toContainEqual({ line, ok: true });
  });

  test("has a test", () => {
    const [noun = "", name = ""] = client.split(".");
    const called = new RegExp(`\\.${noun}\\s*\\.${name}\\(`);
    expect(called.test(TESTS), `no test calls ${client}`).toBe(true);
  });

  test("is reached from a Pulumi program, or there is a reason why not", () => {
    if (typeof reachedBy === "string") expect(EXPORTS[reachedBy], reachedBy).toBeTypeOf("function");
    else expect(reachedBy.waived).toMatch(/^[A-Z].{40,}\.$/);
  });

  test("stands in the documents", () => {
    const named = new RegExp(`\\b${method} ${escaped(path)}(?![\\w/{])`);
    expect(named.test(readFileSync(join(ROOT, page), "utf8")), `${page} does not name ${method} ${path}`).toBe(true);
  });
});

describe("the table of errors", () => {
  test("is whole", () => {
    const rows = new Set(FAILURES.map(({ operation, status }) => `${operation} ${status}`));
    // The one that is missing there is the progress of a collection that failed.
    expect(rows.size + 1).toBe(27);
    expect(FAILURES.length + COLLECTION_FAILURES.length).toBe(53);
  });

  const cases = FAILURES.map(({ operation, status, body, ...failure }) => {
    const found = DATASET_OPERATIONS.find(({ name }) => name === operation);
    if (found === undefined) throw new Error(`There is no operation ${operation}.`);
    return { ...failure, name: operation, operation: found, status, body, words: JSON.stringify(body) };
  });

  test.each(cases)("$name: $status $words is a $error", async ({ operation, status, body, error }) => {
    const { simulator, call } = await start();
    const plain = typeof body === "string";
    simulator.remote.service.faults.add({
      kind: "respond",
      status,
      headers: { "content-type": plain ? "text/plain" : "application/json" },
      body: plain ? body : JSON.stringify(body),
    });
    await expect(call(operation)).rejects.toMatchObject({ name: error, status });
    expect(EXPORTS[error], `${error} is not exported`).toBeTypeOf("function");
  });

  test.each(cases.filter(({ provoke }) => provoke !== undefined))(
    "$name: the simulated service comes to $status $words by itself",
    async ({ operation, status, error, provoke }) => {
      const { scene, call } = await start();
      await expect(call(operation, provoke?.(scene))).rejects.toMatchObject({ name: error, status });
    },
  );

  test.each(COLLECTION_FAILURES)(
    "Progress: 200, failed, %j is a CollectionFailedError: %s",
    async (message, reason) => {
      const { scene, call } = await start();
      Object.assign(scene.running, { status: "failed", upcoming: [], errorMessage: message });
      const operation = DATASET_OPERATIONS.find(({ name }) => name === "Progress") as Operation;
      const progress = await call(operation, [scene.running.id]);
      expect(progress).toEqual({ snapshotId: scene.running.id, status: "failed", errorMessage: message });
      const context = { service: "remote", operation: "collect", method: "GET", url: "http://127.0.0.1/" } as const;
      expect(new brightdata.CollectionFailedError(context, message)).toMatchObject({ reason, serviceMessage: message });
    },
  );
});
