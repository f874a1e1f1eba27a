import { expect, test } from "vitest";
import { section, turn } from "../../scripts/changelog.mts";

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- One.

## [0.1.0] - 2026-01-01

- First.
`;

test("a section is what is under its heading", () => {
  expect(section(CHANGELOG, "Unreleased")).toBe("### Added\n\n- One.");
  expect(section(CHANGELOG, "0.1.0")).toBe("- First.");
});

test.each(["0.1", "1.0.0"])("there is no section %s", (name) => {
  expect(() => section(CHANGELOG, name)).toThrow(`CHANGELOG.md has nothing in a section [${name}].`);
});

test("what is unreleased becomes a version, and what comes next has a place", () => {
  const turned = turn(CHANGELOG, "0.2.0", "2026-02-03");
  expect(turned).toBe(`# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-03

### Added

- One.

## [0.1.0] - 2026-01-01

- First.
`);
  expect(section(turned, "0.2.0")).toBe(section(CHANGELOG, "Unreleased"));
  expect(() => section(turned, "Unreleased")).toThrow("nothing in a section [Unreleased]");
});
