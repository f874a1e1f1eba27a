import { Zone, type ZoneArgs } from "../../../src";
import type { JsonObject } from "../../../src/base/json";
import type { Sample } from "../sample";

const shared = {
  waived: {
    "imported by a file: that says all that is known":
      "it says more of the plan than the program does, and another plan is another zone: the preview shows that",
    "imported by a file that is out of date": "as above",
  },
  make: (name, args, options) => new Zone(name, args as unknown as ZoneArgs, options),
  touches: ({ name }) =>
    ["zone", "passwords", "allowed", "denied", "allowed domains", "denied domains", "ips", "gips"].map(
      (what) => `${what} ${name}`,
    ),
  holds(world, { name, plan, disabled }) {
    const zone = world[`zone ${name}`] as { status: string; plan: JsonObject } | undefined;
    const wanted = plan as JsonObject;
    return (
      zone?.status === (disabled ? "disabled" : "active") &&
      zone.plan.type === wanted.type &&
      zone.plan.ips_type === wanted.ipsType &&
      zone.plan.country === wanted.country
    );
  },
  edit({ account }, { name }) {
    const zone = account.zone(String(name));
    if (zone !== undefined) Object.assign(zone, { status: "disabled", plan: { ...zone.plan, disabled: 1 } });
  },
  vanish({ account }, { name }) {
    account.removeZone(String(name));
  },
} satisfies Partial<Sample>;

const plan = { type: "static", ipsType: "shared", country: "us" };

export const samples: Sample[] = [
  {
    ...shared,
    variant: "name given",
    args: { name: "web_scraping", plan, disabled: false },
    price: { zones: 1 },
    changes: {
      name: { args: { name: "web_indexing" }, replaces: true },
      "plan, same name": { args: { plan: { ...plan, country: "de" } }, replaces: true },
      type: { args: { type: "dc" }, replaces: true },
      disabled: { args: { disabled: true } },
      "disabled removed": { args: { disabled: undefined } },
      adopt: { args: { adopt: true } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    foreign: {
      place({ account }) {
        account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "us" });
      },
      adoptable: true,
    },
  },
  {
    ...shared,
    variant: "name generated",
    args: { plan: { ...plan, ips: 2 }, disabled: false },
    price: { zones: 1, ips: 2 },
    changes: {
      "name given": { args: { name: "web_indexing" }, replaces: true },
      plan: { args: { plan: { ...plan, ips: 2, country: "de" } }, replaces: true },
      disabled: { args: { disabled: true } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    generated: true,
    known: ["name"],
  },
];
