import { expect, test } from "vitest";
import { NEVER } from "../../simulator/service";
import { ConnectionError, InvalidRequestError, NotFoundError, TimeoutError } from "../../src/base/errors";
import { timeLimit } from "../http/loopback";
import { failure, startManager } from "./harness";
import { managerWith } from "./manager";

test("a session is refreshed, and named", async () => {
  const { client, requests, request, withPorts } = await startManager();
  await withPorts({ port: 24000 });
  expect(await client.sessions.refresh(24000)).toBe("24000_1");
  expect(await client.sessions.refresh(24000)).toBe("24000_2");
  const made = request({ method: "POST", path: "/api/refresh_sessions/24000" });
  expect(requests).toEqual([made, made]);
});

test("a session has no name on a port that takes another one of its own accord", async () => {
  const { client, withPorts } = await startManager();
  await withPorts({ port: 24000, rotateSession: true });
  expect(await client.sessions.refresh(24000)).toBeUndefined();
});

test("a session of a port that does not exist is reported, though the manager says nothing", async () => {
  const { client } = await startManager();
  const error = await failure(client.sessions.refresh(24999), NotFoundError);
  expect(error.message).toContain("answered 400: There is no such port. Check the number");
});

test("a session is not refused for a port where the manager says another reason", async () => {
  const { client, answer } = await startManager();
  answer(400, "something else");
  await failure(client.sessions.refresh(24000), InvalidRequestError);
});

test("a port's status is that of the last request through it", async () => {
  const { account, client, manager, requests, request, withPorts } = await startManager();
  account.addZone("web", { type: "static", ips: 1 });
  await withPorts({ port: 24000, zone: "web" });
  expect(await client.sessions.status(24000)).toEqual({ ok: true, status: "ok", details: [] });
  const running = manager.state.running.get("24000");
  if (running !== undefined) running.health = "connection refused";
  expect(await client.sessions.status(24000)).toMatchObject({ ok: true });
  expect(await client.sessions.status(24000, { force: true })).toEqual({
    ok: false,
    status: "connection refused",
    details: [],
  });
  const path = "/api/proxy_status/24000";
  expect(requests).toEqual([
    request({ method: "GET", path }),
    request({ method: "GET", path }),
    request({ method: "GET", path, query: { force: "true" } }),
  ]);
});

test("a port's status says what is wrong with the record", async () => {
  const { client, answer } = await startManager();
  answer(200, { status: "error", status_details: [{ msg: "zone disabled", field: "zone" }, { msg: "SMTP proxy" }] });
  expect(await client.sessions.status(24000)).toEqual({
    ok: false,
    status: "error",
    details: [{ message: "zone disabled", field: "zone" }, { message: "SMTP proxy" }],
  });
});

test("the status of a port that does not exist is reported, though the manager answers 200", async () => {
  const { client } = await startManager();
  const error = await failure(client.sessions.status(24999), NotFoundError);
  expect(error.message).toMatch(/^Could not read the status of proxy port 24999: .+ answered 200: Unknown proxy\./);
});

test("a status may take as long as the settings allow, where that is more than it usually takes", async () => {
  const limit = timeLimit();
  const expire = (): typeof NEVER => {
    limit.expire();
    return NEVER;
  };
  const routes = { "GET /api/proxy_status/24000": expire };
  const { client } = await managerWith(routes, { requestTimeout: limit.seconds, retries: 0 });
  expect(await failure(client.sessions.status(24000), TimeoutError)).toMatchObject({ seconds: limit.seconds });
});

test.each([
  [true, 1],
  [false, 2],
])(
  "a status whose answer is lost is asked for again only where that sends no other request (force: %j)",
  async (force, asked) => {
    const { client, manager, requests, withPorts } = await startManager({}, { retries: 1 });
    await withPorts({ port: 24000 });
    manager.service.faults.add({ kind: "reset-after", path: /proxy_status/, times: 2 });
    expect(await failure(client.sessions.status(24000, { force }), ConnectionError)).toMatchObject({ settled: false });
    expect(requests).toHaveLength(asked);
  },
);
