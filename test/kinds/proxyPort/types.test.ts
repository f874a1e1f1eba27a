import type * as pulumi from "@pulumi/pulumi";
import { expectTypeOf, test } from "vitest";
import type { PortBandwidthLimit, PortHeader, PortRule, PortRuleArgs, ProxyPort, ProxyPortArgs } from "../../../src";

test("rules are those that the manager knows, and such as it may learn", () => {
  expectTypeOf<{ status: "403"; action: { banIp: 600_000 } }>().toExtend<PortRuleArgs>();
  expectTypeOf<{ status: 403; url: "^https"; action: { retry: true; retryPort: 24_001 } }>().toExtend<PortRuleArgs>();
  expectTypeOf<{ action_type: "ban_ip"; action: { ban_ip: 600_000 } }>().toExtend<PortRuleArgs>();
  expectTypeOf<{ action: { of_tomorrow: [1] } }>().toExtend<PortRuleArgs>();
  expectTypeOf<{ action: "ban_ip" }>().not.toExtend<PortRuleArgs>();
  expectTypeOf<{ action: { nullResponse: "yes" } }>().not.toExtend<PortRuleArgs>();
  expectTypeOf<{ status: true }>().not.toExtend<PortRuleArgs>();
});

test("parts of arguments may be outputs, and parts that are undefined may be given", () => {
  interface Parts {
    zone: pulumi.Output<string>;
    country: string | undefined;
    users: pulumi.Output<string>[];
    headers: { name: string; value: pulumi.Output<string> }[];
    rules: { action: { retryPort: pulumi.Output<number> } }[];
    bwLimit: { days: number; bytes: number; renewable: boolean };
  }
  expectTypeOf<Parts>().toExtend<ProxyPortArgs>();
  expectTypeOf<{ zone: "web"; headers: [{ name: "accept" }] }>().not.toExtend<ProxyPortArgs>();
  expectTypeOf<{ zone: "web"; bwLimit: { days: "30" } }>().not.toExtend<ProxyPortArgs>();
  expectTypeOf<{ country: "us" }>().not.toExtend<ProxyPortArgs>();
});

test("outputs are plain values", () => {
  expectTypeOf<ProxyPort["port"]>().toEqualTypeOf<pulumi.Output<number>>();
  expectTypeOf<ProxyPort["listenPort"]>().toEqualTypeOf<pulumi.Output<number>>();
  expectTypeOf<ProxyPort["rules"]>().toEqualTypeOf<pulumi.Output<PortRule[] | undefined>>();
  expectTypeOf<ProxyPort["headers"]>().toEqualTypeOf<pulumi.Output<PortHeader[] | undefined>>();
  expectTypeOf<ProxyPort["bwLimit"]>().toEqualTypeOf<pulumi.Output<PortBandwidthLimit | undefined>>();
  expectTypeOf<NonNullable<PortRule["action"]>["banIp"]>().toEqualTypeOf<number | string | undefined>();
});
