import { expect, test } from "vitest";
import { breadthOf } from "../../policies/addresses";

test.each([
  ["any", 4, 0],
  ["0.0.0.0/0", 4, 0],
  ["203.0.113.7", 4, 32],
  ["10.0.0.0/8", 4, 8],
  ["198.51.100.0/255.255.255.0", 4, 24],
  ["0.0.0.0-255.255.255.255", 4, 0],
  ["203.0.113.7 - 203.0.113.7", 4, 32],
  ["203.0.113.0-203.0.113.255", 4, 24],
  ["203.0.113.0-203.0.114.0", 4, 23],
  ["::/0", 6, 0],
  ["2001:db8::1", 6, 128],
  ["2001:db8::-2001:db8::ffff", 6, 112],
  ["::ffff:203.0.113.0-::ffff:203.0.113.255", 4, 24],
  ["::ffff:0.0.0.0/96", 4, 0],
  ["::ffff:0:0/97", 4, 1],
  ["::ffff:203.0.113.7", 4, 32],
  ["::fffe:0:0/96", 6, 96],
] as const)("the breadth of %s is that of a prefix of version %i with length %i", (entry, version, prefix) => {
  expect(breadthOf(entry)).toEqual({ version, prefix });
});

test.each(["", "nowhere", "203.0.113.7/33", "203.0.113.9-203.0.113.7", "203.0.113.7-::1", "::1/255.0.0.0"])(
  "%j, which is no client address, has no breadth",
  (entry) => {
    expect(breadthOf(entry)).toBeUndefined();
  },
);
