import { expect, test } from "vitest";
import { InvalidRequestError, ResponseFormatError } from "../../src/base/errors";
import { failure, startRemote } from "./harness";

test("status reads the customer's id", async () => {
  const { client, requests, request } = await startRemote();
  await expect(client.account.status()).resolves.toEqual({
    status: "active",
    customer: "hl_test",
    canMakeRequests: false,
    authFailReason: "zone_not_found",
    ip: "127.0.0.1",
  });
  expect(requests).toEqual([request({ method: "GET", path: "/status" })]);
});

test("status asks about a zone", async () => {
  const { client, account, requests, request } = await startRemote();
  account.addZone("web", { type: "static" });
  await expect(client.account.status({ zone: "web" })).resolves.toEqual({
    status: "active",
    customer: "hl_test",
    canMakeRequests: true,
    ip: "127.0.0.1",
  });
  expect(requests).toEqual([request({ method: "GET", path: "/status", query: { zone: "web" } })]);
});

test("status needs the customer's id in the answer", async () => {
  const { client, answer } = await startRemote();
  answer(200, { status: "active" });
  await failure(client.account.status(), ResponseFormatError);
});

test("balance reads the figures of a live account", async () => {
  const { client, account, requests, request } = await startRemote({ remote: { balanceFigures: "observed" } });
  account.balance = { balance: 1948.36, credit: 0, prepayment: 1999, pending_costs: 50.64 };
  await expect(client.account.balance()).resolves.toEqual({
    balance: 1948.36,
    credit: 0,
    prepayment: 1999,
    pendingCosts: 50.64,
  });
  expect(requests).toEqual([request({ method: "GET", path: "/customer/balance" })]);
});

test("balance reads the documented figures", async () => {
  const { client, answer } = await startRemote();
  answer(200, { balance: 456, pending_balance: 123 });
  await expect(client.account.balance()).resolves.toEqual({ balance: 456, pendingBalance: 123 });
});

test.each(["all", "res", "dc", "mobile"] as const)("networkStatus asks for %s", async (network) => {
  const { client, answer, requests, request } = await startRemote();
  await expect(client.account.networkStatus(network)).resolves.toBe(true);
  answer(200, { status: false });
  await expect(client.account.networkStatus(network)).resolves.toBe(false);
  expect(requests[0]).toEqual(request({ method: "GET", path: `/network_status/${network}` }));
});

test("networkStatus passes a refusal on", async () => {
  const { client } = await startRemote();
  await failure(client.account.networkStatus("sea" as "all"), InvalidRequestError);
});
