import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { array, assert, asyncProperty, dictionary, integer, jsonValue, string } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { listedRecords, syntheticRecords } from "../../simulator";
import {
  ArgumentError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
  ServerError,
  ServiceError,
} from "../../src/base/errors";
import { RECORD_LIMIT } from "../../src/model/recordLimit";
import { CollectionFailedError } from "../../src/remote/collectionErrors";
import {
  RecordTooLargeError,
  SnapshotEmptyError,
  SnapshotExpiredError,
  SnapshotNotFoundError,
  SnapshotNotReadyError,
} from "../../src/remote/snapshotErrors";
import { serve } from "../http/loopback";
import { failure, NOW, type Remote, startRemote } from "./harness";

const DATASET = "gd_simulated";
const READY = ["ready"];

/** A snapshot that is ready, with as many records as asked for. */
async function ready(remote: Remote, count: number) {
  const snapshot = remote.account.addSnapshot(DATASET, READY, []);
  snapshot.status = "ready";
  snapshot.records = syntheticRecords(count);
  return snapshot;
}

test("list asks with every filter, in the service's spelling", async () => {
  const { client, requests, request } = await startRemote();
  await client.snapshots.list({
    datasetId: DATASET,
    status: "ready",
    skip: 0,
    limit: 10,
    fromDate: "2026-03-01",
    toDate: "2026-03-31",
    triggerType: "API",
  });
  expect(requests).toEqual([
    request({
      method: "GET",
      path: "/datasets/v3/snapshots",
      query: {
        dataset_id: DATASET,
        status: "ready",
        skip: "0",
        limit: "10",
        from_date: "2026-03-01",
        to_date: "2026-03-31",
        trigger_type: "API",
      },
    }),
  ]);
});

test("list says what the service says, by its own names", async () => {
  const remote = await startRemote();
  const first = await ready(remote, 3);
  const second = remote.account.addSnapshot(DATASET, ["running"], [{ url: "https://example.com" }]);
  second.triggeredBy = "CP";
  remote.account.addSnapshot("gd_other", READY, []);
  await expect(remote.client.snapshots.list({ datasetId: DATASET })).resolves.toEqual([
    {
      snapshotId: first.id,
      datasetId: DATASET,
      status: "ready",
      created: NOW.toISOString(),
      size: 3,
      triggerType: "API",
    },
    {
      snapshotId: second.id,
      datasetId: DATASET,
      status: "running",
      created: NOW.toISOString(),
      size: 0,
      triggerType: "CP",
    },
  ]);
  expect(remote.requests[0]?.query).toEqual({ dataset_id: DATASET });
});

test.each([
  [null, []],
  [[], []],
  [[{ id: "s_1", status: "new_state" }], [{ snapshotId: "s_1", status: "new_state" }]],
  [[{ id: "s_1", status: "ready", trigger: {}, created: null }], [{ snapshotId: "s_1", status: "ready" }]],
])("list reads %j", async (answered, snapshots) => {
  const { client, answer } = await startRemote();
  answer(200, answered);
  await expect(client.snapshots.list({ datasetId: DATASET })).resolves.toEqual(snapshots);
});

test("list passes the service's complaints on", async () => {
  const { client } = await startRemote();
  const error = await failure(client.snapshots.list({ datasetId: DATASET, limit: 5001 }), InvalidRequestError);
  expect(error.serviceMessage).toBe('"limit" must be from 1 to 5000');
});

test("progress follows a snapshot", async () => {
  const { client, account, requests, request } = await startRemote();
  const { id } = account.addSnapshot(DATASET, ["starting", "running", "ready"], []);
  for (const status of ["starting", "running", "ready", "ready"]) {
    await expect(client.snapshots.progress(id)).resolves.toEqual({ snapshotId: id, datasetId: DATASET, status });
  }
  expect(requests[0]).toEqual(request({ method: "GET", path: `/datasets/v3/progress/${id}` }));
});

