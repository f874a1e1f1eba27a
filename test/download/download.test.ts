import { execFileSync } from "node:child_process";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { syntheticRecords } from "../../simulator";
import { ArgumentError, ConnectionError, ResponseFormatError } from "../../src/base/errors";
import { type DownloadArgs, type DownloadProgress, downloadSnapshot } from "../../src/download/download";
import { DownloadJournal } from "../../src/download/journal";
import { PartFile } from "../../src/download/partFile";
import type { SnapshotFormat } from "../../src/model/snapshot";
import type { RemoteClient } from "../../src/remote/client";
import { CollectionFailedError } from "../../src/remote/collectionErrors";
import { BatchTooSmallError } from "../../src/remote/deliveryErrors";
import {
  RecordTooLargeError,
  SnapshotEmptyError,
  SnapshotExpiredError,
  SnapshotNotFoundError,
  SnapshotNotReadyError,
} from "../../src/remote/snapshotErrors";
import { failure } from "../remote/harness";
import { BATCH, COUNT, expected, recordsOf, type Setup, setUp } from "./setup";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

describe.each(["json", "ndjson", "jsonl", "csv"] as const)("%s", (format) => {
  describe.each([false, true])("compressed: %j", (compress) => {
    test.each([
      [undefined, 1],
      [BATCH, 3],
    ])("in batches of %j", async (batchSize, parts) => {
      const setup = await setUp();
      const result = await setup.download({ format, compress, batchSize });
      expect(recordsOf(setup.to, format, compress)).toEqual(expected(format));
      expect(result).toEqual({
        file: setup.to,
        bytes: readFileSync(setup.to).length,
        records: COUNT,
        parts,
        resumedParts: 0,
      });
      expect(setup.files()).toEqual(["data"]);
    });

    test("goes on with the part that broke off, and with no other", async () => {
      const setup = await setUp();
      const { faults } = setup.simulator.remote.service;
      faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, after: 1, times: 2 });
      await setup.download({ format, compress, batchSize: BATCH });
      expect(setup.partsAsked()).toEqual(["1", "2", "2", "2", "3"]);
      expect(recordsOf(setup.to, format, compress)).toEqual(expected(format));
      expect(setup.files()).toEqual(["data"]);
    });

    test("goes on where another download has left off", async () => {
      const setup = await setUp();
      const { faults } = setup.simulator.remote.service;
      faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, after: 2, times: 4 });
      await failure(setup.download({ format, compress, batchSize: BATCH }), ConnectionError);
      expect(setup.files()).toEqual(["data.partial", "data.partial.json"]);
      setup.requests.length = 0;
      const result = await setup.download({ format, compress, batchSize: BATCH });
      expect(result).toMatchObject({ records: COUNT, resumedParts: 2 });
      expect(setup.partsAsked()).toEqual(["3"]);
      expect(recordsOf(setup.to, format, compress)).toEqual(expected(format));
      expect(setup.files()).toEqual(["data"]);
    });
  });
});

test("what is asked is the same form for the count and every part", async () => {
  const { download, requests, request, id } = await setUp();
  await download({ format: "csv", compress: true, batchSize: BATCH });
  const form = { format: "csv", compress: "true", batch_size: "1000" };
  const path = `/datasets/v3/snapshot/${id}`;
  expect(requests).toEqual([
    request({ method: "GET", path: `/datasets/v3/progress/${id}` }),
    request({
      method: "GET",
      path: "/datasets/v3/snapshots",
      query: { dataset_id: "gd_simulated", limit: "5000" },
    }),
    request({ method: "GET", path: `${path}/parts`, query: form }),
    ...["1", "2", "3"].map((part) => request({ method: "GET", path, query: { ...form, part } })),
  ]);
});

test("what is asked is no part when all come at once", async () => {
  const { download, requests, id } = await setUp();
  await download();
  expect(requests.at(-1)).toMatchObject({
    path: `/datasets/v3/snapshot/${id}`,
    query: { format: "ndjson", compress: "false" },
  });
  expect(requests).toHaveLength(3);
});

