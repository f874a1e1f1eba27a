import { expect, test } from "vitest";
import { startManager } from "./harness";

test("users are added and listed", async () => {
  const { replay, manager } = await startManager();
  await replay([
    ["GET /api/lpm_users", undefined, 200, []],
    ["POST /api/lpm_user", { email: "a@b.c" }, 200, "ok"],
  ]);
  const [user] = manager.state.users;
  expect(user).toEqual({ email: "a@b.c", password: expect.stringMatching(/^\w{12}$/) });
  await replay([["GET /api/lpm_users", undefined, 200, [user]]]);
});

test("an empty e-mail address adds nobody", async () => {
  const { replay, manager } = await startManager();
  await replay([{ email: null }, { email: "" }, {}].map((body) => ["POST /api/lpm_user", body, 200, "ok"]));
  expect(manager.state.users).toEqual([]);
});

test("there are no users without a login", async () => {
  const { replay } = await startManager({ loggedIn: false });
  const crash = "Server error: Cannot read properties of undefined (reading 'statusCode')";
  await replay([
    ["GET /api/lpm_users", undefined, 200, []],
    ["POST /api/lpm_user", { email: "a@b" }, 500, crash],
    ["POST /api/refresh_ips", { zone: "z", ips: [] }, 500, crash],
  ]);
});
