import { expect, test } from "vitest";
import { packed } from "../../scripts/packed.mts";

test("what is loaded later is required, which works in Jest, too", () => {
  expect(packed(`const load = () => import("./zones.js");`, false)).toBe(
    'const load=()=>Promise.resolve().then(()=>require("./zones.js"));\n',
  );
});
