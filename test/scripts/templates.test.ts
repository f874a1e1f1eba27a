import { expect, test } from "vitest";
import { filesOf, SHARED, templateNames } from "../../scripts/templates.mts";

const shared = filesOf(SHARED);
const names = templateNames();

test("there are files that begin with a dot, and that are in folders that do", () => {
  expect(names).toEqual(["datasets", "fleet", "zone"]);
  expect(Object.keys(shared)).toEqual(expect.arrayContaining([".gitignore", ".vscode/settings.json", "package.json"]));
});

test.each(names)("the template %s has what all have alike: `npm run templates`", (name) => {
  expect(filesOf(name)).toMatchObject(shared);
});

test("what all templates have alike is shared", () => {
  const [first = {}, ...others] = names.map(filesOf);
  const alike = Object.keys(first).filter((path) => others.every((other) => other[path] === first[path]));
  expect(alike.sort()).toEqual(Object.keys(shared).sort());
});
