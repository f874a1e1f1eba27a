import type { Output } from "@pulumi/pulumi";
import { expectTypeOf, test } from "vitest";
import type { Zone, ZonePlanArgs } from "../../../src";

const plan = (given: ZonePlanArgs): ZonePlanArgs => given;

test("a plan has the fields that go with its type", () => {
  plan({ type: "static", poolIpType: "static_res", ipsType: "dedicated", ips: 5, country: "us" });
  plan({ type: "resident", mobile: true, extra: { country_city: "us-chicago" } });
  // @ts-expect-error: mobile IPs are residential
  plan({ type: "static", mobile: true });
  // @ts-expect-error: the SERP API is an unblocker
  plan({ type: "resident", serp: true });
  // @ts-expect-error: a Browser API has no IPs
  plan({ type: "browser_api", ips: 1 });
  // @ts-expect-error: there is no such type
  plan({ type: "datacenter" });
});

test("outputs are what the service says, and no others", () => {
  expectTypeOf<Zone["password"]>().toEqualTypeOf<Output<string>>();
  expectTypeOf<Zone["plan"]["country"]>().toEqualTypeOf<Output<string | undefined>>();
  expectTypeOf<Zone["plan"]["type"]>().toEqualTypeOf<Output<string>>();
  expectTypeOf<Zone["plan"]>().not.toHaveProperty("contry");
});
