import { BlockList } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalAddress, isWithin } from "../../src/declaration/address";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7\n", "203.0.113.7"],
  ["203.0.113.7/32", "203.0.113.7"],
  ["10.20.30.77/24", "10.20.30.0/24"],
  ["10.20.30.77/31", "10.20.30.76/31"],
  ["10.20.30.77/9", "10.0.0.0/9"],
  ["255.255.255.255/1", "128.0.0.0/1"],
  ["1.2.3.4/0", "0.0.0.0/0"],
  ["0.0.0.0", "0.0.0.0"],
  ["255.255.255.255", "255.255.255.255"],
])("canonicalAddress of %j is %s", (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test.each([
  "",
  "any",
  "localhost",
  "5.6.7",
  "1.2.3",
  "16909060",
  "0x1.2.3.4",
  "010.1.1.1",
  "1.2.3.4.5",
  "300.1.1.1",
  "1.2.3.-4",
  "1.2.3.4/33",
  "1.2.3.4/-1",
  "1.2.3.4/08",
  "1.2.3.4/",
  "1.2.3.4/24/24",
  "1.2.3.4/255.255.255.0",
  "1.2.3.4 /24",
  "1.2.3.4/ 24",
  "1.2.3.4-1.2.3.9",
  "1.2.3.*",
  "::1",
  "2001:db8::/32",
  "::ffff:1.2.3.4",
  "1.2.3.4:80",
  "１.2.3.4",
])("canonicalAddress of %j is none", (text) => {
  expect(canonicalAddress(text)).toBeUndefined();
});

const bits = fc.integer({ min: 0, max: 32 });

test("canonicalAddress is one form for a network: applied again it changes nothing", () => {
  fc.assert(
    fc.property(fc.ipV4(), bits, (address, size) => {
      const canonical = canonicalAddress(`${address}/${size}`);
      expect(canonical).toBeDefined();
      expect(canonicalAddress(canonical ?? "")).toBe(canonical);
    }),
  );
});

test("canonicalAddress of an address and of its /32 is the address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(canonicalAddress(address)).toBe(address);
      expect(canonicalAddress(`${address}/32`)).toBe(address);
    }),
  );
});

test("canonicalAddress holds the same addresses as the network that it stands for", () => {
  const holds = (network: string, address: string): boolean => {
    const [first = "", size = "32"] = network.split("/");
    const list = new BlockList();
    list.addSubnet(first, Number(size));
    return list.check(address);
  };
  const near = fc
    .tuple(fc.ipV4(), bits, fc.nat({ max: 31 }))
    .map(([address, size, flipped]) => [address, size, flip(address, flipped)] as const);
  fc.assert(
    fc.property(near, fc.ipV4(), ([address, size, neighbour], other) => {
      const network = `${address}/${size}`;
      const canonical = canonicalAddress(network) ?? "";
      for (const member of [address, neighbour, other]) {
        expect(holds(canonical, member)).toBe(holds(network, member));
      }
    }),
  );
});

test("canonicalAddress is the same for two addresses exactly when they are of one network", () => {
  fc.assert(
    fc.property(fc.ipV4(), bits, fc.nat({ max: 31 }), (address, size, flipped) => {
      const same = canonicalAddress(`${address}/${size}`) === canonicalAddress(`${flip(address, flipped)}/${size}`);
      // Bit 0 is the last of the address.
      expect(same).toBe(flipped < 32 - size);
    }),
  );
});

test("canonicalAddress of anything else is none or an address, and never fails", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV6(), fc.string({ unit: fc.constantFrom(..."0123456789./: x") })),
      (text) => {
        expect(canonicalAddress(text) ?? "0.0.0.0").toMatch(/^\d+\.\d+\.\d+\.\d+(\/\d+)?$/);
      },
    ),
  );
});

/** The address with one bit changed. */
function flip(address: string, bit: number): string {
  const octets = address.split(".").map(Number);
  const index = 3 - Math.floor(bit / 8);
  return octets.map((octet, at) => (at === index ? octet ^ (1 << (bit % 8)) : octet)).join(".");
}

test.each([
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.8", "203.0.113.7", false],
  ["10.20.30.77", "10.20.0.0/16", true],
  ["10.21.0.0", "10.20.0.0/16", false],
  ["198.51.100.1", "0.0.0.0/0", true],
  ["::1", "0.0.0.0/0", false],
])("isWithin of %s and %s is %s", (address, entry, is) => {
  expect(isWithin(address, entry)).toBe(is);
});
