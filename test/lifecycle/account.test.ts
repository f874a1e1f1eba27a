import { expect, test } from "vitest";
import { ServerError } from "../../src/base/errors";
import { count, failure, stage } from "./harness";

const NEVER = new AbortController().signal;

test("an account asks for its customer once, whoever asks and whenever", async () => {
  const scene = await stage();
  const [account] = scene.context.accounts;
  const both = await Promise.all([account.customer(NEVER), account.customer(NEVER)]);
  expect([...both, await account.customer(NEVER)]).toEqual(Array(3).fill(scene.customer));
  expect(count(scene, "GET /status")).toBe(1);
});

test("an account asks for its customer again when that has failed", async () => {
  const scene = await stage();
  const [account] = scene.context.accounts;
  scene.remote.service.faults.add({ path: "/status", kind: "respond", status: 503 });
  expect(await failure(account.customer(NEVER))).toBeInstanceOf(ServerError);
  expect(await account.customer(NEVER)).toBe(scene.customer);
});
