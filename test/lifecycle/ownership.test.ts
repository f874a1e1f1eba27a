import { describe, expect, test } from "vitest";
import { Ownership } from "../../src/lifecycle/ownership";

describe("who has what", () => {
  test("is nobody before a resource has said so", () => {
    expect(new Ownership().has("Zone web")).toBe(false);
  });

  test("is the resource that has made, adopted or written it", () => {
    const ownership = new Ownership();
    ownership.claim(["Zone web", "Zone api"]);
    expect(["Zone web", "Zone api", "Zone www", "ProxyPort web"].filter((thing) => ownership.has(thing))).toEqual([
      "Zone web",
      "Zone api",
    ]);
  });

  test("is the resource that declares it and stays, until it is to be made anew", () => {
    const ownership = new Ownership();
    ownership.declare(["Zone web", "Zone api"]);
    expect(ownership.has("Zone web")).toBe(true);
    ownership.expect(["Zone web", "Zone www"]);
    expect(ownership.has("Zone web")).toBe(false);
    expect(ownership.has("Zone api")).toBe(true);
  });

  test("stays the resource that has made it, whoever declared it before", () => {
    const ownership = new Ownership();
    ownership.declare(["Zone web"]);
    ownership.claim(["Zone web"]);
    ownership.expect(["Zone web"]);
    expect(ownership.has("Zone web")).toBe(true);
  });

  test("is told by the highest number of a kind, made or expected", () => {
    const ownership = new Ownership();
    expect(ownership.highest("ProxyPort", "expected")).toBeUndefined();
    ownership.expect(["ProxyPort 24000", "ProxyPort 24009", "ProxyPort 24003", "Zone 25000", "Zone web"]);
    ownership.claim(["ProxyPort 24001", "Zone web"]);
    expect(ownership.highest("ProxyPort", "expected")).toBe(24_009);
    expect(ownership.highest("ProxyPort", "made")).toBe(24_001);
    expect(ownership.highest("Zone", "made")).toBeUndefined();
  });
});
