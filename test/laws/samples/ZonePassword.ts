import { ZonePassword, type ZonePasswordArgs } from "../../../src";
import type { Sample } from "../sample";
import { addZone } from "./prerequisites";

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const shared = {
  known: ["password"],
  make: (name, args, options) => new ZonePassword(name, args as unknown as ZonePasswordArgs, options),
  prepare(simulator) {
    addZone(simulator, "web");
    addZone(simulator, "shop");
  },
  touches: ({ zone }) => [`passwords ${zone}`],
  holds(world, { zone, password }, before) {
    const others = listOf(before[`passwords ${zone}`]).filter((each) => each !== password);
    return [...others, String(password)].sort().join() === listOf(world[`passwords ${zone}`]).join();
  },
  vanish({ account }, { zone, password }) {
    const record = account.zone(String(zone));
    if (record !== undefined) record.password = record.password.filter((each) => each !== password);
  },
} satisfies Partial<Sample>;

export const samples: Sample[] = [
  {
    ...shared,
    variant: "given",
    waived: {
      "forced replacement":
        "the new one comes before the old one goes, and finds that there: it needs `adopt`, as the next law has it",
      "its provider leads elsewhere: where there is one like it":
        "all that a move knows it by is what is declared, and another account may have the same",
    },
    args: { zone: "web", password: "Sample-Secret-1" },
    changes: {
      zone: { args: { zone: "shop" }, replaces: true },
      password: { args: { password: "Sample-Secret-2" }, replaces: true },
      "password removed": { args: { password: undefined, adopt: undefined }, replaces: true },
      adopt: { args: { adopt: true } },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    foreign: {
      place({ account }) {
        account.zone("web")?.password.push("Sample-Secret-1");
      },
      adoptable: true,
    },
  },
  {
    ...shared,
    variant: "generated",
    waived: {
      "imported by a file: that says what the program does": "a password that a file says is a given one",
      "imported by a file: that says all that is known": "a password that a file says is a given one",
    },
    args: { zone: "web", triggers: ["2026"] },
    changes: {
      zone: { args: { zone: "shop" }, replaces: true },
      triggers: { args: { triggers: ["2027"] }, replaces: true },
      timeouts: { args: { timeouts: { create: 300 } } },
    },
    generated: true,
  },
];
