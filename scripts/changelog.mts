// The form of CHANGELOG.md: a section per version, newest first, and [Unreleased] above them.
// As a program, it prints the section for a tag: node scripts/changelog.mts <tag>
import { readFile } from "node:fs/promises";

export const UNRELEASED = "Unreleased";

/** The marker of a line that tells of a breaking change. */
export const BREAKING = "**Breaking**";

/**
 * The text of one section, without its heading.
 *
 * @param name a version such as `1.2.3`, or `Unreleased`
 * @throws an error when there is no such section, or nothing in it
 */
export function section(changelog: string, name: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((each) => each.startsWith(`[${name}]`));
  const text = found?.slice(found.indexOf("\n")).trim();
  if (!text) throw new Error(`CHANGELOG.md has nothing in a section [${name}].`);
  return text;
}

/** Turns what is unreleased into the section of a version, under a new and empty [Unreleased]. */
export function turn(changelog: string, version: string, date: string): string {
  return changelog.replace(`## [${UNRELEASED}]`, `## [${UNRELEASED}]\n\n## [${version}] - ${date}`);
}

if (import.meta.main) {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  // So that nothing else is published under the tag.
  if (process.argv[2] !== `v${version}`) throw new Error(`package.json says ${version}, the tag ${process.argv[2]}.`);
  console.log(section(await readFile("CHANGELOG.md", "utf8"), version));
}