test.each([undefined, BATCH])(
  "a download in batches of %j tells another what is done only where that can go on",
  async (batchSize) => {
    const { download, files } = await setUp();
    const beside = new Set<string>();
    await download({ batchSize, onProgress: () => void files().map((name) => beside.add(name)) });
    expect(beside.has("data.partial.json")).toBe(batchSize !== undefined);
  },
);

test("a download without parts leaves nothing behind when its file is there in the end", async () => {
  const { to, download, files } = await setUp();
  await failure(
    download({ onProgress: ({ partsDone }) => void (partsDone === 1 && writeFileSync(to, "mine")) }),
    ArgumentError,
  );
  expect(files()).toEqual(["data"]);
  expect(readFileSync(to, "utf8")).toBe("mine");
});

async function leftOff() {
  const setup = await setUp();
  setup.simulator.remote.service.faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, after: 2, times: 4 });
  await failure(setup.download({ format: "ndjson", batchSize: BATCH }), ConnectionError);
  setup.requests.length = 0;
  return setup;
}

const journalOf = (to: string) => JSON.parse(readFileSync(`${to}.partial.json`, "utf8"));

const rewrite = (to: string, change: object): void =>
  writeFileSync(`${to}.partial.json`, JSON.stringify({ ...journalOf(to), ...change }));

const firstPart = (to: string): number => journalOf(to).done[0].bytes;

test.each([
  ["first", () => 10, ["1", "2", "3"]],
  ["second", (to: string) => firstPart(to) + 10, ["2", "3"]],
])("an earlier download is of no use from the %s part on when that has been changed since", async (_, where, parts) => {
  const { to, download, partsAsked } = await leftOff();
  const bytes = readFileSync(`${to}.partial`);
  bytes[where(to)] = 0;
  writeFileSync(`${to}.partial`, bytes);
  await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ records: COUNT });
  expect(partsAsked()).toEqual(parts);
  expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
});

test("an earlier download is of use under the other name of its format", async () => {
  const { to, download } = await leftOff();
  await expect(download({ format: "jsonl", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 2 });
  expect(recordsOf(to, "jsonl", false)).toEqual(expected("jsonl"));
});

test("an earlier download is of use up to where it is whole", async () => {
  const { to, download, partsAsked } = await leftOff();
  truncateSync(`${to}.partial`, firstPart(to) + 5);
  await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 1 });
  expect(partsAsked()).toEqual(["2", "3"]);
  expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
});

const OTHER: [words: string, args: Partial<DownloadArgs>][] = [
  ['`format` was "ndjson", and is "csv"', { format: "csv", batchSize: BATCH }],
  ["`compress` was false, and is true", { format: "ndjson", batchSize: BATCH, compress: true }],
  ["`batchSize` was 1000, and is 1250", { format: "ndjson", batchSize: 1250 }],
  ["`batchSize` was 1000, and is none", { format: "ndjson" }],
];

test.each(OTHER)("an earlier download is kept where %s, and gone on with as it was", async (words, args) => {
  const { to, download, files, partsAsked } = await leftOff();
  const error = await failure(download(args), ArgumentError);
  expect(error.message).toBe(
    `${to}.partial has 2 parts of another download: ${words}. Repeat that to go on with it, name another file, or allow that it is dropped with \`overwrite\` (--overwrite).`,
  );
  expect(partsAsked()).toEqual([]);
  expect(files()).toEqual(["data.partial", "data.partial.json"]);
  await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 2 });
  expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
});

test.each<[string, (to: string) => void]>([
  ["file is no longer there", (to) => rmSync(`${to}.partial`)],
  ["journal tells of no complete part", (to) => rewrite(to, { done: [] })],
])("an earlier download is of no use where its %s", async (_, change) => {
  const { to, download } = await leftOff();
  change(to);
  await expect(download({ format: "csv", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 0 });
});

test("an earlier download is of no use where the service tells of other parts by now", async () => {
  const { to, download } = await leftOff();
  rewrite(to, { plan: { ...journalOf(to).plan, parts: 4 } });
  await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 0 });
  expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
});

