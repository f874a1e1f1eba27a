import { beforeEach, expect, test } from "vitest";
import { ConnectionError } from "../../src/base/errors";
import { Outages } from "../../src/run/outages";

let outages: Outages;
const inWords = (failure: unknown): string => outages.inWords(failure);

beforeEach(() => {
  outages = new Outages();
});

const refused = (operation: string, port = 22_999, code = "ECONNREFUSED") =>
  new ConnectionError(
    { service: "manager", operation, method: "GET", url: `http://127.0.0.1:${port}/api/proxies` },
    code,
    `connect ${code} 127.0.0.1:${port}`,
  );

test("a service that is down is said once in full, and then by a word", () => {
  const first = refused("read proxy port 24000");
  expect(inWords(first)).toBe(first.message);
  expect(inWords(refused("read proxy port 24001"))).toBe(
    "Could not read proxy port 24001, for the reason that another resource gives in full (manager http://127.0.0.1:22999 ECONNREFUSED); 1 more before this one.",
  );
  expect(inWords(new Error("wrapped", { cause: refused("read proxy port 24002") }))).toMatch(/24002.*2 more before/);
});

test("what else a failure says is said each time", () => {
  inWords(refused("read proxy port 24000"));
  const cause = refused("create proxy port 24001");
  const words = (reason: string) => `2 of 3 ports failed.\n  a: ${reason}\n  b: Port 24002 is in use.`;
  expect(inWords(new Error(words(cause.message), { cause }))).toBe(
    words(
      "Could not create proxy port 24001, for the reason that another resource gives in full (manager http://127.0.0.1:22999 ECONNREFUSED); 1 more before this one.",
    ),
  );
});

test("another service, or another reason, is another outage", () => {
  inWords(refused("read proxy port 24000"));
  const others = [refused("read proxy port 24000", 22_998), refused("read proxy port 24000", 22_999, "EHOSTUNREACH")];
  for (const other of others) expect(inWords(other)).toBe(other.message);
});

test("a request that may have been carried out keeps its own words", () => {
  const broken = () => refused("create proxy port 24000", 22_999, "ECONNRESET");
  for (let times = 0; times < 2; times++) expect(inWords(broken())).toBe(broken().message);
});

test("what is no outage is left as it is", () => {
  for (let times = 0; times < 2; times++) expect(inWords(new Error("no"))).toBe("no");
  expect(inWords("text")).toBe("text");
});
