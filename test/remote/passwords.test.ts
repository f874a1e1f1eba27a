import { expect, test } from "vitest";
import { InvalidRequestError, ResponseFormatError } from "../../src/errors";
import { failure, startRemote } from "./harness";

test("reads the passwords of a zone", async () => {
  const { client, account, requests, request } = await startRemote();
  account.addZone("web", { type: "static" }).password = ["first", "second"];
  await expect(client.passwords.list("web")).resolves.toEqual(["first", "second"]);
  expect(requests).toEqual([request({ method: "GET", path: "/zone/passwords", query: { zone: "web" } })]);
});

test("tells that there is no such zone", async () => {
  const { client } = await startRemote();
  const error = await failure(client.passwords.list("web"), InvalidRequestError);
  expect(error).toMatchObject({ status: 422, serviceMessage: "Zone not found" });
  expect(error.message).toContain('Could not read the passwords of zone "web"');
});

test("shows no password when the answer has another shape", async () => {
  const { client, answer } = await startRemote();
  answer(200, { passwords: { first: "hunter2-hunter2" } });
  const error = await failure(client.passwords.list("web"), ResponseFormatError);
  expect(error.message).toContain("passwords:");
  expect(error.message).not.toContain("hunter2");
});
