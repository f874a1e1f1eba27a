import { describe, expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, ResponseFormatError, ServiceError } from "../../src/base/errors";
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
  expect(error.message).toContain("`passwords`: expected a list, but it is an object");
  expect(error.message).not.toContain("hunter2");
});

describe("add and remove", () => {
  test("name the zone and the passwords", async () => {
    const { client, account, requests, request } = await startRemote();
    const zone = account.addZone("web", { type: "static" });
    zone.password = ["first"];
    await expect(client.passwords.add("web", ["second", "third"])).resolves.toBeUndefined();
    await expect(client.passwords.remove("web", ["first"])).resolves.toBeUndefined();
    expect(zone.password).toEqual(["second", "third"]);
    expect(requests).toEqual([
      request({ method: "POST", path: "/zone/add_password", body: { zone: "web", password: ["second", "third"] } }),
      request({ method: "POST", path: "/zone/remove_password", body: { zone: "web", password: ["first"] } }),
    ]);
  });

  test("cannot leave a zone without one", async () => {
    const { client, account } = await startRemote();
    account.addZone("web", { type: "static" }).password = ["only-one"];
    const error = await failure(client.passwords.remove("web", ["only-one"]), InvalidRequestError);
    expect(error.serviceMessage).toBe("Zone should have at least one password");
  });

  test.each([[[]], [[""]], [["hunter2-hunter2", " "]]])("need passwords: %j", async (passwords) => {
    const { client, requests } = await startRemote();
    for (const operation of ["add", "remove"] as const) {
      const error = await failure(client.passwords[operation]("web", passwords), ArgumentError);
      expect(error.message).not.toContain("hunter2");
    }
    expect(requests).toEqual([]);
  });

  test("show nobody a password that the service repeats", async () => {
    const { client, answer } = await startRemote();
    for (const operation of ["add", "remove"] as const) {
      answer(400, "Invalid password hunter2-hunter2");
      const error = await failure(client.passwords[operation]("web", ["hunter2-hunter2"]), InvalidRequestError);
      expect(error.serviceMessage).toBe("Invalid password [secret]");
    }
  });
});

test("shows no password when the service sends it back", async () => {
  const { client, answer } = await startRemote();
  for (const act of ["add", "remove"] as const) {
    answer(400, "hunter2-hunter2 cannot be used");
    const error = await failure(client.passwords[act]("web", ["hunter2-hunter2"]), ServiceError);
    expect(error.serviceMessage).toBe("[secret] cannot be used");
  }
});
