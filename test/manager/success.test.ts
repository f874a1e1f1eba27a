import { expect, test } from "vitest";
import { ResponseFormatError } from "../../src/base/errors";
import type { ManagerClient } from "../../src/manager/client";
import { failure, startManager } from "./harness";

const PAGE = "<!DOCTYPE html><html><title>Proxy Manager</title></html>";

const OPERATIONS: Record<string, (client: ManagerClient) => Promise<unknown>> = {
  "ports.create": ({ ports }) => ports.create({ port: 24000 }),
  "ports.update": ({ ports }) => ports.update(24000, { zone: "web" }),
  "ports.remove": ({ ports }) => ports.remove(24000),
  "ports.duplicate": ({ ports }) => ports.duplicate(24000),
  "settings.update": ({ settings }) => settings.update({ logs: 5 }),
  "settings.setWwwWhitelistIps": ({ settings }) => settings.setWwwWhitelistIps([]),
  "allowlists.add": ({ allowlists }) => allowlists.add({ list: "ui", ip: "203.0.113.7" }),
  "allowlists.remove": ({ allowlists }) => allowlists.remove({ list: "ports", ip: "203.0.113.7", apiKey: "key" }),
  "apiKeys.generate": ({ apiKeys }) => apiKeys.generate(),
  "bans.add": ({ bans }) => bans.add(24000, { ip: "203.0.113.7" }),
  "bans.addAll": ({ bans }) => bans.addAll(24000, { ips: ["203.0.113.7"] }),
  "bans.remove": ({ bans }) => bans.remove(24000, { ip: "203.0.113.7" }),
  "bans.removeAll": ({ bans }) => bans.removeAll(24000),
  "ips.refresh": ({ ips }) => ips.refresh("web", "all"),
  "ips.refreshOfPort": ({ ips }) => ips.refreshOfPort(24000, { ip: "203.0.113.7" }),
  "process.upgradeUnasked": ({ process }) => process.upgradeUnasked(),
  "process.restart": ({ process }) => process.restart({ wait: 0 }),
  "process.restart, before it": ({ process }) => process.restart(),
  "process.shutdown": ({ process }) => process.shutdown(),
  "sessions.refresh": ({ sessions }) => sessions.refresh(24000),
  "ssl.enable": ({ ssl }) => ssl.enable("all"),
  "ssl.enable, of one port": ({ ssl }) => ssl.enable(24000),
  "users.add": ({ users }) => users.add("ops@example.com"),
  "logs.tail": ({ logs }) => logs.tail(),
};

test.each(Object.entries(OPERATIONS))("%s does not take a page with status 200 for a success", async (_, operation) => {
  const { client, answer } = await startManager();
  answer(200, PAGE);
  const error = await failure(operation(client), ResponseFormatError);
  expect(error).toMatchObject({ settled: false });
  expect(error.message).toContain("an HTML page");
});

test("bans.addEverywhere does not either", async () => {
  const { client, manager, withPorts } = await startManager();
  await withPorts({ port: 24000 });
  manager.service.faults.add({ method: "POST", kind: "respond", status: 200, body: PAGE });
  await failure(client.bans.addEverywhere({ ips: ["203.0.113.7"] }), ResponseFormatError);
});