test.each(OTHER)("an earlier download is dropped where %s, and it may be overwritten", async (_, args) => {
  const { to, download, files } = await leftOff();
  await expect(download({ ...args, overwrite: true })).resolves.toMatchObject({ resumedParts: 0, records: COUNT });
  expect(recordsOf(to, args.format ?? "json", args.compress ?? false)).toEqual(expected(args.format ?? "json"));
  expect(files()).toEqual(["data"]);
});

test("an earlier download of another form leaves nothing behind when this one fails, too", async () => {
  const { download, files, simulator } = await leftOff();
  simulator.remote.service.faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, times: 4 });
  await failure(download({ format: "csv", batchSize: BATCH, overwrite: true }), ConnectionError);
  expect(files()).toEqual([]);
});

test.each(["", "{}", '{"version":2}', "half a jour"])(
  "an earlier download with the journal %j is of no use",
  async (journal) => {
    const { to, download } = await leftOff();
    writeFileSync(`${to}.partial.json`, journal);
    await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 0 });
    expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
  },
);

test("the file is not replaced, unless that is allowed", async () => {
  const { to, download, requests } = await setUp();
  writeFileSync(to, "precious");
  const error = await failure(download(), ArgumentError);
  expect(error.message).toContain("is there already");
  expect(readFileSync(to, "utf8")).toBe("precious");
  expect(requests).toEqual([]);
  await download({ overwrite: true });
  expect(recordsOf(to, "json", false)).toHaveLength(COUNT);
});

test("the file is left as it was when the download fails", async () => {
  const { to, download, answer, files } = await setUp();
  writeFileSync(to, "precious");
  answer(500, "Internal server error");
  await expect(download({ overwrite: true })).rejects.toMatchObject({ status: 500 });
  expect(readFileSync(to, "utf8")).toBe("precious");
  expect(files()).toEqual(["data"]);
});

test("the file is named when its disk is full", async () => {
  const { to, download } = await setUp();
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { syscall: "write" });
  const write = vi.spyOn(PartFile.prototype, "write").mockRejectedValueOnce(full);
  onTestFinished(() => write.mockRestore());
  const error = await failure(download(), ArgumentError);
  expect(error.message).toBe(`Cannot write ${to}: ENOSPC: no space left on device, write`);
});

test("the file cannot be a folder, or in one that is not there", async () => {
  const { folder, download } = await setUp();
  mkdirSync(join(folder, "inner"));
  await failure(download({ to: join(folder, "inner"), overwrite: true }), ArgumentError);
  await failure(download({ to: join(folder, "none", "data") }), ArgumentError);
  const error = await failure(download({ to: `${join(folder, "none")}/` }), ArgumentError);
  expect(error.message).toBe(`${join(folder, "none")} is a folder: name the file to download to.`);
});

