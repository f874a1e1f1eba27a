import { expect, test } from "vitest";
import { declared } from "./mocks";

const config = { country: "de", ips: 0, maxIps: 0, proxyHost: "brd.superproxy.io", proxyPort: 44_445 };

test("production has a zone with a fixed name, which is protected", async () => {
  expect(await declared("live", { ...config, production: true, ips: 2, maxIps: 10 })).toEqual([
    {
      type: "Zone",
      name: "web",
      inputs: expect.objectContaining({
        name: "web",
        plan: { type: "static", ipsType: "dedicated", ips: 2, country: "de" },
      }),
      isProtected: true,
    },
  ]);
});

test("a pull request has a zone of its own, which buys nothing", async () => {
  expect(await declared("pr-12", config)).toEqual([
    {
      type: "Zone",
      name: "web",
      inputs: expect.objectContaining({
        name: "web_test_pr_12",
        plan: { type: "static", ipsType: "shared", country: "de" },
      }),
      isProtected: false,
    },
  ]);
});

test("a stack that does not say whether it is production is made by nobody", async () => {
  await expect(declared("live", config)).rejects.toThrow("pulumi config set test:production <value>");
});

test("no environment buys more than it may", async () => {
  await expect(declared("pr-12", { ...config, ips: 3 })).rejects.toThrow(
    "The stack pr-12 asks for 3 IPs, and may have 0.",
  );
});
