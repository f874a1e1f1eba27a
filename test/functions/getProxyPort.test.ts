import { expect, test } from "vitest";
import { getProxyPort } from "../../src/generated";
import { PORT, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("one as it is declared, without credentials", async () => {
  const { asked } = await startManager([PORT]);
  await expect(getProxyPort({ port: 24000 })).resolves.toEqual(DESCRIBED);
  expect(asked()).toEqual(["GET /api/proxies/24000"]);
});
