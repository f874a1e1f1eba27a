import { expect, test } from "vitest";
import { PermissionError } from "../../src/base/errors";
import { getManagerVersions } from "../../src/generated";
import { startManager } from "./harness";

test("getManagerVersions are what runs, the newest one, and Node.js", async () => {
  const { asked } = await startManager([], { manager: { version: "1.570.247", latestVersion: "1.644.172" } });
  const { running, latest, node } = await getManagerVersions();
  expect(running.version).toBe("1.570.247");
  expect(latest).toMatchObject({ version: "1.644.172", newer: true });
  expect(node.current).toMatch(/^\d+\.\d+\.\d+$/);
  expect(asked().sort()).toEqual(["GET /api/last_version", "GET /api/node_version", "GET /api/version"]);
});

test("getManagerVersions do without the newest one while the manager cannot reach its vendor", async () => {
  await startManager([], { manager: { vendorReachable: false } });
  const versions = await getManagerVersions();
  expect(Object.keys(versions)).toEqual(["running", "node"]);
});

test("getManagerVersions do without the newest one where its vendor does not tell the manager", async () => {
  const { faults } = await startManager();
  const headers = { "content-type": "application/json" };
  faults.add({ path: "/api/last_version", kind: "respond", status: 200, headers, body: '{"versions":[]}' });
  const versions = await getManagerVersions();
  expect(Object.keys(versions)).toEqual(["running", "node"]);
});

test("getManagerVersions do not pass over a refusal", async () => {
  const { faults } = await startManager();
  faults.add({ path: "/api/last_version", kind: "respond", status: 403 });
  await expect(getManagerVersions()).rejects.toBeInstanceOf(PermissionError);
});
