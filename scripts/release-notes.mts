// Prints the changelog's section for a tag: node scripts/release-notes.mts <tag>
// Fails when the tag is not of the version that package.json names, so that nothing else is published under it.
import { readFile } from "node:fs/promises";
import { section } from "./changelog.mts";

const tag = process.argv[2];
const root = new URL("../", import.meta.url);
const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8")) as { version: string };
if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json says ${version}.`);
console.log(section(await readFile(new URL("CHANGELOG.md", root), "utf8"), version));
