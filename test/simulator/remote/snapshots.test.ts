import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { listedRecords, type SnapshotRecord, syntheticRecords } from "../../../simulator/account/snapshot";
import type { RemoteBehaviour } from "../../../simulator/remote/behaviour";
import { type Harness, NOW, ok, refusal, startRemote } from "./harness";

interface SnapshotHarness extends Harness {
  snapshot: SnapshotRecord;
  /** The path of the snapshot's own calls. */
  path: string;
}

/** A snapshot that is ready, with two records. */
async function startSnapshot(behaviour: Partial<RemoteBehaviour> = {}, clock = () => NOW): Promise<SnapshotHarness> {
  const harness = await startRemote(behaviour, clock);
  const snapshot = harness.account.addSnapshot("gd_simulated", [], [{ url: "https://example.com/a", page: 1 }]);
  snapshot.records = listedRecords([
    { name: "Ann", note: 'says "hi", twice', tags: ["a"] },
    { name: "Bob", note: null, tags: [] },
  ]);
  return { ...harness, snapshot, path: `/datasets/v3/snapshot/${snapshot.id}` };
}

test("a snapshot goes on one state a poll, and stays in the last", async () => {
  const { call } = await startRemote();
  const triggered = await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [
    { url: "https://example.com/" },
  ]);
  const { snapshot_id: id } = triggered.body as { snapshot_id: string };
  for (const status of ["running", "running", "ready", "ready"]) {
    expect(await call("GET", `/datasets/v3/progress/${id}`)).toMatchObject(
      ok({ snapshot_id: id, dataset_id: "gd_simulated", status }),
    );
  }
});

test("a snapshot goes on with downloads as well", async () => {
  const { account, call } = await startRemote();
  const { id } = account.addSnapshot("gd_simulated", ["starting", "running", "ready"], [{ url: "a" }]);
  const download = async () => {
    const { status, body } = await call("GET", `/datasets/v3/snapshot/${id}`);
    return [status, (body as { status?: string }).status];
  };
  expect(await download()).toEqual([202, "starting"]);
  expect((await call("GET", `/datasets/v3/progress/${id}`)).body).toMatchObject({ status: "running" });
  expect(await download()).toEqual([200, undefined]);
});

test("a snapshot goes on with time", async () => {
  let now = NOW.getTime();
  const { account, call } = await startRemote({ snapshotStateMs: 1_000 }, () => new Date(now));
  const { id } = account.addSnapshot("gd_simulated", ["starting", "running", "ready"], [{ url: "a" }]);
  const listed = async () =>
    ((await call("GET", "/datasets/v3/snapshots?dataset_id=gd_simulated")).body as { status: string }[])[0]?.status;
  const states = [];
  for (let second = 0; second < 4; second++) {
    states.push(await listed());
    now += 1_000;
  }
  expect(states).toEqual(["starting", "starting", "running", "ready"]);
  expect(await call("GET", `/datasets/v3/snapshot/${id}`)).toMatchObject({ status: 200 });
});

test("a state of a snapshot lasts from the poll that found it", async () => {
  let now = NOW.getTime();
  const { account, call } = await startRemote({ snapshotStateMs: 1_000 }, () => new Date(now));
  const { id } = account.addSnapshot("gd_simulated", ["running", "ready"], [{ url: "a" }]);
  now += 900;
  expect((await call("GET", `/datasets/v3/progress/${id}`)).body).toMatchObject({ status: "running" });
  now += 900;
  expect((await call("GET", `/datasets/v3/log/${id}`)).body).toMatchObject({ status: "running" });
  now += 100;
  expect((await call("GET", `/datasets/v3/log/${id}`)).body).toMatchObject({ status: "ready" });
});

test("a snapshot can go through any states and fail", async () => {
  const { account, call } = await startRemote({ snapshotStates: ["collecting", "failed"] });
  await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [{ url: "https://example.com/" }]);
  const [snapshot] = account.snapshots.values();
  expect((await call("GET", `/datasets/v3/progress/${snapshot?.id}`)).body).toMatchObject({ status: "collecting" });
  expect((await call("GET", `/datasets/v3/progress/${snapshot?.id}`)).body).toEqual({
    status: "failed",
    error_message: "Something went wrong. Our team is looking into it.",
  });
  if (snapshot !== undefined) snapshot.errorMessage = "Account is suspended";
  expect((await call("GET", `/datasets/v3/progress/${snapshot?.id}`)).body).toMatchObject({
    error_message: "Account is suspended",
  });
});

