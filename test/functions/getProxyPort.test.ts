import { expect, test } from "vitest";
import { getProxyPort } from "../../src/generated";
import { PORT, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("one as it is declared, without credentials", async () => {
  const { asked } = await startManager([PORT]);
  await expect(getProxyPort({ port: 24000 })).resolves.toEqual(DESCRIBED);
  expect(asked()).toEqual(["GET /api/proxies/24000"]);
});

test("one that is not there: the function that lists the others is named as code, which each language spells", async () => {
  await startManager([PORT]);
  await expect(getProxyPort({ port: 24001 })).rejects.toThrow("`getProxyPorts` lists the ports that are declared.");
});

test("the requests that its rules send are left out: a webhook's URL is as good as a password", async () => {
  const requestUrl = { url: "https://hooks.example/T0/secret", payload: { text: "banned" } };
  const rules = [
    { status: "403", action: { ban_ip: 1000, request_url: requestUrl } },
    { status: "500", action: { retry: 2 } },
  ];
  await startManager([{ ...PORT, rules }]);
  const found = await getProxyPort({ port: 24000 });
  expect(found.rules).toEqual([
    { status: "403", action: { banIp: 1000 } },
    { status: "500", action: { retry: 2 } },
  ]);
});
