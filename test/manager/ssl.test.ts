import { expect, test } from "vitest";
import { NotFoundError } from "../../src/base/errors";
import { failure, startManager } from "./harness";

test("SSL analyzing is turned on for one port", async () => {
  const { client, requests, request, withPorts } = await startManager();
  await withPorts({ port: 24000 }, { port: 24001 });
  await client.ssl.enable(24000);
  expect(requests).toEqual([
    request({ method: "GET", path: "/api/proxies/24000" }),
    request({ method: "POST", path: "/api/enable_ssl", body: { port: 24000 } }),
  ]);
  expect(await client.ports.get(24000)).toMatchObject({ ssl: true });
  expect(await client.ports.get(24001)).not.toMatchObject({ ssl: true });
});

test("SSL analyzing is turned on for all ports", async () => {
  const { client, requests, request, withPorts } = await startManager();
  await withPorts({ port: 24000 }, { port: 24001 });
  await client.ssl.enable("all");
  expect(requests).toEqual([request({ method: "POST", path: "/api/enable_ssl", body: {} })]);
  for (const port of [24000, 24001]) expect(await client.ports.get(port)).toMatchObject({ ssl: true });
});

test("a port that does not exist is reported, though the manager would say that all is well", async () => {
  const { client, requests } = await startManager();
  const error = await failure(client.ssl.enable(24999), NotFoundError);
  expect(error.message).toMatch(/^Could not turn on SSL analyzing on proxy port 24999: .+ invalid port number\./);
  expect(requests.map(({ method }) => method)).toEqual(["GET"]);
});
