import { expect, test } from "vitest";
import { publishedManifest } from "../../scripts/pack.mts";

const manifest = {
  name: "a-package",
  version: "1.0.0",
  files: ["dist"],
  workspaces: ["examples/*"],
  scripts: { prepack: "tsc" },
  dependencies: { zod: "^4.0.0" },
  devDependencies: { typescript: "^6.0.0" },
  allowScripts: { node: true },
};
const published = { name: "a-package", version: "1.0.0", files: ["dist"], dependencies: { zod: "^4.0.0" } };

test("what is published has nothing of the workshop", () => {
  expect(publishedManifest(manifest, {})).toEqual(published);
});

test("built in a workflow, it names the repository", () => {
  const environment = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "somebody/a-package" };
  expect(publishedManifest(manifest, environment)).toEqual({
    ...published,
    repository: { type: "git", url: "git+https://github.com/somebody/a-package.git" },
  });
});
