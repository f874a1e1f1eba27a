// What `downloadSnapshot` takes.
import { createRequire } from "node:module";
import { measured, readTask } from "./task.mts";

const require = createRequire(import.meta.url);
// As the command loads them: without the SDK.
const { downloadSnapshot } =
  require("../../dist/download/download.js") as typeof import("../../src/download/download.ts");
const { RemoteClient } = require("../../dist/remote/client.js") as typeof import("../../src/remote/client.ts");
const { readSettings } = require("../../dist/settings/settings.js") as typeof import("../../src/settings/settings.ts");

const { url, file, format, compress } = readTask();
const environment = { BRIGHTDATA_API_TOKEN: "b".repeat(36), BRIGHTDATA_BASE_URL: url };
const client = new RemoteClient(readSettings(() => undefined, environment));

// Loads the client, which is no part of the throughput.
await client.snapshots.progress("s_bench");
await measured(() => downloadSnapshot(client, { snapshotId: "s_bench", to: file, format, compress }));
