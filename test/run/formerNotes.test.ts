import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownFolder } from "../../src/base/disk";
import { notesIn, reportCreations } from "../../src/run/formerNotes";

function write(folder: string, name: string, said: unknown): string {
  mkdirSync(ownFolder(folder), { recursive: true });
  const file = join(ownFolder(folder), name);
  writeFileSync(file, typeof said === "string" ? said : JSON.stringify(said));
  return file;
}

const BEGAN = "2026-01-02T03:04:05.000Z";

test("the notes of earlier versions are none where there is no folder of them", () => {
  expect(notesIn()).toEqual([]);
});

test("the notes of earlier versions are intents whose names say their place, their mark, and whether they were told", () => {
  const begun = { kind: "create", began: BEGAN };
  write("notes", "place-a~m.a.json", begun);
  write("notes", "place-b~m.b.told.json", { ...begun, follows: ["place-c~m.c", "nonsense"] });
  const found = notesIn().map(({ file: _, read, ...note }) => ({ ...note, said: read() }));
  expect(found.sort((one, other) => one.mark.localeCompare(other.mark))).toEqual([
    { place: "place-a", mark: "m.a", said: { is: "open", begun, isTold: false } },
    {
      ...{ place: "place-b", mark: "m.b" },
      said: { is: "open", begun: { ...begun, follows: ["m.c", ""] }, isTold: true },
    },
  ]);
});

test("the notes of earlier versions are told from other files, and those that are damaged are said to be", () => {
  for (const name of ["place~m.a.json.tmp", "m.a.json", "place~.json", "~m.a.json", "a b~m.a.json"])
    write("notes", name, {});
  write("notes", "place~m.torn.json", '{"kind":"cre');
  write("notes", "place~m.list.json", "[]");
  expect(notesIn().map(({ mark, read }) => [mark, read()])).toEqual(
    expect.arrayContaining([
      ["m.torn", { is: "damaged", why: "it is no JSON object" }],
      ["m.list", { is: "damaged", why: "it is no JSON object" }],
    ]),
  );
  expect(notesIn()).toHaveLength(2);
});

describe("creations that versions before the marks have noted", () => {
  const name = (digit: string) => `${digit.repeat(32)}.json`;
  const reported = (isOld: (ms: number) => boolean = () => false): string[] => {
    const said: string[] = [];
    reportCreations((words) => said.push(words), isOld);
    return said;
  };

  test("are told of once, and taken away with their folder", () => {
    const facts = { name: "web", count: 3, before: ["a"], none: null };
    write("creations", name("a"), { began: BEGAN, facts });
    write("creations", name("b"), { began: BEGAN, facts: { before: [] } });
    write("creations", name("c"), { began: BEGAN });
    write("creations", name("d"), '{"began"');
    expect(reported()).toEqual([
      `Updates with an earlier version of this package were cut short, and may have created what no state has: something with name "web", count 3, begun at ${BEGAN}; something, begun at ${BEGAN}; something, begun at ${BEGAN}. This version does not go on with it: look for it at the service, and adopt or delete it. It is not noted any longer.`,
    ]);
    expect(existsSync(ownFolder("creations"))).toBe(false);
    expect(reported()).toEqual([]);
  });

  test("are taken away without a word when they are old", () => {
    write("creations", name("a"), { began: BEGAN, facts: { name: "web" } });
    expect(reported((ms) => ms === Date.parse(BEGAN))).toEqual([]);
    expect(existsSync(ownFolder("creations"))).toBe(false);
  });

  test("are told from what is somebody else's", () => {
    const others = [`x${name("a")}`, `${name("a")}.bak`, "notes.json"].map((file) =>
      write("creations", file, { began: BEGAN }),
    );
    expect(reported()).toEqual([]);
    expect(others.every((file) => existsSync(file))).toBe(true);
  });
});
