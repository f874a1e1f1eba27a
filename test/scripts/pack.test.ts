import { describe, expect, test } from "vitest";
import { publishedManifest, publishedPage } from "../../scripts/pack.mts";

const manifest = {
  name: "a-package",
  version: "1.0.0",
  files: ["dist"],
  workspaces: ["examples/*"],
  scripts: { prepack: "tsc" },
  dependencies: { zod: "^4.0.0" },
  devDependencies: { typescript: "^6.0.0" },
  allowScripts: { node: true },
  pulumi: { pluginDownloadURL: "" },
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

describe("a page", () => {
  const page = [
    "![A picture](docs/images/up.svg)",
    "[Zone](docs/zone.md) and [its plan](docs/zone.md#plan), [the examples](examples), [by number][1]",
    "[Changes](CHANGELOG.md#fixed), [below](#here), [elsewhere](https://example.com/docs/zone.md), `[a](docs/b.md)`",
    "```ts",
    "[a](docs/b.md)",
    "```",
  ].join("\n");
  const environment = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "somebody/a-package" };
  const { files, version } = { files: ["dist", "CHANGELOG.md"], version: "1.0.0" };

  test("built in a workflow, links what the package lacks to the release", () => {
    const at = "https://github.com/somebody/a-package";
    expect(publishedPage(page, { files, version }, environment)).toBe(
      [
        `![A picture](${at}/raw/v1.0.0/docs/images/up.svg)`,
        `[Zone](${at}/blob/v1.0.0/docs/zone.md) and [its plan](${at}/blob/v1.0.0/docs/zone.md#plan), [the examples](${at}/blob/v1.0.0/examples), [by number][1]`,
        "[Changes](CHANGELOG.md#fixed), [below](#here), [elsewhere](https://example.com/docs/zone.md), `[a](docs/b.md)`",
        "```ts",
        "[a](docs/b.md)",
        "```",
      ].join("\n"),
    );
  });

  test("packed in a clone, stays as it is", () => {
    expect(publishedPage(page, { files, version }, {})).toBe(page);
  });
});
