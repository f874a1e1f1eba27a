import { expect, test } from "vitest";
import { InvalidRequestError, NotFoundError, ResponseFormatError, ServiceError } from "../../src/base/errors";
import { failure, startManager } from "./harness";

test("the running ports are those that listen, with what they run with", async () => {
  const { account, client, manager, requests, request, withPorts } = await startManager();
  account.addZone("web", { type: "static" });
  await withPorts({ port: 24000, zone: "web", country: "us", multiply: 2 });
  const [first, second] = await client.ports.running();
  expect(requests).toEqual([request({ method: "GET", path: "/api/proxies_running" })]);
  expect(first).toMatchObject({ port: 24000, zone: "web", country: "us", proxyType: "persist", dns: "local" });
  expect(first).not.toHaveProperty("masterPort");
  expect(second).toMatchObject({ port: 24001, masterPort: 24000, proxyType: "duplicate" });

  await client.sessions.status(24000);
  expect((await client.ports.running())[0]).toMatchObject({ status: "ok" });
  expect(manager.state.running.size).toBe(3);
});

test("the running ports carry nothing that is not a port's field", async () => {
  const { client, answer } = await startManager();
  answer(200, [{ port: 24000, zones: { web: "zone-pass" }, lpm_token: "t", status: null, status_details: [] }]);
  expect(await client.ports.running()).toEqual([{ port: 24000 }]);
});

test("the running ports are reported when they are of another shape", async () => {
  const { client, answer } = await startManager();
  answer(200, { port: 24000 });
  await failure(client.ports.running(), ResponseFormatError);
});

test("a duplicate takes the next free number", async () => {
  const { client, requests, request, withPorts } = await startManager();
  await withPorts({ port: 24000, zone: "web", country: "us" });
  expect(await client.ports.duplicate(24000)).toBe(24001);
  expect(requests).toEqual([request({ method: "POST", path: "/api/proxy_dup", body: { port: 24000 } })]);
  expect(await client.ports.get(24001)).toMatchObject({ port: 24001, zone: "web", country: "us" });
});

test("a duplicate of a port that does not exist is refused", async () => {
  const { client } = await startManager();
  const error = await failure(client.ports.duplicate(24999), NotFoundError);
  expect(error.message).toContain("There is no such port. Check the number");
});

test("a duplicate is refused in the manager's words where it has some", async () => {
  const { client, answer } = await startManager();
  answer(400, { errors: [{ msg: "no free port", field: "port" }] });
  expect(await failure(client.ports.duplicate(24000), InvalidRequestError)).toMatchObject({
    serviceMessage: "port: no free port",
  });
});

test("shows no credential of a port when the manager sends it back", async () => {
  const { client, answer } = await startManager();
  const secrets = {
    password: "secret-1",
    userPassword: "secret-2",
    extProxies: ["user:secret-3@203.0.113.7"],
    extProxyPassword: "secret-4",
    headers: [{ name: "x-tenant", value: "secret-5" }],
  };
  const words = "user:secret-3@203.0.113.7, secret-1, secret-2, secret-3, secret-4 and secret-5";
  for (const act of [() => client.ports.create(secrets), () => client.ports.update(24000, secrets)]) {
    answer(400, words);
    const error = await failure(act(), ServiceError);
    expect(error.serviceMessage).toBe("[secret], [secret], [secret], [secret], [secret] and [secret]");
  }
});
