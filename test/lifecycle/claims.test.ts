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

  test("is the resource that declares it and stays, also where another is to make it", () => {
    const ownership = new Ownership();
    ownership.declare(["Zone web"], "here");
    ownership.expect(["Zone web"], "there");
    expect(ownership.has("Zone web", "there")).toBe(true);
    ownership.expect(["Zone web"], "here");
    expect(ownership.has("Zone web", "there")).toBe(false);
  });

  test("is nobody else to the resource that declares it, unless it has been made", () => {
    const ownership = new Ownership();
    ownership.declare(["Zone web"], "here");
    expect(["here", "there", undefined].map((place) => ownership.has("Zone web", place))).toEqual([false, true, true]);
    // What has been made may be its successor's, which has the same place.
    ownership.claim(["Zone web"]);
    expect(ownership.has("Zone web", "here")).toBe(true);
  });

  describe("who may let go of it", () => {
    const mayGo = (ownership: Ownership) =>
      ["here", "there", "gone", undefined].filter((place) => ownership.mayGo("Zone web", place));

    test("is nobody where another resource is merely to make it", () => {
      const ownership = new Ownership();
      ownership.declare(["Zone other"], "here");
      ownership.expect(["Zone web"], "there");
      expect(mayGo(ownership)).toEqual([]);
    });

    test("is a resource of the program where another takes it over, and no resource whose successor that could be", () => {
      const ownership = new Ownership();
      ownership.declare(["Zone other"], "here");
      ownership.expect(["Zone web"], "there");
      ownership.adopt(["Zone web"], "there");
      expect(mayGo(ownership)).toEqual(["here"]);
    });

    test("is everybody but the one that declares it, and everybody once it has been made", () => {
      const ownership = new Ownership();
      ownership.declare(["Zone web"], "there");
      expect(mayGo(ownership)).toEqual(["here", "gone", undefined]);
      ownership.claim(["Zone web"]);
      expect(mayGo(ownership)).toEqual(["here", "there", "gone", undefined]);
    });
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
