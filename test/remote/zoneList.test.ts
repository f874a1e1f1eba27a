import { expect, test } from "vitest";
import { lineOf } from "../../src/remote/zoneList";

const line = (status: string) => ({ name: "web", type: "dc", status });

test("of a name that was used before, the zone that is there counts", async () => {
  const lines = [line("deleted"), line("active"), { ...line("deleted"), name: "shop" }];
  expect(await lineOf("web", Promise.resolve(lines))).toEqual(line("active"));
  expect(await lineOf("shop", Promise.resolve(lines))).toEqual({ ...line("deleted"), name: "shop" });
  expect(await lineOf("news", Promise.resolve(lines))).toBeUndefined();
});
