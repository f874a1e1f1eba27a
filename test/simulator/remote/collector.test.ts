import { expect, test } from "vitest";
import { NOW, refusal, startRemote } from "./harness";

const input = { url: "https://example.com/a" };
const row = { input, title: "Title of https://example.com/a" };

test("a result is pending first, then an object or an array", async () => {
  const { remote, call } = await startRemote();
  const started = await call("POST", "/dca/trigger_immediate?collector=c_1", input);
  expect(started).toMatchObject({ status: 202, body: { response_id: expect.stringMatching(/^z[a-z0-9]{20}$/) } });
  const { response_id: id } = started.body as { response_id: string };
  const path = `/dca/get_result?response_id=${id}`;
  expect(await call("GET", path)).toMatchObject({ status: 202, body: { pending: true } });
  expect(await call("GET", path)).toMatchObject({ status: 200, body: row });
  remote.behaviour.collectorShape = "array";
  expect(await call("GET", `${path}&timeout=25s`)).toMatchObject({ status: 200, body: [row] });
});

test.each([
  ["202", { status: 202, body: { pending: true } }],
  ["empty", { status: 200, body: "" }],
  ["null", { status: 200, body: null }],
  ["object", { status: 200, body: { pending: true } }],
] as const)("a pending result can look like %s", async (collectorPending, answer) => {
  const { account, call } = await startRemote({ collectorPending });
  const { responseId } = account.addCollectorRun([row], 1);
  expect(await call("GET", `/dca/get_result?response_id=${responseId}`)).toMatchObject(answer);
  expect((await call("GET", `/dca/get_result?response_id=${responseId}`)).body).toEqual(row);
});

test("a batch is built first, then has a row for each input", async () => {
  const { call } = await startRemote();
  const started = await call("POST", "/dca/trigger?collector=c_1&queue_next=1", [input, { keyword: "lamps" }]);
  expect(started.body).toEqual({ collection_id: expect.stringMatching(/^j_/), start_eta: NOW.toISOString() });
  const path = `/dca/dataset?id=${(started.body as { collection_id: string }).collection_id}`;
  expect(await call("GET", path)).toMatchObject({ status: 202, body: { status: "building" } });
  expect(await call("GET", path)).toMatchObject({ status: 200, body: [row, { input: { keyword: "lamps" } }] });
});

test.each([
  ["POST", "/dca/trigger", [input], 400, "collector is required"],
  ["POST", "/dca/trigger?collector=c_1", input, 400, "Input should be an array of objects"],
  ["POST", "/dca/trigger?collector=c_1", [], 400, "Input should be an array of objects"],
  ["GET", "/dca/dataset", undefined, 400, "id is required"],
  ["GET", "/dca/dataset?id=j_1", undefined, 404, "Dataset not found"],
  ["POST", "/dca/trigger_immediate", input, 400, "collector is required"],
  ["POST", "/dca/trigger_immediate?collector=c_1", [input], 400, "Input should be an object"],
  ["POST", "/dca/trigger_immediate?collector=c_1", undefined, 400, "Input should be an object"],
  ["GET", "/dca/get_result", undefined, 400, "response_id is required"],
  ["GET", "/dca/get_result?response_id=z1&timeout=24s", undefined, 400, "timeout should be from 25s to 50s"],
  ["GET", "/dca/get_result?response_id=z1&timeout=51s", undefined, 400, "timeout should be from 25s to 50s"],
  ["GET", "/dca/get_result?response_id=z1", undefined, 404, "Response not found"],
])("%s %s with %j is refused", async (method, path, body, status, message) => {
  const { call } = await startRemote();
  expect(await call(method, path, body)).toEqual(refusal(status, message));
});
