import { expect, test } from "vitest";
import { dataset } from "../../../simulator/account/dataset";
import { ok, refusal, startRemote } from "./harness";

const PATH = "/datasets/v3/trigger?dataset_id=gd_simulated";
const page = { url: "https://example.com/a" };

test.each([
  ["an array", [page]],
  ["an object that holds one", { input: [page], limit_per_input: 2 }],
])("a collection is started of %s", async (_, body) => {
  const { account, call } = await startRemote();
  const answer = await call("POST", PATH, body);
  const [snapshot] = account.snapshots.values();
  expect(answer).toMatchObject(ok({ snapshot_id: snapshot?.id }));
  expect(snapshot).toMatchObject({
    datasetId: "gd_simulated",
    status: "running",
    input: [page],
    triggeredBy: "API",
  });
  expect(snapshot?.id).toMatch(/^s_[a-z0-9]{17}$/);
  expect(snapshot?.records.at(0)).toEqual({ ...page, title: "Title of https://example.com/a", input: page });
});

test("a collection is started of a CSV file in a form", async () => {
  const { account, remote } = await startRemote();
  const form = new FormData();
  form.set("data", new Blob(['url,note\nhttps://example.com/a,"one, ""two"""\nhttps://example.com/b,\n']), "input.csv");
  const response = await fetch(remote.url + PATH, {
    method: "POST",
    headers: { authorization: `Bearer ${account.token}` },
    body: form,
  });
  expect(response.status).toBe(200);
  expect([...account.snapshots.values()].map(({ input }) => input)).toEqual([
    [
      { url: "https://example.com/a", note: 'one, "two"' },
      { url: "https://example.com/b", note: "" },
    ],
  ]);
});

test("a collection takes the options of a discovery", async () => {
  const { call } = await startRemote();
  const options = "&type=discover_new&discover_by=keyword&limit_per_input=5&include_errors=true&format=ndjson";
  expect(await call("POST", PATH + options, [page])).toMatchObject({ status: 200 });
});

test("a discovery is started of keywords", async () => {
  const { account, call } = await startRemote();
  const input = { keyword: "lamps" };
  expect(await call("POST", `${PATH}&type=discover_new&discover_by=keyword`, [input])).toMatchObject({ status: 200 });
  expect(account.snapshots.values().next().value?.records.at(0)).toEqual({
    ...input,
    title: "Title of lamps",
    input,
  });
});

test("a collection is started of any dataset with any input, where every dataset exists", async () => {
  const { call } = await startRemote({ everyDatasetExists: true });
  expect(await call("POST", "/datasets/v3/trigger?dataset_id=gd_l1vikfnt", [{ keyword: "lamps" }])).toMatchObject({
    status: 200,
  });
  expect((await call("GET", "/datasets/gd_another/metadata")).body).toEqual({ id: "gd_another", fields: {} });
  expect((await call("GET", "/datasets/list")).body).toHaveLength(5);
  expect(await call("POST", "/datasets/v3/trigger?dataset_id=other", [page])).toEqual(
    refusal(404, "dataset does not exist"),
  );
});

test("a collection is started again, with the same inputs", async () => {
  const { account, call } = await startRemote();
  const first = account.addSnapshot("gd_simulated", [], [page]);
  const answer = await call("POST", `/datasets/v3/snapshot/${first.id}/rerun`);
  const second = [...account.snapshots.values()][1];
  expect(answer).toMatchObject(ok({ snapshot_id: second?.id }));
  expect(second).toMatchObject({ datasetId: "gd_simulated", status: "running", input: [page] });
  delete first.input;
  expect(await call("POST", `/datasets/v3/snapshot/${first.id}/rerun`)).toEqual(
    refusal(400, "snapshot inputs expired"),
  );
  expect(await call("POST", "/datasets/v3/snapshot/s_nosuch/rerun")).toEqual(refusal(404, "snapshot not found"));
  expect(account.snapshots.size).toBe(2);
});

test("each call starts one more collection", async () => {
  const { account, call } = await startRemote();
  await call("POST", PATH, [page]);
  await call("POST", PATH, [page]);
  expect(account.snapshots.size).toBe(2);
});

