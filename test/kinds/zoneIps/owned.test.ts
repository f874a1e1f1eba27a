import { expect, test } from "vitest";
import { carried } from "../../../src/kinds/zoneIps/owned";

test("the country of imported IPs is known while the resource has no others", () => {
  const state = { ips: ["198.18.0.1", "198.18.0.2"], countries: ["us"] };
  const sight = { present: [], there: state.ips, gone: [], doubtful: [] };
  expect(carried(state, sight, ["198.18.0.1"])).toEqual({ countries: ["us"] });
  expect(carried(state, sight, [...state.ips, "198.18.0.3"])).toEqual({});
});