test("progress tells why a collection has failed, which is no error of the call", async () => {
  const { client, account } = await startRemote();
  const { id } = account.addSnapshot(DATASET, ["failed"], []);
  await expect(client.snapshots.progress(id)).resolves.toEqual({
    snapshotId: id,
    status: "failed",
    errorMessage: "Something went wrong. Our team is looking into it.",
  });
});

test.each([
  ["text", "Snapshot does not exist"],
  ["json", { error: "Snapshot not found" }],
])("progress tells in %s that there is no such snapshot", async (_, body) => {
  const { client, answer } = await startRemote();
  answer(404, body);
  const error = await failure(client.snapshots.progress("s_1"), NotFoundError);
  expect(error.message).toMatch(
    /^Could not read the progress of snapshot "s_1": .*Snapshot (does not exist|not found)\./,
  );
});

test("progress knows the ids of the other kind of snapshots", async () => {
  const { client } = await startRemote();
  const error = await failure(client.snapshots.progress("snap_1"), NotFoundError);
  expect(error.message).toContain("The id is one of a snapshot of the dataset marketplace");
});

describe("records", () => {
  test("takes none for one that is not UTF-8", async () => {
    const remote = await startRemote();
    const service = await serve(() => ({ status: 200, body: Buffer.from('{"a":1}\n{"b":"\xff"}\n', "latin1") }));
    const client = remote.clientWith({ baseUrl: service.url });
    const error = await failure(client.snapshots.records("s_1", { limit: 2 }), ResponseFormatError);
    expect(error.message).toContain("what comes after 0 records is text that is not UTF-8");
  });

  test("reads the first of many, and leaves the rest where it is", async () => {
    const remote = await startRemote();
    const source = syntheticRecords(1_000_000_000);
    let made = 0;
    const snapshot = await ready(remote, 1);
    snapshot.records = {
      count: source.count,
      at: (index) => {
        made = Math.max(made, index);
        return source.at(index);
      },
    };
    const records = await remote.client.snapshots.records(snapshot.id, { limit: 3 });
    expect(records).toEqual([source.at(0), source.at(1), source.at(2)]);
    expect(made).toBeLessThan(1_000_000);
    expect(remote.requests).toEqual([
      remote.request({
        method: "GET",
        path: `/datasets/v3/snapshot/${snapshot.id}`,
        query: { format: "ndjson" },
      }),
    ]);
  });

  test("leaves the client usable after it has cut an answer short", async () => {
    const remote = await startRemote();
    const { id } = await ready(remote, 1_000_000);
    for (const limit of [1, 2, 3]) {
      await expect(remote.client.snapshots.records(id, { limit })).resolves.toHaveLength(limit);
    }
    await expect(remote.client.snapshots.progress(id)).resolves.toMatchObject({ status: "ready" });
  });

  test("reads all when there are fewer", async () => {
    const remote = await startRemote();
    const { id } = await ready(remote, 5000);
    const records = await remote.client.snapshots.records(id, { limit: 10_000 });
    expect(records).toHaveLength(5000);
    expect(records[4999]).toEqual(syntheticRecords(5000).at(4999));
  });

  test("reads whatever JSON can hold", async () => {
    const remote = await startRemote();
    const { id } = await ready(remote, 1);
    const record = remote.account.snapshots.get(id);
    await assert(
      asyncProperty(
        array(dictionary(string({ unit: "binary" }), jsonValue({ stringUnit: "binary" })), {
          minLength: 1,
          maxLength: 5,
        }),
        integer({ min: 1, max: 6 }),
        async (rows, limit) => {
          if (record === undefined) throw new Error("The snapshot is gone.");
          record.records = listedRecords(rows);
          const isText = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value);
          const sent = JSON.parse(JSON.stringify(rows.slice(0, limit)), (_, value) =>
            isText(value) && !String(value).includes("e") ? String(value) : value,
          );
          expect(await remote.client.snapshots.records(id, { limit })).toEqual(sent);
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ["lines", '{"a":1}\n{"a":2}\n', 5, [{ a: 1 }, { a: 2 }]],
    ["lines whose last has no end", '{"a":1}\n{"a":2}', 5, [{ a: 1 }, { a: 2 }]],
    ["lines with the ends of Windows and blank ones", '\r\n{"a":1}\r\n\n{"a":2}\r\n', 5, [{ a: 1 }, { a: 2 }]],
    ["a JSON array", '[{"a":1},{"a":2},{"a":3}]', 2, [{ a: 1 }, { a: 2 }]],
    [
      "integers that no number holds, with all their digits",
      '{"a":[1812345678901234567,-9007199254740993,9007199254740991]}\n{"1812345678901234567":"2812345678901234567","b":0.5,"c":1e30}\n',
      2,
      [
        { a: ["1812345678901234567", "-9007199254740993", 9_007_199_254_740_991] },
        { "1812345678901234567": "2812345678901234567", b: 0.5, c: 1e30 },
      ],
    ],
    ["an empty array", "[]", 2, []],
    ["nothing", "", 2, []],
    ["U+2028, which does not end a line", '{"a":"\u2028"}\n', 2, [{ a: "\u2028" }]],
  ])("reads %s", async (_, body, limit, records) => {
    const { client, answer } = await startRemote();
    answer(200, body, { "content-type": "application/x-ndjson" });
    await expect(client.snapshots.records("s_1", { limit })).resolves.toEqual(records);
  });

  test.each([
    ["a line that is cut short", '{"a":1}\n{"a":', "after 1 record is text that is not JSON, or JSON cut short"],
    ["an array that is cut short", '[{"a":1},{"a":', "after 0 records is text that is not JSON, or JSON cut short"],
    ["a page", "<html>Sign in</html>", "after 0 records is text that is not JSON, or JSON cut short"],
    ["a line that is no record", '{"a":1}\n"b"\n', "after 1 record is not a record"],
    ["an array that holds no records", "[1,2]", "after 0 records is not a record"],
  ])("does not pass %s off as a result", async (_, body, problem) => {
    const { client, answer } = await startRemote();
    answer(200, body, { "content-type": "application/x-ndjson" });
    const error = await failure(client.snapshots.records("s_1", { limit: 5 }), ResponseFormatError);
    expect(error.message).toContain(problem);
  });

  test("does not pass the words of a failed collection off as a record", async () => {
    const { client, account } = await startRemote({ remote: { failedDownload: "progress" } });
    const snapshot = account.addSnapshot(DATASET, ["failed"], [{ url: "https://example.com" }]);
    snapshot.errorMessage = "No data found in discovery";
    const error = await failure(client.snapshots.records(snapshot.id, { limit: 5 }), CollectionFailedError);
    expect(error.reason).toBe("nothingDiscovered");
    for (const format of ["json", "ndjson", "csv"] as const) {
      const pieces = await client.snapshots.download(snapshot.id, { format, compress: format === "csv" });
      const read = async () => {
        for await (const piece of pieces) expect(piece).toBeUndefined();
      };
      await failure(read(), CollectionFailedError);
    }
  });

  test.each([
    '{"status":"failed","error_message":"x","url":"https://example.com"}',
    '{"status":"failed"}\n{"status":"failed","error_message":"x"}',
    '{"status":"ready","error_message":"x"}',
    `{"status":"failed","error_message":"${"x".repeat(20_000)}"}`,
  ])("reads records that have a status of their own: %.70s", async (body) => {
    const { client, answer } = await startRemote();
    answer(200, body, { "content-type": "application/x-ndjson" });
    const records = body.split("\n").map((line) => JSON.parse(line));
    await expect(client.snapshots.records("s_1", { limit: 5 })).resolves.toEqual(records);
    answer(200, body, { "content-type": "application/x-ndjson" });
    const pieces = [];
    for await (const piece of await client.snapshots.download("s_1", { format: "ndjson" })) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(body);
  });

  test("does not gather a record without end", async () => {
    const { client, account } = await startRemote();
    const snapshot = account.addSnapshot(DATASET, ["ready"], []);
    snapshot.status = "ready";
    const text = "x".repeat(RECORD_LIMIT);
    snapshot.records = { count: 2, at: (index) => (index === 0 ? { index } : { index, text }) };
    const error = await failure(client.snapshots.records(snapshot.id, { limit: 5 }), RecordTooLargeError);
    expect(error.message).toContain("the record after the first 1 is larger than 67108864 bytes");
    expect(error.message).toContain("downloadSnapshot");
    await expect(client.snapshots.records(snapshot.id, { limit: 1 })).resolves.toEqual([{ index: 0 }]);
  });

  test("does not pass a broken connection off as the end", async () => {
    const remote = await startRemote();
    const { id } = await ready(remote, 100);
    remote.simulator.remote.service.faults.add({ kind: "truncate" });
    const error = await failure(remote.client.snapshots.records(id, { limit: 1000 }), ConnectionError);
    expect(error.message).toMatch(/after \d+ records: /);
    expect(error.settled).toBe(false);
  });

  test.each([
    { error: "No access with the-token" },
    { error: { code: "no_access", message: "No access with the-token" } },
  ])("takes no error for a record, whatever its status: %j", async (body) => {
    const { client, answer } = await startRemote();
    const read = async () => {
      for await (const piece of await client.snapshots.download("s_1")) expect(piece).toBeUndefined();
    };
    for (const reading of [() => client.snapshots.records("s_1", { limit: 9 }), read]) {
      answer(200, body);
      const error = await failure(reading(), ServiceError);
      expect(error.message).toMatch(/^Could not download snapshot "s_1": .* answered 200: No access with \[secret\]\./);
    }
  });

  test("takes a record that tells of an error for one", async () => {
    const { client, answer } = await startRemote();
    const record = { error: "Crawl failed", input: { url: "https://example.com" } };
    answer(200, record);
    await expect(client.snapshots.records("s_1", { limit: 9 })).resolves.toEqual([record]);
  });

  test("does not wait for what has fallen silent", async () => {
    const silent = async function* () {
      yield '[{"a":1}]\n';
      await new Promise(() => {});
    };
    const service = await serve(() => ({ status: 200, headers: {}, body: silent() }));
    const { clientWith } = await startRemote();
    const { snapshots } = clientWith({ baseUrl: service.url, requestTimeout: 0.1 });
    const error = await failure(snapshots.records("s_1", { limit: 9 }), ConnectionError);
    expect(error.message).toBe(
      `Could not download snapshot "s_1": the connection to ${service.url}/datasets/v3/snapshot/s_1 broke before an answer came (after 1 record: nothing more came for 0.1 s). Try again, or allow more time (brightdata:requestTimeout / BRIGHTDATA_REQUEST_TIMEOUT, in seconds).`,
    );
    expect(error.settled).toBe(false);
  });

  test("does not quote in its error what was no HTTP on the way", async () => {
    const server = createServer((socket) => {
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
      socket.once("data", () => socket.end(`${head}8\r\n{"a":1}\n\r\n{"mail":"hush@example.com"}\r\n`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { clientWith } = await startRemote();
    const { snapshots } = clientWith({ baseUrl: `http://127.0.0.1:${port}` });
    const error = await failure(snapshots.records("s_1", { limit: 9 }), ConnectionError);
    expect(error.message).toContain("does not match the HTTP/1.1 protocol");
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("hush");
  });

  test("does not mind that more would have broken off", async () => {
    const remote = await startRemote();
    const { id } = await ready(remote, 1000);
    remote.simulator.remote.service.faults.add({ kind: "truncate" });
    await expect(remote.client.snapshots.records(id, { limit: 2 })).resolves.toHaveLength(2);
  });

  test("ends with the caller's reason when the caller gives up in the middle of an answer", async () => {
    const remote = await startRemote();
    const giveUp = new AbortController();
    const reason = new Error("no more interest");
    const snapshot = await ready(remote, 1);
    snapshot.records = {
      count: 1_000_000_000,
      at: (index) => {
        if (index === 100_000) giveUp.abort(reason);
        return { index };
      },
    };
    const reading = remote.client.snapshots.records(snapshot.id, { limit: 1_000_000_000, signal: giveUp.signal });
    await expect(reading).rejects.toBe(reason);
  });

  describe("that are not there yet", () => {
    test.each([
      ["202", { snapshotNotReadyStatus: 202 as const }, "running", 202, "Snapshot is not ready yet, try again in 10s"],
      ["202 while it is built", {}, "building", 202, "Snapshot is building. Try again in 10s"],
      ["409", { snapshotNotReadyStatus: 409 as const }, "running", 409, "Snapshot is not ready for download"],
    ])("are told by %s", async (_, behaviour, state, status, serviceMessage) => {
      const { client, account } = await startRemote({ remote: behaviour });
      const { id } = account.addSnapshot(DATASET, [state], []);
      const error = await failure(client.snapshots.records(id, { limit: 1 }), SnapshotNotReadyError);
      expect(error).toMatchObject({ status, serviceMessage, retryAfter: 10 });
      expect(error.message).toContain(`Could not download snapshot "${id}"`);
      expect(error.message).toContain("Ask again in 10 s.");
    });

    test("are told by the download after the progress has said ready", async () => {
      const remote = await startRemote();
      const snapshot = await ready(remote, 1);
      snapshot.buildingReads = 1;
      await failure(remote.client.snapshots.records(snapshot.id, { limit: 1 }), SnapshotNotReadyError);
      await expect(remote.client.snapshots.records(snapshot.id, { limit: 1 })).resolves.toHaveLength(1);
    });

    test.each([
      [202, { status: "running", message: "Snapshot is not ready yet, try again in 45s" }, {}, 45],
      [202, { status: "running", message: "Snapshot is not ready yet, try again in 45s" }, { "retry-after": "7" }, 7],
      [202, "", {}, 10],
      [409, { error: "Snapshot is not ready for download" }, { "retry-after": "30" }, 30],
      [400, "Snapshot is not ready", {}, 10],
    ])("%i %j with %j: ask again in %i s", async (status, body, headers, retryAfter) => {
      const { client, answer } = await startRemote();
      answer(status, body, headers);
      const error = await failure(client.snapshots.records("s_1", { limit: 1 }), SnapshotNotReadyError);
      expect(error.retryAfter).toBe(retryAfter);
    });

    test("are not asked for again and again", async () => {
      const { clientWith, account, requests } = await startRemote();
      const { id } = account.addSnapshot(DATASET, ["running"], []);
      const client = clientWith({ retries: 3 });
      await failure(client.snapshots.records(id, { limit: 1 }), SnapshotNotReadyError);
      expect(requests).toHaveLength(1);
    });
  });

  describe.each(["text", "json"] as const)("with errors in %s", (datasetErrors) => {
    test("tells a snapshot that is no longer kept", async () => {
      const remote = await startRemote({ remote: { datasetErrors } });
      const snapshot = await ready(remote, 1);
      snapshot.expired = true;
      const error = await failure(remote.client.snapshots.records(snapshot.id, { limit: 1 }), SnapshotExpiredError);
      expect(error).toMatchObject({ status: 400, serviceMessage: "Snapshot is expired" });
      expect(error.message).toContain("The data has to be collected anew.");
    });

    test("tells an empty snapshot", async () => {
      const remote = await startRemote({ remote: { datasetErrors } });
      const { id } = await ready(remote, 0);
      await failure(remote.client.snapshots.records(id, { limit: 1 }), SnapshotEmptyError);
    });

    test("tells that there is no such snapshot", async () => {
      const { client } = await startRemote({ remote: { datasetErrors } });
      const error = await failure(client.snapshots.records("s_1", { limit: 1 }), NotFoundError);
      expect(error.serviceMessage).toMatch(/^Snapshot (does not exist|not found)$/);
    });
  });

  test("leaves other refusals as they are", async () => {
    const { client, answer } = await startRemote();
    answer(400, { validation_errors: ['"format" must be one of json, csv'] });
    const error = await failure(client.snapshots.records("s_1", { limit: 1 }), InvalidRequestError);
    expect(error.serviceMessage).toBe('"format" must be one of json, csv');
    answer(500, "Internal server error");
    await failure(client.snapshots.records("s_1", { limit: 1 }), ServerError);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("sends nothing for a limit of %d", async (limit) => {
    const { client, requests } = await startRemote();
    await failure(client.snapshots.records("s_1", { limit }), ArgumentError);
    expect(requests).toEqual([]);
  });
});

test.each(["", " ", ".", "..", " .. "])("the id %j is no part of a path, and nothing is sent", async (id) => {
  const { client, requests } = await startRemote();
  await failure(client.snapshots.progress(id), ArgumentError);
  await failure(client.snapshots.records(id, { limit: 1 }), ArgumentError);
  expect(requests).toEqual([]);
});

test("an id does not lead to another path", async () => {
  const { client, requests } = await startRemote();
  await failure(client.snapshots.progress("../../zone?zone=web#"), NotFoundError);
  expect(requests.map(({ path }) => path)).toEqual(["/datasets/v3/progress/..%2F..%2Fzone%3Fzone%3Dweb%23"]);
});

test("parts counts them for the form that they are to have", async () => {
  const remote = await startRemote();
  const { id } = await ready(remote, 2500);
  await expect(remote.client.snapshots.parts(id)).resolves.toBe(1);
  await expect(remote.client.snapshots.parts(id, { format: "csv", compress: true, batchSize: 1000 })).resolves.toBe(3);
  expect(remote.requests).toEqual([
    remote.request({ method: "GET", path: `/datasets/v3/snapshot/${id}/parts` }),
    remote.request({
      method: "GET",
      path: `/datasets/v3/snapshot/${id}/parts`,
      query: { format: "csv", compress: "true", batch_size: "1000" },
    }),
  ]);
});

test("parts tells that the snapshot is not ready, or the batches are too small", async () => {
  const remote = await startRemote();
  const { id } = remote.account.addSnapshot(DATASET, ["running"], []);
  await failure(remote.client.snapshots.parts(id), SnapshotNotReadyError);
  const error = await failure(remote.client.snapshots.parts(id, { batchSize: 999 }), InvalidRequestError);
  expect(error).toMatchObject({ name: "BatchTooSmallError", minimum: 1000 });
});

test("input is CSV text", async () => {
  const { client, account, requests, request } = await startRemote();
  const { id } = account.addSnapshot(DATASET, READY, [{ url: "https://example.com/a,b" }, { url: "c", note: "d" }]);
  await expect(client.snapshots.input(id)).resolves.toBe('url,note\n"https://example.com/a,b",\nc,d\n');
  expect(requests).toEqual([request({ method: "GET", path: `/datasets/v3/snapshot/${id}/input` })]);
});

test.each(["", " ", ".", ".."])("%j is no id of a snapshot", async (id) => {
  const { client, requests } = await startRemote();
  for (const operation of ["progress", "parts", "input"] as const) {
    await failure(client.snapshots[operation](id), ArgumentError);
  }
  expect(requests).toEqual([]);
});

test("log tells of the whole collection", async () => {
  const { client, account, requests, request } = await startRemote();
  const { id } = account.addSnapshot(DATASET, [], [{ url: "https://example.com/" }]);
  await expect(client.snapshots.log(id)).resolves.toEqual({
    snapshotId: id,
    status: "ready",
    datasetId: DATASET,
    datasetName: "Pages",
    scraperName: "Pages",
    created: NOW.toISOString(),
    size: 1,
    inputs: 1,
    triggerType: "API",
    successRate: 1,
  });
  expect(requests).toEqual([request({ method: "GET", path: `/datasets/v3/log/${id}` })]);
});

test("log reads names with a capital, as a page of the documentation has them", async () => {
  const { client, answer } = await startRemote();
  answer(200, { id: "s_1", Status: "running", Dataset_size: 2, Inputs_count: 3, file_size: 65381, duration: 6 });
  await expect(client.snapshots.log("s_1")).resolves.toEqual({
    snapshotId: "s_1",
    status: "running",
    size: 2,
    inputs: 3,
    fileSize: 65381,
    duration: 6,
  });
});

test("log needs the status in the answer, and the snapshot", async () => {
  const { client, answer } = await startRemote();
  answer(200, { id: "s_1" });
  await failure(client.snapshots.log("s_1"), ResponseFormatError);
  await failure(client.snapshots.log("s_nosuch"), SnapshotNotFoundError);
});