describe("nothing is left of a download that", () => {
  const kinds: [string, (setup: Setup) => unknown, abstract new (...rest: never[]) => Error][] = [
    ["is of no snapshot", ({ account }) => account.snapshots.clear(), SnapshotNotFoundError],
    ["comes too early", (setup) => Object.assign(snapshotOf(setup), { status: "running" }), SnapshotNotReadyError],
    [
      "meets a snapshot that is being built",
      (setup) => Object.assign(snapshotOf(setup), { buildingReads: 1 }),
      SnapshotNotReadyError,
    ],
    ["comes too late", (setup) => Object.assign(snapshotOf(setup), { expired: true }), SnapshotExpiredError],
    [
      "has no records",
      (setup) => Object.assign(snapshotOf(setup), { records: syntheticRecords(0) }),
      SnapshotEmptyError,
    ],
  ];

  test.each(kinds)("%s", async (_, prepare, kind) => {
    const setup = await setUp();
    snapshotOf(setup).upcoming = [];
    prepare(setup);
    await failure(setup.download(), kind);
    expect(setup.files()).toEqual([]);
  });

  test.each(["failed", "canceled", "cancelled", "error"])("is of a collection that is %s", async (status) => {
    const setup = await setUp();
    Object.assign(snapshotOf(setup), { status, upcoming: [], errorMessage: "Account is suspended" });
    const error = await failure(setup.download(), CollectionFailedError);
    expect(error.reason).toBe(status === "failed" ? "accountSuspended" : "other");
    expect(setup.files()).toEqual([]);
  });

  test("has no records in no parts", async () => {
    const setup = await setUp(syntheticRecords(0));
    await failure(setup.download({ batchSize: BATCH }), SnapshotEmptyError);
    expect(setup.files()).toEqual([]);
  });

  test("is asked for without saying where to", async () => {
    const { download, files } = await setUp();
    const error = await failure(download({ to: undefined } as unknown as Partial<DownloadArgs>), ArgumentError);
    expect(error.message).toBe("The argument `to` of downloadSnapshot is missing. Nothing was sent.");
    expect(files()).toEqual([]);
  });

  test.each(["JSON", "xml", ""])("is asked for as %j", async (format) => {
    const { download, files, requests } = await setUp();
    const error = await failure(download({ format: format as SnapshotFormat }), ArgumentError);
    expect(error.message).toBe(`format is ${JSON.stringify(format)}: expected one of json, ndjson, jsonl, csv.`);
    expect(requests).toEqual([]);
    expect(files()).toEqual([]);
  });

  test("asks for batches that are too small", async () => {
    const { download, files } = await setUp();
    await failure(download({ batchSize: 999 }), BatchTooSmallError);
    expect(files()).toEqual([]);
  });

  test("breaks off time and again", async () => {
    const { download, files, simulator, partsAsked } = await setUp();
    simulator.remote.service.faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, times: 4 });
    await failure(download(), ConnectionError);
    expect(partsAsked()).toHaveLength(4);
    expect(files()).toEqual([]);
  });

  test("yields something else than records", async () => {
    const { download, files, simulator } = await setUp();
    const page = "<html>Sign in</html>";
    for (const compress of [false, true]) {
      simulator.remote.service.faults.add({
        kind: "respond",
        status: 200,
        body: page,
        path: /snapshot\/[^/]+$/,
        times: 4,
      });
      await failure(download({ compress }), ResponseFormatError);
    }
    expect(files()).toEqual([]);
  });

  test.each([
    ["csv", "Service temporarily unavailable"],
    ["ndjson", ""],
  ] as const)("yields no record as %s where nobody says how many there are", async (format, body) => {
    const { download, files, simulator } = await setUp();
    const { faults } = simulator.remote.service;
    faults.add({ kind: "respond", status: 403, path: "/datasets/v3/snapshots" });
    faults.add({ kind: "respond", status: 200, body, path: /snapshot\/[^/]+$/ });
    const error = await failure(download({ format }), ResponseFormatError);
    expect(error.message).toContain("it has no records");
    expect(files()).toEqual([]);
  });

  test("yields fewer records than there are", async () => {
    const { download, files, simulator } = await setUp();
    simulator.remote.service.faults.add({ kind: "respond", status: 200, body: "[{},{}]", path: /snapshot\/[^/]+$/ });
    const error = await failure(download(), ResponseFormatError);
    expect(error.message).toContain("it has 2 records, and the list of snapshots tells of 2,500");
    expect(files()).toEqual([]);
  });

  const snapshotOf = ({ account, id }: Setup) => {
    const snapshot = account.snapshots.get(id);
    if (snapshot === undefined) throw new Error("There is no snapshot.");
    return snapshot;
  };
});

test("parts with other columns are not joined", async () => {
  const narrow = syntheticRecords(COUNT);
  const { download } = await setUp({
    count: COUNT,
    at: (index) => (index < BATCH ? narrow.at(index) : { other: index }),
  });
  const error = await failure(download({ format: "csv", batchSize: BATCH }), ResponseFormatError);
  expect(error.message).toContain("it has other columns than the parts before");
});

test("a token that may not see the list downloads all the same", async () => {
  const { download, simulator } = await setUp();
  simulator.remote.service.faults.add({ kind: "respond", status: 403, path: "/datasets/v3/snapshots" });
  await expect(download()).resolves.toMatchObject({ records: COUNT });
});

test("it tells of its progress", async () => {
  const { download, to } = await setUp();
  const told: DownloadProgress[] = [];
  await download({ format: "ndjson", batchSize: BATCH, onProgress: (progress) => void told.push(progress) });
  expect(told.map(({ partsDone, records }) => [partsDone, records])).toEqual([
    [1, 1000],
    [2, 2000],
    [3, 2500],
  ]);
  expect(told.at(-1)).toEqual({
    partsDone: 3,
    parts: 3,
    records: COUNT,
    expectedRecords: COUNT,
    bytes: readFileSync(to).length,
  });
});

