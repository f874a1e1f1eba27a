import { expect, test } from "vitest";
import { refusal, startRemote } from "./harness";

test("the status is about the proxy, not about the key", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  expect((await call("GET", "/status")).body).toEqual({
    status: "active",
    customer: "hl_test",
    can_make_requests: false,
    auth_fail_reason: "zone_not_found",
    ip: "127.0.0.1",
  });
  expect((await call("GET", "/status?zone=z")).body).toEqual({
    status: "active",
    customer: "hl_test",
    can_make_requests: true,
    ip: "127.0.0.1",
  });
});

test.each(["all", "res", "dc", "mobile"])("the network %s is up", async (network) => {
  const { call } = await startRemote();
  expect((await call("GET", `/network_status/${network}`)).body).toEqual({ status: true });
});

test("an unknown network is refused", async () => {
  const { call } = await startRemote();
  expect(await call("GET", "/network_status/moon")).toEqual(refusal(400, "Unknown network"));
});
