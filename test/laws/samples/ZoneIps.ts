import { ZoneIps, type ZoneIpsArgs } from "../../../src";
import type { Sample } from "../sample";
import { addZone } from "./prerequisites";

const changes: Sample["changes"] = {
  zone: { args: { zone: "shop" }, replaces: true },
  country: { args: { country: "de" }, replaces: true },
  "country and city": { args: { country: "us", countryCity: "us-chicago" }, replaces: true },
  "more of them": { args: { count: 3 }, price: { ips: 1 } },
  "fewer of them": { args: { count: 1 } },
  timeouts: { args: { timeouts: { create: 300 } } },
};

const shared = {
  known: ["ips"],
  make: (name, args, options) => new ZoneIps(name, args as unknown as ZoneIpsArgs, options),
  touches: ({ zone }) => [`ips ${zone}`],
  price: { ips: 2 },
  waived: {
    "imported by a file that is out of date":
      "IPs that an update finds to be gone are bought by the next one, whose preview says so",
  },
  edit({ account }, { zone, ips }) {
    const record = account.zone(String(zone));
    const [first] = ips as string[];
    if (record !== undefined) record.allocatedIps = record.allocatedIps.filter(({ ip }) => ip !== first);
  },
} satisfies Partial<Sample>;

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const samples: Sample[] = [
  {
    ...shared,
    variant: "added",
    prepare(simulator) {
      addZone(simulator, "web", 2);
      addZone(simulator, "shop", 1);
    },
    args: { zone: "web", count: 2 },
    changes,
    holds(world, { zone, count, ips }, before) {
      const expected = [...listOf(before[`ips ${zone}`]), ...listOf(ips)];
      return listOf(ips).length === count && expected.sort().join() === listOf(world[`ips ${zone}`]).sort().join();
    },
    generated: true,
  },
  {
    ...shared,
    variant: "adopted",
    prepare(simulator) {
      addZone(simulator, "web", 2);
      addZone(simulator, "shop");
    },
    args: { zone: "web", count: 2, adopt: true },
    changes,
    holds: (world, { zone, count, ips }) =>
      listOf(ips).length === count && listOf(ips).sort().join() === listOf(world[`ips ${zone}`]).sort().join(),
    leaves: { touched: () => ["ips web", "ips shop"], reason: "IPs that were taken over are given back too" },
  },
];