test("it ends when the caller gives up, and keeps what is complete", async () => {
  const { download, files, partsAsked } = await setUp();
  const stop = new AbortController();
  const reason = new Error("no more interest");
  const onProgress = ({ partsDone }: DownloadProgress) => {
    if (partsDone === 1) stop.abort(reason);
  };
  await expect(download({ format: "ndjson", batchSize: BATCH, onProgress }, stop.signal)).rejects.toBe(reason);
  expect(files()).toEqual(["data.partial", "data.partial.json"]);
  await download({ format: "ndjson", batchSize: BATCH });
  expect(partsAsked()).toEqual(["1", "2", "3"]);
});

test("it ends in the middle of a part when the caller gives up", async () => {
  const stop = new AbortController();
  const reason = new Error("no more interest");
  const source = syntheticRecords(1_000_000_000);
  const at = (index: number) => {
    if (index === 100_000) stop.abort(reason);
    return source.at(index);
  };
  const { download, files } = await setUp({ count: source.count, at });
  await expect(download({ format: "ndjson" }, stop.signal)).rejects.toBe(reason);
  expect(files()).toEqual([]);
});

test("it ends while an earlier download is verified when the caller gives up, and keeps that", async () => {
  const { download, files, partsAsked, simulator } = await setUp();
  simulator.remote.service.faults.add({ kind: "truncate", path: /snapshot\/[^/]+$/, after: 2, times: 4 });
  await failure(download({ format: "ndjson", batchSize: BATCH }), ConnectionError);
  const before = partsAsked().length;
  const stop = new AbortController();
  const reason = new Error("no more interest");
  const { resume } = DownloadJournal.prototype;
  vi.spyOn(DownloadJournal.prototype, "resume").mockImplementationOnce(function (this: DownloadJournal, ...given) {
    stop.abort(reason);
    return resume.apply(this, given);
  });
  const cut = vi.spyOn(PartFile.prototype, "cut");
  onTestFinished(() => cut.mockRestore());
  await expect(download({ format: "ndjson", batchSize: BATCH }, stop.signal)).rejects.toBe(reason);
  expect(cut).not.toHaveBeenCalled();
  expect(partsAsked()).toHaveLength(before);
  expect(files()).toEqual(["data.partial", "data.partial.json"]);
  await expect(download({ format: "ndjson", batchSize: BATCH })).resolves.toMatchObject({ resumedParts: 2 });
});

