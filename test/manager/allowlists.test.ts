import { describe, expect, test } from "vitest";
import { json, text } from "../../simulator/service";
import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ServiceError,
} from "../../src/base/errors";
import type { ManagerClient } from "../../src/manager/client";
import { failure } from "../http/loopback";
import { managerWith } from "./manager";

const PATHS = { ui: "/api/whitelist_ip", ports: "/api/wip" } as const;
const LISTS = ["ui", "ports"] as const;
const ok = () => text("OK");

describe.each(LISTS)("the %s list", (list) => {
  const path = PATHS[list];

  test("takes an address, with the key bare", async () => {
    const { client, service } = await managerWith({ [`PUT ${path}`]: ok });
    await client.allowlists.add({ list, ip: "10.0.0.0/8", apiKey: "the-key" });
    expect(service.requests).toMatchObject([
      { method: "PUT", path, headers: { authorization: "the-key" }, body: { ip: "10.0.0.0/8" } },
    ]);
  });

  test("gives an address up, named in the body", async () => {
    const { client, service } = await managerWith({ [`DELETE ${path}`]: ok });
    await client.allowlists.remove({ list, ip: "1.2.3.4", apiKey: "the-key" });
    expect(service.requests).toMatchObject([
      { method: "DELETE", path, query: {}, headers: { authorization: "the-key" }, body: { ip: "1.2.3.4" } },
    ]);
  });

  test("is asked without a key where there is none", async () => {
    const { client, service } = await managerWith({ [`PUT ${path}`]: ok, [`DELETE ${path}`]: ok });
    await client.allowlists.add({ list, ip: "1.2.3.4" });
    await client.allowlists.remove({ list, ip: "1.2.3.4" });
    for (const { headers } of service.requests) expect(headers.authorization).toBeUndefined();
  });

  test("is asked again when the connection broke: both calls may be repeated", async () => {
    const { client, service } = await managerWith({ [`PUT ${path}`]: ok, [`DELETE ${path}`]: ok });
    service.faults.add({ kind: "reset-after", method: "PUT" });
    service.faults.add({ kind: "reset", method: "DELETE" });
    await client.allowlists.add({ list, ip: "1.2.3.4" });
    await client.allowlists.remove({ list, ip: "1.2.3.4" });
    expect(service.requests.map(({ method }) => method)).toEqual(["PUT", "PUT", "DELETE", "DELETE"]);
  });

  test("says that an address does not stand there", async () => {
    const { client } = await managerWith({ [`DELETE ${path}`]: () => text("IP is not whitelisted\n", 404) });
    const error = await failure(client.allowlists.remove({ list, ip: "1.2.3.4" }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toMatch(/^Could not take 1\.2\.3\.4 off the `(ui|ports)` list: .+ IP is not whitelisted\.$/);
  });

  test("refuses what is no address", async () => {
    const { client } = await managerWith({ [`PUT ${path}`]: () => text("Wrong format\n", 422) });
    const error = await failure(client.allowlists.add({ list, ip: "nonsense" }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ serviceMessage: "Wrong format" });
  });

  test.each(["Token required", "Forbidden", "Valid lpm_token required to use this API"])(
    "says what to do about %j",
    async (words) => {
      const answer = () => text(words, 403);
      const { client } = await managerWith({ [`PUT ${path}`]: answer, [`DELETE ${path}`]: answer });
      const entry = { list, ip: "1.2.3.4", apiKey: "stale-key" };
      for (const call of [client.allowlists.add(entry), client.allowlists.remove(entry)]) {
        const error = await failure(call);
        expect(error).toBeInstanceOf(InvalidRequestError);
        expect(error.message).toContain(words);
        expect(error.message).toContain("The API key is missing or has been replaced.");
        expect(error.message).not.toContain("stale-key");
      }
    },
  );

  test("tells a key that is refused from a caller that is", async () => {
    const words = "Connection from your IP is forbidden. If you want to access this site ask the administrator.";
    const { client } = await managerWith({ [`PUT ${path}`]: () => text(words, 403) });
    expect(await failure(client.allowlists.add({ list, ip: "1.2.3.4" }))).toBeInstanceOf(PermissionError);
  });

  test("does not show a key that the manager sends back", async () => {
    const { client } = await managerWith({
      [`PUT ${path}`]: ({ headers }) => text(`no such key: ${headers.authorization}`, 400),
    });
    const { message } = await failure(client.allowlists.add({ list, ip: "1.2.3.4", apiKey: "k3y-of-mine" }));
    expect(message).toContain("no such key: [secret]");
  });

  test("reports a manager that is gone", async () => {
    const { client, service } = await managerWith({}, { retries: 0 });
    await service.close();
    const error = await failure(client.allowlists.add({ list, ip: "1.2.3.4" }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain("Check that the Proxy Manager is running");
  });
});

// Before it could take one address off the `ui` list, the manager could only replace the list as a whole.
test("a manager that has no way to take an address off the `ui` list answers as for one that is not there", async () => {
  const { client } = await managerWith({});
  expect(await failure(client.allowlists.remove({ list: "ui", ip: "1.2.3.4" }))).toBeInstanceOf(NotFoundError);
});

test("a manager without the `ports` list does not say that an address is not on it", async () => {
  const { client } = await managerWith({});
  const error = await failure(client.allowlists.remove({ list: "ports", ip: "1.2.3.4" }));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).not.toBeInstanceOf(NotFoundError);
});

const NO_ADDRESSES = { www_whitelist_ips: [], whitelist_ips: [], fixed_whitelist_ips: [] };

describe("while the manager makes a port, which would lack what is put on a list meanwhile", () => {
  const MAKES: readonly [string, (client: ManagerClient) => Promise<unknown>][] = [
    ["POST /api/proxies", ({ ports }) => ports.create({ zone: "static", port: 24_000 })],
    ["PUT /api/proxies/24000", ({ ports }) => ports.update(24_000, { zone: "static" })],
    ["POST /api/proxy_dup", ({ ports }) => ports.duplicate(24_000)],
  ];
  const CHANGES: readonly [string, (client: ManagerClient) => Promise<unknown>][] = [
    ["PUT /api/wip", ({ allowlists }) => allowlists.add({ list: "ports", ip: "1.2.3.4" })],
    ["PUT /api/whitelist_ip", ({ allowlists }) => allowlists.add({ list: "ui", ip: "1.2.3.4" })],
    ["DELETE /api/wip", ({ allowlists }) => allowlists.remove({ list: "ports", ip: "1.2.3.4" })],
    ["PUT /api/settings", ({ settings }) => settings.update({ whitelistIps: ["1.2.3.4"] })],
    ["PUT /api/settings", ({ settings }) => settings.setWwwWhitelistIps(["1.2.3.4"])],
  ];

  test.each(
    MAKES.flatMap(([make, making]) => CHANGES.map(([change, changing]) => ({ make, making, change, changing }))),
  )("$change waits for $make", async ({ make, making, change, changing }) => {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const order: string[] = [];
    const { client } = await managerWith({
      "GET /api/settings": () => json(NO_ADDRESSES),
      [make]: async () => {
        begun.resolve();
        await end.promise;
        order.push(make);
        return json(make.endsWith("dup") ? { proxy: { port: 24_001 } } : { data: { port: 24_000 } });
      },
      [change]: () => {
        order.push(change);
        return change === "PUT /api/settings" ? json(NO_ADDRESSES) : ok();
      },
    });
    const made = making(client);
    await begun.promise;
    const changed = changing(client);
    // As long as a request takes that does not wait.
    await client.settings.get();
    end.resolve();
    await Promise.all([made, changed]);
    expect(order).toEqual([make, change]);
  });
});