test.each([
  ["/datasets/v3/trigger", 400, "dataset missing"],
  ["/datasets/v3/trigger?dataset_id=gd_nosuch", 404, "dataset does not exist"],
  ["/datasets/v3/trigger?dataset_id=gd_panel", 400, "This dataset is not allowed for API"],
  ["/datasets/v3/trigger?dataset_id=gd_new", 400, "This dataset is not ready yet"],
  ["/datasets/v3/trigger?dataset_id=gd_bulk", 400, "Should be at least 2 inputs"],
])("starting %s is refused: %i %s", async (path, status, message) => {
  const { account, call } = await startRemote();
  account.datasets.set("gd_panel", dataset("gd_panel", { allowedForApi: false }));
  account.datasets.set("gd_new", dataset("gd_new", { ready: false }));
  account.datasets.set("gd_bulk", dataset("gd_bulk", { minInputs: 2 }));
  expect(await call("POST", path, [page])).toEqual(refusal(status, message));
  expect(account.snapshots.size).toBe(0);
});

test.each([
  ["an empty array", []],
  ["no body", undefined],
])("%s is no data", async (_, body) => {
  const { call } = await startRemote();
  expect(await call("POST", PATH, body)).toEqual(refusal(400, "No data to trigger"));
});

test.each(["{", '"text"', "{}"])("%s is no input", async (body) => {
  const { call } = await startRemote();
  expect(await call("POST", PATH, body)).toMatchObject({ status: 400, body: { error: "Invalid input format" } });
});

test("a form without the field is no attachment", async () => {
  const { account, remote } = await startRemote();
  const form = new FormData();
  form.set("file", new Blob(["url\nhttps://example.com/a\n"]), "input.csv");
  const response = await fetch(remote.url + PATH, {
    method: "POST",
    headers: { authorization: `Bearer ${account.token}` },
    body: form,
  });
  expect([response.status, await response.text()]).toEqual([400, "Invalid attachments"]);
});

test.each([
  ["&type=other", [page], ['"type" must be discover_new']],
  ["&discover_by=keyword", [page], ['"discover_by" requires "type"']],
  ["&limit_per_input=0", [page], ['"limit_per_input" must be greater than or equal to 1']],
  ["&limit_per_input=many", [page], ['"limit_per_input" must be a number']],
  ["&endpoint=hook", [page], ['"endpoint" must be a valid uri']],
  ["&format=xml", [page], ['"format" must be one of json, ndjson, jsonl, csv']],
  ["", [{}, "text"], ['"[0].url" is required', '"[1]" must be an object']],
])("%s with %j fails validation", async (options, body, errors) => {
  const { call } = await startRemote();
  expect(await call("POST", PATH + options, body)).toMatchObject({
    status: 400,
    body: { validation_errors: errors },
  });
});

test("too many running jobs are refused, until one ends", async () => {
  const { account, call } = await startRemote();
  account.datasets.set("gd_small", dataset("gd_small", { jobsLimit: 1 }));
  const path = "/datasets/v3/trigger?dataset_id=gd_small";
  expect(await call("POST", path, [page])).toMatchObject({ status: 200 });
  expect(await call("POST", path, [page])).toEqual(
    refusal(429, "Too many running jobs for this dataset (1>=1). Combine inputs into one request"),
  );
  expect(await call("POST", PATH, [page])).toMatchObject({ status: 200 });
  for (const snapshot of account.snapshots.values()) snapshot.status = "ready";
  expect(await call("POST", path, [page])).toMatchObject({ status: 200 });
});

test("the refusal of a collection can be JSON", async () => {
  const { call } = await startRemote({ datasetErrors: "json" });
  expect(await call("POST", "/datasets/v3/trigger", [page])).toMatchObject({
    status: 400,
    body: { error: "dataset missing" },
  });
});

test("the catalogue lists and describes datasets", async () => {
  const { account, call } = await startRemote();
  account.datasets.set("gd_b", dataset("gd_b", { name: "Books", size: 12 }));
  expect((await call("GET", "/datasets/list")).body).toEqual([
    { id: "gd_simulated", name: "Pages", size: 0 },
    { id: "gd_l1vikfnt1wgvvqz95w", name: "Companies", size: 0 },
    { id: "gd_l7q7dkf244hwjntr0", name: "Products", size: 0 },
    { id: "gd_b", name: "Books", size: 12 },
  ]);
  expect((await call("GET", "/datasets/gd_b/metadata")).body).toMatchObject({
    id: "gd_b",
    fields: { url: { type: "url", active: true, required: true } },
  });
  expect(await call("GET", "/datasets/gd_nosuch/metadata")).toEqual(refusal(404, "dataset does not exist"));
});
