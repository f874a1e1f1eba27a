import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getStaticCities } from "../../src/generated";
import { startService } from "./harness";

describe("getStaticCities", () => {
  test("lists them for the datacenter network", async () => {
    const { asked } = await startService();
    await expect(getStaticCities({ country: "gb" })).resolves.toEqual({
      country: "gb",
      poolIpType: "dc",
      cities: ["gb-london"],
    });
    expect(asked()).toEqual(["GET /zone/static/cities?country=gb&pool_ip_type=dc"]);
  });

  test("sends nothing for a country that is none", async () => {
    const { asked } = await startService();
    await expect(getStaticCities({ country: "usa" })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });
});
