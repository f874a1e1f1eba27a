import fc from "fast-check";
import { expect, test } from "vitest";
import { clientRange } from "../../src/declaration/clientRange";
import { FORMATS } from "../../src/declaration/formats";

test.each([
  ["203.0.113.7", " 203.0.113.7 ", "203.0.113.7/32", "203.0.113.7-203.0.113.7", "203.0.113.7/255.255.255.255"],
  ["203.0.113.0/24", "203.0.113.77/24", "203.0.113.0/255.255.255.0", "203.0.113.0-203.0.113.255"],
  ["0.0.0.0/0", "0.0.0.0-255.255.255.255", "1.2.3.4/0.0.0.0"],
  ["203.0.113.5-203.0.113.9", "203.0.113.5 - 203.0.113.9"],
  ["203.0.113.1-203.0.113.2", "::ffff:203.0.113.1-::ffff:203.0.113.2"],
  ["2001:db8::5-2001:db8::9", "2001:DB8::5 - 2001:db8:0::9"],
  ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107/128"],
  ["203.0.113.0/24", "::ffff:203.0.113.9/120", "::ffff:203.0.113.0-::ffff:203.0.113.255"],
  ["::/96", "::1.2.3.4/96", "::-::255.255.255.255"],
  ["2001:db8::1", "2001:DB8:0:0::1", "2001:db8::1/128", "2001:db8::1 - 2001:db8::1"],
  ["2001:db8::/32", "2001:db8::-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
])("the addresses that an entry stands for are the same for %s and its other spellings", (first, ...others) => {
  expect(clientRange(first)).toBe(first);
  for (const other of others) expect(clientRange(other), other).toBe(clientRange(first));
});

test("the addresses that an entry stands for are others for every other network", () => {
  const address = fc.ipV4();
  fc.assert(
    fc.property(address, address, (left, right) => {
      expect(clientRange(left) === clientRange(right)).toBe(left === right);
      expect(clientRange(`${left}/31`)).not.toBe(clientRange(right));
    }),
  );
  expect(clientRange("::")).not.toBe(clientRange("0.0.0.0"));
});

test.each([
  "",
  "any",
  "office.example.com",
  "203.0.113",
  "203.0.113.256",
  "203.0.113.7/33",
  "203.0.113.7/",
  "203.0.113.7/24/24",
  "203.0.113.0/255.0.255.0",
  "203.0.113.0/2001:db8::",
  "203.0.113.9-203.0.113.7",
  "203.0.113.7-",
  "203.0.113.7-203.0.113.9-203.0.113.11",
  "203.0.113.7-2001:db8::1",
  "2001:db8::/129",
  "2001:db8::/255.255.0.0",
  "fe80::1%eth0",
])("the addresses that an entry stands for are none for %j", (entry) => {
  expect(clientRange(entry)).toBeUndefined();
});

test("everybody is what has all IPv4 addresses in it, however it is written", () => {
  const all = [
    "0.0.0.0/0",
    "1.2.3.4/0",
    "0.0.0.0-255.255.255.255",
    "::/0",
    "::ffff:0:0/96",
    "::ffff:1.2.3.4/64",
    "::/64",
  ];
  const some = ["0.0.0.0/1", "::1.2.3.4/96", "::/96", "2001:db8::/32", "::ffff:0:0/97", "any"];
  expect([...all, ...some].filter(FORMATS.everybody)).toEqual(all);
});
