import { expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, PermissionError } from "../../src/base/errors";
import { failure, startManager } from "./harness";

test("users are added and listed", async () => {
  const { client, manager, requests, request } = await startManager();
  expect(await client.users.list()).toEqual([]);
  await client.users.add("ops@example.com");
  expect(await client.users.list()).toEqual([{ email: "ops@example.com", password: manager.state.users[0]?.password }]);
  expect(requests).toEqual([
    request({ method: "GET", path: "/api/lpm_users" }),
    request({ method: "POST", path: "/api/lpm_user", body: { email: "ops@example.com" } }),
    request({ method: "GET", path: "/api/lpm_users" }),
  ]);
});

test("only what is named is kept of a user", async () => {
  const { client, answer } = await startManager();
  answer(200, [{ email: "a@example.com", id: 5 }]);
  expect(await client.users.list()).toEqual([{ email: "a@example.com" }]);
});

test.each(["", "ops", "a@example.com,b@example.com", "a@b c"])("refuses %j as one address", async (email) => {
  const { client, requests } = await startManager();
  await failure(client.users.add(email), ArgumentError);
  expect(requests).toEqual([]);
});

test("says that nobody is logged in", async () => {
  const { client } = await startManager({ loggedIn: false });
  expect(await client.users.list()).toEqual([]);
  const error = await failure(client.users.add("ops@example.com"), InvalidRequestError);
  expect(error.message).toContain("log it in on its web page, or restart it");
});

test("passes the vendor's refusal on", async () => {
  const { client, answer } = await startManager();
  answer(403, "user limit reached");
  expect(await failure(client.users.add("ops@example.com"), PermissionError)).toMatchObject({
    serviceMessage: "user limit reached",
  });
});
