import { expect, test } from "vitest";
import { ok, refusal, startRemote } from "./harness";

test("passwords are listed, added and removed, one or several", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" }).password = ["one"];
  expect(await call("GET", "/zone/passwords?zone=z")).toMatchObject(ok({ passwords: ["one"] }));
  expect(await call("POST", "/zone/add_password", { zone: "z", password: ["two", "three"] })).toMatchObject(ok("OK"));
  expect(await call("POST", "/zone/add_password", { zone: "z", password: "two" })).toMatchObject(ok("OK"));
  expect(await call("POST", "/zone/remove_password", { zone: "z", password: ["one"] })).toMatchObject(ok("OK"));
  expect((await call("GET", "/zone/passwords?zone=z")).body).toEqual({ passwords: ["two", "three"] });
});

test("one password must stay", async () => {
  const { account, call } = await startRemote();
  const zone = account.addZone("z", { type: "unblocker" });
  expect(await call("POST", "/zone/remove_password", { zone: "z", password: zone.password })).toEqual(
    refusal(400, "Zone should have at least one password"),
  );
  expect(zone.password).toHaveLength(1);
});

test.each([
  ["GET", "/zone/passwords?zone=nosuch", undefined, 422, "Zone not found"],
  ["GET", "/zone/passwords", undefined, 422, "Zone not found"],
  ["POST", "/zone/add_password", { zone: "nosuch", password: ["p"] }, 400, "Zone not found"],
  ["POST", "/zone/add_password", { zone: "z" }, 400, "Invalid password"],
  ["POST", "/zone/add_password", { zone: "z", password: [] }, 400, "Invalid password"],
  ["POST", "/zone/remove_password", { zone: "z", password: ["unknown"] }, 400, "Invalid password"],
])("%s %s with %j is refused", async (method, path, body, status, message) => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  expect(await call(method, path, body)).toEqual(refusal(status, message));
});