test.each([
  [
    "",
    "application/json; charset=utf-8",
    '[{"name":"Ann","note":"says \\"hi\\", twice","tags":["a"]},{"name":"Bob","note":null,"tags":[]}]',
  ],
  [
    "?format=ndjson",
    "application/x-ndjson; charset=utf-8",
    '{"name":"Ann","note":"says \\"hi\\", twice","tags":["a"]}\n{"name":"Bob","note":null,"tags":[]}\n',
  ],
  [
    "?format=jsonl",
    "application/jsonl; charset=utf-8",
    '{"name":"Ann","note":"says \\"hi\\", twice","tags":["a"]}\n{"name":"Bob","note":null,"tags":[]}\n',
  ],
  ["?format=csv", "text/csv; charset=utf-8", 'name,note,tags\nAnn,"says ""hi"", twice","[""a""]"\nBob,,[]\n'],
])("a download has the records in the format asked for: %s", async (query, type, text) => {
  const { call, path } = await startSnapshot();
  const { body, ...answer } = await call("GET", path + query);
  expect(answer).toMatchObject({ status: 200, type });
  expect(typeof body === "string" ? body : JSON.stringify(body)).toBe(text);
});

test("a compressed download is a file and not an encoding", async () => {
  const { account, remote, path } = await startSnapshot();
  const response = await fetch(`${remote.url}${path}?format=ndjson&compress=true`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("content-encoding")).toBeNull();
  const lines = gunzipSync(Buffer.from(await response.arrayBuffer()))
    .toString()
    .split("\n");
  expect(lines).toHaveLength(3);
});

test("a download in parts has each record once", async () => {
  const { call, snapshot, path } = await startSnapshot();
  snapshot.records = syntheticRecords(2_500);
  expect((await call("GET", `${path}/parts?batch_size=1000`)).body).toEqual({ parts: 3 });
  expect((await call("GET", `${path}/parts`)).body).toEqual({ parts: 1 });
  const parts = await Promise.all([1, 2, 3].map((part) => call("GET", `${path}?batch_size=1000&part=${part}`)));
  expect(parts.map(({ body }) => (body as unknown[]).length)).toEqual([1_000, 1_000, 500]);
  expect(parts.flatMap(({ body }) => body)).toEqual(Array.from({ length: 2_500 }, (_, i) => snapshot.records.at(i)));
  expect((await call("GET", `${path}?batch_size=1000`)).body).toHaveLength(1_000);
});