describe("what others put in the download's way", () => {
  async function withVictim() {
    const setup = await setUp();
    const victim = join(setup.folder, "victim");
    writeFileSync(victim, "precious");
    return { ...setup, victim };
  }

  test.each([
    ["symbolic link", symlinkSync],
    ["hard link", linkSync],
  ])("a %s in the part file's place is not written through", async (_, link) => {
    const { download, victim, to, files } = await withVictim();
    link(victim, `${to}.partial`);
    const error = await failure(download({ batchSize: BATCH }), ArgumentError);
    expect(error.message).toContain(`Cannot write ${to}.partial`);
    expect(error.message).toContain("link");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(files()).toEqual(["data.partial", "victim"]);
  });

  test("a symbolic link in the place of the lock is not written through", async () => {
    const { download, victim, to } = await withVictim();
    symlinkSync(victim, `${to}.partial.lock`);
    await failure(download(), ArgumentError);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  test("a symbolic link in the journal's place is not written through", async () => {
    const { download, victim, to, files } = await withVictim();
    symlinkSync(victim, `${to}.partial.json`);
    symlinkSync(victim, `${to}.partial.json.new`);
    await download({ batchSize: BATCH });
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(files()).toEqual(["data", "victim"]);
  });

  test.skipIf(process.platform === "win32")("a link or a pipe that has the file's name is not replaced", async () => {
    const { download, to, victim } = await withVictim();
    const refused = async () => {
      const { message } = await failure(download({ overwrite: true }), ArgumentError);
      expect(message).toBe(`${to} is a link, a pipe or a device: name a plain file.`);
    };
    for (const target of [victim, "nowhere"]) {
      symlinkSync(target, to);
      await refused();
      rmSync(to);
    }
    execFileSync("mkfifo", [to]);
    await refused();
    expect(lstatSync(to).isFIFO()).toBe(true);
  });

  test.each<[string, (partial: string) => void]>([
    [
      "another file",
      (partial) => {
        rmSync(partial);
        writeFileSync(partial, "[]");
      },
    ],
    ["nothing", (partial) => rmSync(partial)],
    ["a shorter one", (partial) => truncateSync(partial, 10)],
  ])("%s in the place of what has been downloaded is not published", async (_, replace) => {
    const { download, folder, to, files } = await setUp();
    writeFileSync(to, "precious");
    const onProgress = ({ partsDone }: DownloadProgress) => {
      if (partsDone === 3) replace(join(folder, "data.partial"));
    };
    const args = { format: "ndjson", batchSize: BATCH, overwrite: true } as const;
    const error = await failure(download({ ...args, onProgress }), ArgumentError);
    expect(error.message).toContain(`${to}.partial is no longer what was downloaded`);
    expect(readFileSync(to, "utf8")).toBe("precious");
    await download(args);
    expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
    expect(files()).toEqual(["data"]);
  });

  test("a file that appears meanwhile is not replaced", async () => {
    const { download, to } = await setUp();
    const onProgress = () => writeFileSync(to, "precious");
    const error = await failure(download({ onProgress }), ArgumentError);
    expect(error.message).toContain("is there already");
    expect(readFileSync(to, "utf8")).toBe("precious");
  });
});

test("a file that appears while the disk is waited for is not replaced", async () => {
  const { download, to } = await setUp();
  const { sync } = PartFile.prototype;
  const spy = vi.spyOn(PartFile.prototype, "sync").mockImplementation(async function (this: PartFile) {
    await sync.call(this);
    writeFileSync(to, "precious");
  });
  onTestFinished(() => spy.mockRestore());
  const error = await failure(download(), ArgumentError);
  expect(error.message).toContain("is there already");
  expect(readFileSync(to, "utf8")).toBe("precious");
});

test("a line of names keeps its bytes, wherever it is cut", async () => {
  const { to } = await setUp();
  const names = Buffer.from("\ufeffna\u00efve,b");
  const rows = Buffer.from("\n1,2\n");
  const middle = names.indexOf("\u00ef") + 1;
  const snapshots = {
    progress: async () => ({ status: "ready" }),
    download: async () => Readable.from([names.subarray(0, middle), names.subarray(middle), rows]),
  };
  await downloadSnapshot({ snapshots } as unknown as RemoteClient, { snapshotId: "s_1", to, format: "csv" });
  expect(readFileSync(to)).toEqual(Buffer.concat([names, rows]));
});

const long = (count: number) => ({ count, at: (index: number) => ({ index, text: "x".repeat(2000) }) });

test.each(["json", "ndjson", "csv"] as const)(
  "a record without end as %s breaks the download off, once",
  async (format) => {
    const { download, files, partsAsked } = await setUp(long(3));
    const error = await failure(download({ format, maxRecordBytes: 1000 }), RecordTooLargeError);
    expect(error.limit).toBe(1000);
    expect(error.message).toContain("a record of part 1 is larger than 1000 bytes");
    expect(error.message).toContain("`maxRecordBytes` (--max-record-bytes)");
    expect(partsAsked()).toHaveLength(1);
    expect(files()).toEqual([]);
  },
);

test("a record without end is one only above the limit", async () => {
  const { download } = await setUp(long(3));
  await expect(download({ maxRecordBytes: 3000 })).resolves.toMatchObject({ records: 3 });
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 30])("a record without end has no limit of %j", async (maxRecordBytes) => {
  const { download, requests, files } = await setUp();
  const error = await failure(download({ maxRecordBytes }), ArgumentError);
  expect(error.message).toContain(`maxRecordBytes is ${maxRecordBytes}: expected a whole number of bytes from 1 to`);
  expect(requests).toEqual([]);
  expect(files()).toEqual([]);
});
