import { expect, test } from "vitest";
import {
  ArgumentError,
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
  ServerError,
} from "../../src/base/errors";
import { failure, startManager } from "./harness";

const VENDOR_SLOW = { status: 504, error: "timeout" };

async function start() {
  const started = await startManager({}, { retries: 2 });
  const zone = started.account.addZone("web", { type: "static", ips: 3, country: "us" });
  zone.allocatedIps = started.account.allocateIps(3, "us");
  zone.allocatedGips = started.account.allocateGips(2, "us");
  return {
    ...started,
    zone,
    ips: zone.allocatedIps.map(({ ip }) => ip),
    gips: zone.allocatedGips.map(({ vip }) => vip),
  };
}

test("the allocated IPs are listed", async () => {
  const { client, requests, request, ips } = await start();
  expect(await client.ips.allocated("web")).toEqual(ips);
  expect(requests).toEqual([request({ method: "GET", path: "/api/allocated_ips", query: { zone: "web" } })]);
});

test("the allocated IPs are listed by gIP", async () => {
  const { client, requests, request, gips } = await start();
  expect(await client.ips.allocatedGips("web")).toEqual(gips);
  expect(requests).toEqual([request({ method: "GET", path: "/api/allocated_vips", query: { zone: "web" } })]);
});

test("the allocated IPs are listed by gIP under the name in the vendor's reference too", async () => {
  const { client, answer } = await start();
  answer(200, { ips: ["gip1"] });
  expect(await client.ips.allocatedGips("web")).toEqual(["gip1"]);
});

test.each(["allocated", "allocatedGips"] as const)("%s of an unknown zone is refused", async (name) => {
  const { client, requests } = await start();
  const error = await failure(client.ips[name]("nosuch"), NotFoundError);
  expect(error.message).toContain("specified zone does not exist. Check the name: `getManagerZones`");
  expect(requests).toHaveLength(1);
  await failure(client.ips[name](" "), ArgumentError);
  expect(requests).toHaveLength(1);
});

test("IPs of a zone are replaced", async () => {
  const { client, requests, request, zone, ips } = await start();
  const answer = await client.ips.refresh("web", [ips[0] ?? ""]);
  expect(requests).toEqual([
    request({ method: "POST", path: "/api/refresh_ips", body: { zone: "web", ips: [ips[0]] } }),
  ]);
  expect(answer).toEqual(zone.allocatedIps.map(({ ip, country }) => ({ ip, country })));
  expect(answer.map(({ ip }) => ip)).toEqual([expect.not.stringMatching(ips[0] ?? ""), ips[1], ips[2]]);
});

test("IPs of a zone are all replaced only where that is said", async () => {
  const { client, requests, request, ips } = await start();
  const answer = await client.ips.refresh("web", "all");
  expect(requests).toEqual([request({ method: "POST", path: "/api/refresh_ips", body: { zone: "web" } })]);
  for (const { ip } of answer) expect(ips).not.toContain(ip);
  await failure(client.ips.refresh("web", []), ArgumentError);
  await failure(client.ips.refresh("", "all"), ArgumentError);
  expect(requests).toHaveLength(1);
});

test.each(["nonsense", "10.0.0.0/8", "::1"])("IPs of a zone must be IPs: %j", async (ip) => {
  const { client, requests } = await start();
  await failure(client.ips.refresh("web", [ip]), ArgumentError);
  await failure(client.ips.refreshOfPort(24000, { ip }), ArgumentError);
  expect(requests).toEqual([]);
});

test("IPs of a zone are replaced by gIP", async () => {
  const { client, requests, request, zone, gips } = await start();
  const answer = await client.ips.refreshGips("web", [gips[1] ?? ""]);
  expect(requests).toEqual([
    request({ method: "POST", path: "/api/refresh_ips", body: { zone: "web", vips: [gips[1]] } }),
  ]);
  expect(answer).toEqual(zone.allocatedGips.map(({ vip, country }) => ({ gip: vip, country })));
  expect(answer.map(({ gip }) => gip)).not.toContain(gips[1]);
  await failure(client.ips.refreshGips("web", []), ArgumentError);
});

test("IPs of a zone are not replaced when the vendor refuses, which the manager answers with 200", async () => {
  const { client, requests } = await start();
  const error = await failure(client.ips.refresh("nosuch", ["1.1.1.1"]), NotFoundError);
  expect(error.message).toBe(
    `Could not refresh IPs of zone "nosuch": POST ${client.url}/api/refresh_ips answered 404: Zone not found.`,
  );
  await failure(client.ips.refreshGips("nosuch", ["gip"]), NotFoundError);
  expect(requests).toHaveLength(2);
});

test("IPs of a zone are asked for once, whatever the vendor says", async () => {
  const { client, requests, answer } = await start();
  answer(200, VENDOR_SLOW);
  const error = await failure(client.ips.refresh("web", "all"), ServerError);
  expect(error).toMatchObject({ status: 504, serviceMessage: "timeout", settled: false });
  answer(500, "Server error: nonsense");
  await failure(client.ips.refresh("web", "all"), ServerError);
  expect(requests).toHaveLength(2);
});

test.each([
  [{ status: 400, error: { error: "not enough money" } }, "not enough money"],
  [{ status: 400 }, ""],
])("the vendor refuses to replace IPs in whatever shape: %j", async (body, words) => {
  const { client, answer } = await start();
  answer(200, body);
  expect(await failure(client.ips.refresh("web", "all"), InvalidRequestError)).toMatchObject({
    serviceMessage: words,
  });
});

test("an answer of another shape is reported", async () => {
  const { client, answer } = await start();
  answer(200, {});
  await failure(client.ips.refresh("web", "all"), ResponseFormatError);
});

test("IPs of a zone cannot be replaced while nobody is logged in", async () => {
  const { client } = await startManager({ loggedIn: false });
  const error = await failure(client.ips.refresh("web", "all"), InvalidRequestError);
  expect(error.message).toContain("log it in on its web page, or restart it");
});

test("an IP of a port is replaced in its zone and in its list", async () => {
  const { client, requests, request, withPorts, zone, ips } = await start();
  const [first = "", second = ""] = ips;
  await withPorts({ port: 24000, zone: "web", ips: [first, second] });
  await client.ips.refreshOfPort(24000, { ip: first });
  expect(requests).toEqual([request({ method: "POST", path: "/api/refresh_ip/24000", body: { ip: first } })]);
  expect(await client.ports.get(24000)).toMatchObject({ ips: [zone.allocatedIps[0]?.ip, second] });
  expect(zone.allocatedIps[0]?.ip).not.toBe(first);
});

test("an IP of a port is replaced by gIP", async () => {
  const { client, requests, request, withPorts, zone, gips } = await start();
  await withPorts({ port: 24000, zone: "web" });
  await client.ips.refreshOfPort(24000, { gip: gips[0] ?? "" });
  expect(requests).toEqual([request({ method: "POST", path: "/api/refresh_ip/24000", body: { vip: gips[0] } })]);
  expect(zone.allocatedGips[0]?.vip).not.toBe(gips[0]);
});

test("an IP of a port is not replaced on a port that does not exist, or whose zone does not", async () => {
  const { client, withPorts } = await start();
  const error = await failure(client.ips.refreshOfPort(24999, { ip: "1.1.1.1" }), NotFoundError);
  expect(error.message).toContain("Invalid port number. Check the number");
  await withPorts({ port: 24000, zone: "nosuch" });
  const other = await failure(client.ips.refreshOfPort(24000, { ip: "1.1.1.1" }), NotFoundError);
  expect(other.message).toContain("specified zone does not exist. Check the name");
});