test("the download of a large snapshot comes in chunks, and may be left early", async () => {
  const { account, remote, snapshot, path } = await startSnapshot();
  let made = 0;
  const source = syntheticRecords(1_000_000_000);
  snapshot.records = { count: source.count, at: (index) => ({ ...source.at(index), made: ++made }) };
  for (const query of ["format=ndjson", "format=json&compress=true"]) {
    const response = await fetch(`${remote.url}${path}?${query}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  }
  // Whatever the sockets hold in between, it is nothing like the whole.
  expect(made).toBeLessThan(source.count / 100);
});

test.each(["starting", "running", "canceled", "failed"])(
  "the download of a snapshot that is %s comes too early",
  async (status) => {
    const { call, snapshot, path, remote } = await startSnapshot();
    snapshot.status = status;
    expect(await call("GET", path)).toMatchObject({
      status: 202,
      body: { status, message: "Snapshot is not ready yet, try again in 10s" },
    });
    remote.behaviour.snapshotNotReadyStatus = 409;
    expect(await call("GET", path)).toMatchObject({
      status: 409,
      body: { error: "Snapshot is not ready for download" },
    });
  },
);

test("the download of a snapshot that failed can answer what the progress says", async () => {
  const { call, snapshot, path } = await startSnapshot({ failedDownload: "progress" });
  snapshot.status = "failed";
  const failed = { status: "failed", error_message: snapshot.errorMessage };
  expect(await call("GET", path)).toMatchObject(ok(failed));
  expect((await call("GET", `/datasets/v3/progress/${snapshot.id}`)).body).toEqual(failed);
});

test("a snapshot that is building, or builds although it is ready, is not downloaded yet", async () => {
  const { call, snapshot, path } = await startSnapshot();
  const building = { status: 202, body: { status: "building", message: "Snapshot is building. Try again in 10s" } };
  snapshot.status = "building";
  expect(await call("GET", path)).toMatchObject(building);
  snapshot.status = "ready";
  snapshot.buildingReads = 1;
  expect((await call("GET", `/datasets/v3/progress/${snapshot.id}`)).body).toMatchObject({ status: "ready" });
  expect(await call("GET", path)).toMatchObject(building);
  expect(await call("GET", path)).toMatchObject({ status: 200 });
});

test("the download of a snapshot that is expired or empty is refused", async () => {
  const { call, snapshot, path } = await startSnapshot();
  snapshot.expired = true;
  expect(await call("GET", path)).toEqual(refusal(400, "Snapshot is expired"));
  snapshot.expired = false;
  snapshot.records = listedRecords([]);
  expect(await call("GET", path)).toEqual(refusal(400, "Snapshot is empty"));
});

test("a download is refused after sixteen days", async () => {
  let now = NOW.getTime();
  const { call, path } = await startSnapshot({}, () => new Date(now));
  now += 16 * 86_400_000;
  expect(await call("GET", path)).toMatchObject({ status: 200 });
  now += 1;
  expect(await call("GET", path)).toEqual(refusal(400, "Snapshot is expired"));
});

test.each([
  ["?format=xml", '"format" must be one of json, ndjson, jsonl, csv'],
  ["?compress=yes", '"compress" must be a boolean'],
  ["?batch_size=999", '"batch_size" must be greater than or equal to 1000'],
  ["?batch_size=-1", '"batch_size" must be a number'],
  ["?part=1", '"part" requires "batch_size"'],
  ["?batch_size=1000&part=0", '"part" must be from 1 to 1'],
  ["?batch_size=1000&part=2", '"part" must be from 1 to 1'],
])("a download with %s fails validation", async (query, error) => {
  const { call, path } = await startSnapshot();
  expect(await call("GET", path + query)).toMatchObject({ status: 400, body: { validation_errors: [error] } });
});

describe("the rest of a snapshot", () => {
  test("the parts of a snapshot that is not ready are refused, and so are bad sizes", async () => {
    const { call, snapshot, path } = await startSnapshot();
    expect(await call("GET", `${path}/parts?batch_size=1`)).toMatchObject({
      status: 400,
      body: { validation_errors: [expect.stringContaining("batch_size")] },
    });
    snapshot.status = "running";
    expect(await call("GET", `${path}/parts`)).toEqual(refusal(400, "Snapshot is not ready"));
  });

  test("the input of a snapshot is CSV, while it is kept", async () => {
    const { call, snapshot, path } = await startSnapshot();
    expect(await call("GET", `${path}/input`)).toMatchObject({
      status: 200,
      type: "text/csv; charset=utf-8",
      body: "url,page\nhttps://example.com/a,1\n",
    });
    delete snapshot.input;
    expect(await call("GET", `${path}/input`)).toEqual(refusal(400, "Snapshot input does not exist"));
  });

  test("a snapshot that runs can be cancelled, once", async () => {
    const { call, snapshot, path } = await startSnapshot();
    expect(await call("POST", `${path}/cancel`)).toEqual(refusal(400, "Snapshot is not running"));
    snapshot.status = "running";
    snapshot.upcoming = ["running", "ready"];
    expect(await call("POST", `${path}/cancel`)).toMatchObject({
      status: 200,
      type: "text/plain; charset=utf-8",
      body: "OK",
    });
    expect((await call("GET", `/datasets/v3/progress/${snapshot.id}`)).body).toMatchObject({ status: "canceled" });
    expect(await call("POST", `${path}/cancel`)).toEqual(refusal(400, "Snapshot is not running"));
  });

  test("the log of a snapshot tells of the whole collection", async () => {
    const { call, snapshot } = await startSnapshot();
    expect((await call("GET", `/datasets/v3/log/${snapshot.id}`)).body).toEqual({
      id: snapshot.id,
      created: NOW.toISOString(),
      status: "ready",
      dataset_id: "gd_simulated",
      dataset_size: 2,
      trigger: { type: "API" },
      dataset_name: "Pages",
      scraper_name: "Pages",
      inputs_count: 1,
      discovery_collector_id: null,
      success_rate: 1,
    });
  });

  test.each([
    ["GET", "/datasets/v3/progress/s_nosuch"],
    ["GET", "/datasets/v3/log/s_nosuch"],
    ["GET", "/datasets/v3/snapshot/s_nosuch"],
    ["GET", "/datasets/v3/snapshot/s_nosuch/parts"],
    ["GET", "/datasets/v3/snapshot/s_nosuch/input"],
    ["POST", "/datasets/v3/snapshot/s_nosuch/cancel"],
    ["POST", "/datasets/v3/deliver/s_nosuch"],
  ])("%s %s does not exist", async (method, path) => {
    const { call, remote } = await startRemote();
    expect(await call(method, path)).toEqual(refusal(404, "Snapshot does not exist"));
    remote.behaviour.datasetErrors = "json";
    expect(await call(method, path)).toMatchObject({ status: 404, body: { error: "Snapshot does not exist" } });
  });
});

async function startList(): Promise<Harness & { ids: string[] }> {
  const harness = await startRemote();
  const snapshots = ["2026-03-01", "2026-03-02", "2026-03-03"].map((day) => {
    const snapshot = harness.account.addSnapshot("gd_simulated", [], [{ url: day }]);
    snapshot.created = `${day}T12:00:00.000Z`;
    return snapshot;
  });
  const [first, second] = snapshots;
  if (first !== undefined) first.status = "running";
  if (second !== undefined) second.triggeredBy = "CP";
  harness.account.addSnapshot("gd_other", [], [{ url: "other" }]);
  return { ...harness, ids: snapshots.map(({ id }) => id) };
}

test("the list shows each snapshot of the dataset", async () => {
  const { call, ids } = await startList();
  expect((await call("GET", "/datasets/v3/snapshots?dataset_id=gd_simulated")).body).toEqual([
    {
      id: ids[0],
      created: "2026-03-01T12:00:00.000Z",
      status: "running",
      dataset_id: "gd_simulated",
      dataset_size: 0,
      trigger: { type: "API" },
    },
    {
      id: ids[1],
      created: "2026-03-02T12:00:00.000Z",
      status: "ready",
      dataset_id: "gd_simulated",
      dataset_size: 1,
      trigger: { type: "CP" },
    },
    {
      id: ids[2],
      created: "2026-03-03T12:00:00.000Z",
      status: "ready",
      dataset_id: "gd_simulated",
      dataset_size: 1,
      trigger: { type: "API" },
    },
  ]);
});

test.each([
  ["status=ready", [1, 2]],
  ["trigger_type=CP", [1]],
  ["trigger_type=ALL", [0, 1, 2]],
  ["skip=1", [1, 2]],
  ["limit=2", [0, 1]],
  ["skip=1&limit=1", [1]],
  ["from_date=2026-03-02", [1, 2]],
  ["to_date=2026-03-02", [0, 1]],
  ["from_date=2026-03-02&to_date=2026-03-02&status=ready", [1]],
])("the list can be asked for with %s", async (query, expected) => {
  const { call, ids } = await startList();
  const { body } = await call("GET", `/datasets/v3/snapshots?dataset_id=gd_simulated&${query}`);
  expect((body as { id: string }[]).map(({ id }) => ids.indexOf(id))).toEqual(expected);
});

test("the list shows a new snapshot after some looks", async () => {
  const { call } = await startRemote({ snapshotVisibleAfterReads: 2 });
  await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [{ url: "https://example.com/" }]);
  const lengths = [];
  for (let looks = 0; looks < 3; looks++)
    lengths.push(((await call("GET", "/datasets/v3/snapshots?dataset_id=gd_simulated")).body as unknown[]).length);
  expect(lengths).toEqual([0, 0, 1]);
});

test("the list can have its total", async () => {
  const { call } = await startList();
  const { body } = await call("GET", "/datasets/v3/snapshots?dataset_id=gd_simulated&with_total=true&limit=1");
  expect(body).toMatchObject({ total: 3, snapshots: [{ status: "running" }] });
});

test.each([
  ["", '"dataset_id" is required'],
  ["?dataset_id=gd_simulated&status=done", '"status" must be one of starting, running, ready, failed'],
  ["?dataset_id=gd_simulated&trigger_type=cp", '"trigger_type" must be one of ALL, CP, API'],
  ["?dataset_id=gd_simulated&limit=5001", '"limit" must be from 1 to 5000'],
  ["?dataset_id=gd_simulated&skip=x", '"skip" must be a number'],
  ["?dataset_id=gd_simulated&from_date=today", '"from_date" must be a date (YYYY-MM-DD)'],
])("the list with %s fails validation", async (query, error) => {
  const { call } = await startRemote();
  expect(await call("GET", `/datasets/v3/snapshots${query}`)).toMatchObject({
    status: 400,
    body: { validation_errors: [error] },
  });
});

test.each([
  ["POST", "/datasets/v3/trigger?dataset_id=gd_simulated"],
  ["GET", "/datasets/v3/progress/s_1"],
  ["GET", "/datasets/v3/delivery/d_1"],
  ["GET", "/datasets/v3/snapshots?dataset_id=gd_simulated"],
])("%s %s can have an internal error", async (method, path) => {
  const { call, remote } = await startRemote();
  remote.service.faults.add({ kind: "respond", status: 500, body: "Internal server error" });
  expect(await call(method, path)).toMatchObject({ status: 500, body: "Internal server error" });
});
