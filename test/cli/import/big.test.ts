import { expect, onTestFinished, test, vi } from "vitest";
import { fleet } from "./account";
import { differences, imported } from "./program";

test("accounts and managers with names get files of their own, which refer to each other", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const { environment, close } = await fleet(60, 50);
  onTestFinished(close);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { files, leftOut } = await imported(environment);
  expect(leftOut).toEqual([]);
  expect([...files.keys()]).toEqual([
    "index.ts",
    "account.ts",
    "account-other.ts",
    "manager.ts",
    "manager-fra-1.ts",
    "manager-nyc-1.ts",
    "manager-nyc-2.ts",
    "manager-nyc-3.ts",
    "import.json",
  ]);
  expect(files.get("account-other.ts")).toContain(`new brightdata.Zone(
  "other-zone_0",
  { name: "zone_0", plan: { type: "unblocker" }, account: "other" },
  { protect: true },
);`);
  expect(files.get("manager-fra-1.ts")).toContain(`import * as brightdata from "pulumi-brightdata";
import { zone1 } from "./account";
import { zone0X } from "./account-other";
`);
  expect(await differences(files)).toEqual([]);
}, 60_000);
