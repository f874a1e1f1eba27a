import { expect, test } from "vitest";
import { ResponseFormatError, ServerError } from "../../src/base/errors";
import { failure, startManager } from "./harness";

test("tells the version that runs, and not its command line", async () => {
  const { client, requests, request, answer } = await startManager();
  expect(await client.versions.running()).toEqual({ version: "1.570.247", upgraded: false, backupExists: false });
  expect(requests).toEqual([request({ method: "GET", path: "/api/version" })]);
  answer(200, { version: "1.571.0", argv: "--password secret", is_upgraded: true, backup_exist: true });
  expect(await client.versions.running()).toEqual({ version: "1.571.0", upgraded: true, backupExists: true });
});

test("tells the newest version, and whether it is newer", async () => {
  const { client, manager, requests, request } = await startManager();
  expect(await client.versions.latest()).toEqual({ version: "1.570.247", newer: false, releases: [] });
  expect(requests).toEqual([request({ method: "GET", path: "/api/last_version" })]);
  manager.state.latestVersion = "1.600.1";
  expect(await client.versions.latest()).toEqual({ version: "1.600.1", newer: true, releases: [] });
});

test("tells what the versions brought", async () => {
  const { client, answer } = await startManager();
  answer(200, {
    version: "1.600.1",
    versions: [{ ver: "1.600.1", type: "stable", changes: [{ type: "bug", text: "Fix it" }] }, { ver: "1.599.0" }],
  });
  expect(await client.versions.latest()).toEqual({
    version: "1.600.1",
    newer: false,
    releases: [
      { version: "1.600.1", type: "stable", changes: [{ type: "bug", text: "Fix it" }] },
      { version: "1.599.0", changes: [] },
    ],
  });
});

test.each(["404: Not Found", null, undefined])(
  "tells the newest version where the list of all is %j",
  async (versions) => {
    const { client, answer } = await startManager();
    answer(200, { version: "1.600.1", newer: true, versions });
    expect(await client.versions.latest()).toEqual({ version: "1.600.1", newer: true, releases: [] });
  },
);

test("says what to do when the manager cannot reach its vendor", async () => {
  const { client } = await startManager({ vendorReachable: false });
  const error = await failure(client.versions.latest(), ServerError);
  expect(error.serviceMessage).toBe("getaddrinfo ENOTFOUND brightdata.com");
  expect(error.message).toMatch(/^Could not ask for the newest version .+ check the network of the machine/);
});

test("tells the version of Node.js", async () => {
  const { client, requests, request } = await startManager();
  expect(await client.versions.node()).toEqual({
    current: process.versions.node,
    satisfied: true,
    recommended: ">=20.12.1",
  });
  expect(requests).toEqual([request({ method: "GET", path: "/api/node_version" })]);
});

test("knows the desktop edition's answer", async () => {
  const { client, answer } = await startManager();
  answer(200, { is_electron: true });
  expect(await client.versions.node()).toEqual({});
});

test("reports an answer of another shape", async () => {
  const { client, answer } = await startManager();
  answer(200, { current: "20" });
  await failure(client.versions.running(), ResponseFormatError);
  answer(200, "<!doctype html><html></html>");
  await failure(client.versions.latest(), ResponseFormatError);
});
