import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getStaticCities, getStaticCitiesOutput } from "../../src/generated";
import { program, settled, startService } from "./harness";

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

  test("as an output", async () => {
    await program(true);
    await startService();
    const { cities } = getStaticCitiesOutput({ country: pulumi.output("gb"), poolIpType: "static_res" });
    await expect(settled(cities)).resolves.toEqual({ value: ["gb-london"], secret: false });
  });
});
