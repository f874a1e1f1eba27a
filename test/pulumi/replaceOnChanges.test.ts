import { expect, test } from "vitest";
import { matches } from "../../src/pulumi/replaceOnChanges";

// As the engine has it for other resources: it is the path that has changed that has to stand under the one that is named.
test.each<[option: unknown, path: string, expected: boolean]>([
  [["country"], "country", true],
  [["country"], "countryCity", false],
  [["city", "country"], "country", true],
  [["plan"], "plan.country", true],
  [["plan"], "planned", false],
  [["plan.country"], "plan.country", true],
  [["plan.country"], "plan.city", false],
  [["plan.country"], "plan.country.code", true],
  [['plan["country"]'], "plan.country", true],
  [["plan[country]"], "plan.country", true],
  [['["plan"].country'], "plan.country", true],
  // Lists and whole objects change as one: a part of one that is named may have been what has changed.
  [["ips[0]"], "ips", true],
  [["rules[0].action"], "rules", true],
  [["plan.country"], "plan", true],
  [["*"], "plan.country", true],
  [["plan.*"], "plan.country", true],
  [["plan.*"], "plan.extra.x_y", true],
  [["plan.*"], "type", false],
  [["*.country"], "plan.country", true],
  [["*.country"], "plan.city", false],
  [["plan[*].code"], "plan.country.code", true],
  [["ips[*]"], "ips", true],
  [['logsSettings["a.b"]'], "logsSettings.a\\.b", true],
  [['logsSettings["a.b"]'], "logsSettings.a.b", false],
  [["logsSettings"], "logsSettings.a\\.b", true],
  [[], "country", false],
  [[""], "country", false],
  [[5], "country", false],
  [undefined, "country", false],
  ["country", "country", false],
])("%j: a change of %s, %j", (option, path, expected) => {
  expect(matches(option, path)).toBe(expected);
});
