import { expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, NotFoundError, ResponseFormatError } from "../../src/base/errors";
import { failure, startRemote } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

const INPUT = { url: "https://example.com" };
const ROW = { input: INPUT, title: "Title of https://example.com" };

test("triggerImmediate runs a collector for one input", async () => {
  const { client, account, requests, request } = await startRemote();
  const id = await client.collector.triggerImmediate("c_1", INPUT);
  expect(account.collectorRuns.get(id)?.rows).toEqual([ROW]);
  expect(requests).toEqual([
    request({
      method: "POST",
      path: "/dca/trigger_immediate",
      status: 202,
      query: { collector: "c_1" },
      body: INPUT,
    }),
  ]);
});

test("triggerImmediate takes no list", async () => {
  const { client, requests } = await startRemote();
  const list = [INPUT] as unknown as Record<string, unknown>;
  await failure(client.collector.triggerImmediate("c_1", list), ArgumentError);
  expect(requests).toEqual([]);
});

test("triggerImmediate is never sent again when it is not known what became of it", async () => {
  const { clientWith, account, simulator } = await startRemote();
  simulator.remote.service.faults.add({ kind: "reset-after" });
  await failure(clientWith({ retries: 3 }).collector.triggerImmediate("c_1", INPUT), ConnectionError);
  expect(account.collectorRuns.size).toBe(1);
});

test.each(["202", "empty", "null", "object"] as const)(
  "getResult knows a result that is pending by %s",
  async (way) => {
    const { client, account } = await startRemote({ remote: { collectorPending: way } });
    const { responseId } = account.addCollectorRun([ROW], 1);
    await expect(client.collector.getResult(responseId)).resolves.toEqual({ status: "pending" });
    await expect(client.collector.getResult(responseId)).resolves.toEqual({ status: "ready", rows: [ROW] });
  },
);

test.each(["object", "array"] as const)("getResult reads an %s", async (collectorShape) => {
  const { client, account, requests, request } = await startRemote({ remote: { collectorShape } });
  const { responseId } = account.addCollectorRun([ROW], 0);
  await expect(client.collector.getResult(responseId)).resolves.toEqual({ status: "ready", rows: [ROW] });
  expect(requests).toEqual([request({ method: "GET", path: "/dca/get_result", query: { response_id: responseId } })]);
});

test("getResult lets the service wait", async () => {
  const { client, account, requests } = await startRemote();
  const { responseId } = account.addCollectorRun([ROW], 0);
  await client.collector.getResult(responseId, { wait: 25 });
  expect(requests[0]?.query).toEqual({ response_id: responseId, timeout: "25s" });
});

test.each([0, 24, 51, 30.5])("getResult does not wait for %d s", async (wait) => {
  const { client, requests } = await startRemote();
  await failure(client.collector.getResult("z1", { wait }), ArgumentError);
  expect(requests).toEqual([]);
});

test("getResult takes a row with a field of that name for a row, and no rows for a result", async () => {
  const { client, answer } = await startRemote();
  answer(200, { input: INPUT, pending: true });
  await expect(client.collector.getResult("z1")).resolves.toMatchObject({ status: "ready" });
  answer(200, []);
  await expect(client.collector.getResult("z1")).resolves.toEqual({ status: "ready", rows: [] });
});

test("getResult reads integers that no number holds with all their digits", async () => {
  const { client, answer } = await startRemote();
  answer(200, '[{"id":9007199254740993,"count":5,"price":0.1234567890123456}]');
  const rows = [{ id: "9007199254740993", count: 5, price: 0.1234567890123456 }];
  await expect(client.collector.getResult("z1")).resolves.toEqual({ status: "ready", rows });
});

test("getResult takes a row with an error for a row", async () => {
  const { client, answer } = await startRemote();
  const row = { error: "No such page" };
  answer(200, row);
  await expect(client.collector.getResult("z1")).resolves.toEqual({ status: "ready", rows: [row] });
});

test("getResult tells that there is no such run, and what it cannot read", async () => {
  const { client, answer } = await startRemote();
  await failure(client.collector.getResult("z1"), NotFoundError);
  answer(200, '"rows"');
  await failure(client.collector.getResult("z1"), ResponseFormatError);
});
