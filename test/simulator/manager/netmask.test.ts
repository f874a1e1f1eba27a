import { expect, test } from "vitest";
import { blockText, covers, parseBlock, type ShortForm } from "../../../simulator/manager/netmask";

const normal = (text: unknown, shortForm?: ShortForm): string | undefined => {
  const block = parseBlock(text, shortForm);
  return block && blockText(block);
};

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4/32", "1.2.3.4"],
  ["1.2.3.4/", "1.2.3.4"],
  ["10.20.30.77/24", "10.20.30.0/24"],
  ["200.20.30.77/1", "128.0.0.0/1"],
  ["1.2.3.4/0", "0.0.0.0/0"],
  ["1.2.3.4/255.255.0.0", "1.2.0.0/16"],
  ["1.2.3.4/24abc", "1.2.3.0/24"],
  ["010.0x10.3.08", "8.16.3.8"],
  ["018.1.1.1", undefined],
  ["1.2.3.4/255.0.255.0", undefined],
  ["1.2.3.4/33", undefined],
  ["1.2.3.4/x", undefined],
  ["1.2.3.256", undefined],
  ["1.2.3.4.5", undefined],
  ["1..3.4", undefined],
  ["", undefined],
  [" 1.2.3.4", undefined],
  ["::1", undefined],
  [5, undefined],
])("%j is read as %j", (text, expected) => {
  expect(normal(text)).toBe(expected);
});

test("short forms are filled up in front or in the middle", () => {
  expect(["5.6.7", "5.6", "7"].map((text) => normal(text, "front"))).toEqual(["0.5.6.7", "0.0.5.6", "0.0.0.7"]);
  expect(["5.6.7", "5.6", "7"].map((text) => normal(text, "middle"))).toEqual(["5.6.0.7", "5.0.0.6", "0.0.0.7"]);
});

test("a block covers its addresses", () => {
  const block = { base: "10.20.30.0", bits: 24 };
  expect(["10.20.30.0", "10.20.30.255", "10.20.31.0", "nonsense"].map((ip) => covers(block, ip))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(covers({ base: "0.0.0.0", bits: 0 }, "255.255.255.255")).toBe(true);
});
