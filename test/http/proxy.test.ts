import { afterEach, expect, test, vi } from "vitest";
import { messageOf } from "../../src/base/cause";
import { inWordsOfProxy } from "../../src/http/proxy";

const TARGET = new URL("https://api.example.com/zone");

afterEach(() => void vi.unstubAllEnvs());

test.each<[string, Error, boolean]>([
  ["has no address", new Error("getaddrinfo ENOTFOUND proxy.example.com"), true],
  [
    "does not answer",
    new Error("Connect Timeout Error (attempted address: proxy.example.com:3128, timeout: 10000ms)"),
    true,
  ],
  ["refuses at every address", new AggregateError([new Error("connect ECONNREFUSED ::1:3128")]), true],
  ["is not asked for a target without an address", new Error("getaddrinfo ENOTFOUND api.example.com"), false],
  ["is not asked for a target that refuses", new Error("connect ECONNREFUSED 203.0.113.7:443"), false],
  ["has a port like another", new Error("connect ECONNREFUSED 203.0.113.7:31280"), false],
  ["was reached", new Error("read ECONNRESET 203.0.113.7:3128"), false],
])("it is told whether a failure is that of the proxy, which %s", (_, error, isOfProxy) => {
  vi.stubEnv("https_proxy", "http://ann:p-1@proxy.example.com:3128");
  const told = inWordsOfProxy(error, TARGET);
  if (!isOfProxy) expect(told).toBe(error);
  else expect(messageOf(told)).toMatch(/^the proxy cannot be reached: (getaddrinfo|connect)/i);
});
