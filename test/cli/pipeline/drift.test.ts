import { expect, test } from "vitest";
import { type Drift, driftIn, isDrift, issueOn } from "../../../src/cli/pipeline/drift";
import { planFrom } from "../../../src/cli/pipeline/plan";
import { BEGUN, RESUMPTION } from "../../../src/run/planning";
import { gone, lines, said, step } from "./events";

const driftOf = (unmanaged: readonly string[], ...events: readonly object[]) => driftWith({ unmanaged }, ...events);

const driftWith = (more: Partial<Drift>, ...events: readonly object[]) =>
  driftIn(planFrom(lines(...events), String), {
    ...{ stack: "shop/demo", name: "demo", isDifferent: false, choice: "--stack demo" },
    ...{ unmanaged: [], notImportable: [], unchecked: [] },
    ...more,
  });

test("an issue has each property that differs, what is gone, and what is in no stack", () => {
  const drift = driftOf(
    ["Zone stray (account)"],
    gone("ProxyPort", "lost"),
    step("create", "ProxyPort", "lost", { after: { port: 1 } }),
    step("create", "ProxyPort", "new", { after: { port: 2 } }),
    step("delete", "ProxyPort", "old", { before: { port: 3 } }),
    step("same", "Zone", "web", { before: {}, after: {} }),
    step("update", "ProxyPort", "shop", {
      before: { rotateSession: false, country: "fr" },
      after: { rotateSession: true },
    }),
  );
  expect(isDrift(drift)).toBe(true);
  expect(issueOn(drift)).toBe(`What is declared in \`shop/demo\` is not what there is:

| resource | property | declared | actual |
| --- | --- | --- | --- |
| \`ProxyPort lost\` | _is gone_ |  |  |
| \`ProxyPort new\` | _is declared and has not been created_ |  |  |
| \`ProxyPort old\` | _is not declared any more_ |  |  |
| \`ProxyPort shop\` | \`rotateSession\` | \`true\` | \`false\` |
|  | \`country\` |  | \`"fr"\` |

Restore what is declared with \`pulumi up --refresh --stack demo\`, or change the program.

**In no stack**

- \`Zone stray (account)\`

Take them into a stack with \`npx pulumi-brightdata import --stack demo\`, or delete them.
`);
});

test("an issue says why `import` leaves something out, and what to do with it instead", () => {
  const why = '`rules[0].status` is "4**": expected a regular expression.';
  const notImportable = [{ title: "ProxyPort 1 (manager)", why }];
  const drift = driftWith({ unmanaged: ["Zone stray (account)"], notImportable });
  expect(issueOn(drift)).toBe(`**In no stack**

- \`Zone stray (account)\`

Take them into a stack with \`npx pulumi-brightdata import --stack demo\`, or delete them.

**In no stack, and left out by \`import\`**

- \`ProxyPort 1 (manager)\`: \\\`rules\\[0\\].status\\\` is "4\\*\\*": expected a regular expression.

Correct them where they are, delete them, or pass over them with \`--ignore\`.
`);
  expect(isDrift(driftWith({ notImportable }))).toBe(true);
});

test.each([BEGUN, RESUMPTION])(
  "what an update that was cut short has begun is taken up before anything is imported: %s",
  (words) => {
    const drift = driftOf(["Zone web (account)"], step("create", "Zone", "web", { after: {} }), said("warning", words));
    expect(issueOn(drift)).toContain(
      "Run `pulumi up` first: it takes up what an update that was cut short has created. Take them into a stack with",
    );
  },
);

test("a bar, which ends a table's cell, is as it is elsewhere, and so is a command", () => {
  const [before, after] = [{ country: "a|b" }, { country: "c|d" }];
  const choice = "--stack demo --ignore 'old|*'";
  const changed = step("update", "ProxyPort", "x|y", { before, after });
  const issue = issueOn(driftWith({ unmanaged: ["Zone p|q (account)"], choice }, changed));
  expect(issue).toContain('| `ProxyPort x\\|y` | `country` | `"c\\|d"` | `"a\\|b"` |');
  expect(issue).toContain("- `Zone p|q (account)`");
  expect(issue).toContain("`npx pulumi-brightdata import --stack demo --ignore 'old|*'`");
});

test("an issue says what would be replaced, and what is lost by it before it says how", () => {
  const drift = driftOf(
    [],
    step("replace", "Zone", "web", { before: { plan: { country: "de" } }, after: { plan: { country: "us" } } }),
    step("replace", "Zone", "same", { before: {}, after: {} }),
    said("warning", "Zone `web` is replaced: its passwords are lost."),
  );
  expect(issueOn(drift)).toBe(`What is declared in \`shop/demo\` is not what there is:

| resource | property | declared | actual |
| --- | --- | --- | --- |
| \`Zone web\` **would be replaced** | \`plan.country\` | \`"us"\` | \`"de"\` |
| \`Zone same\` **would be replaced** | _differs_ |  |  |

**Messages**

\`\`\`text
Zone \`web\` is replaced: its passwords are lost.
\`\`\`

Restore what is declared with \`pulumi up --refresh --stack demo\`, or change the program.
`);
});

test("an issue fits into a forge, however much the program says", () => {
  const messages = Array.from({ length: 4_000 }, (_, index) => said("warning", `message ${index} of many`));
  const update = step("update", "ProxyPort", "p", { before: { country: "fr" }, after: { country: "de" } });
  expect(issueOn(driftOf([], update, ...messages)).length).toBeLessThan(65_536);
});

test("a stack whose resources are all as declared has no drift, unless something is in no stack", () => {
  const same = step("same", "Zone", "web", { before: {}, after: {} });
  expect(isDrift(driftOf([], same))).toBe(false);
  expect(issueOn(driftOf([], same))).toBe("`shop/demo` is as declared.\n");
  expect(isDrift(driftOf(["Zone stray (account)"], same))).toBe(true);
});

test("a change that only the CLI has seen is drift, and the issue says how to see it", () => {
  const drift = driftWith({ isDifferent: true }, step("same", "Zone", "web", { before: {}, after: {} }));
  expect(isDrift(drift)).toBe(true);
  expect(issueOn(drift)).toBe(
    "What is declared in `shop/demo` is not what there is. `pulumi preview --refresh --diff --stack demo` shows what differs.\n",
  );
});

test("nothing that others have named or said commands the terminal that shows an issue", () => {
  const change = step("update", "ProxyPort", "shop", { before: { country: "\u202ede" }, after: { country: "fr" } });
  const drift = driftWith({ unmanaged: ["Zone \u001b[2Ja (account)"], unchecked: ["\u001b[2Jb"] }, change);
  const issue = issueOn({ ...drift, messages: ["\u001b[2Jc\nd"] });
  for (const words of ["`Zone \ufffd[2Ja (account)`", "- \ufffd\\[2Jb", "\n\ufffd[2Jc\nd\n", '`"\ufffdde"`'])
    expect(issue).toContain(words);
});

test("an issue names what could not be checked", () => {
  const drift = driftWith({
    unmanaged: ["Zone stray (account)"],
    unchecked: ["BannedIp (manager): @all, &commat;all is `down`"],
  });
  expect(issueOn(drift)).toMatch(
    /or delete them\.\n\n\*\*Not checked\*\*\n\n- BannedIp \(manager\): @\u200ball, \\&commat;all is \\`down\\`\n$/,
  );
  expect(isDrift(driftWith({ unchecked: ["BannedIp (manager): down"] }))).toBe(false);
});

test("an issue fits into a forge, however much could not be checked", () => {
  const failure = Array.from({ length: 4_000 }, (_, index) => `error ${index}: no such zone`).join("\n");
  const drift = driftWith({ unmanaged: ["Zone stray (account)"], unchecked: [failure, "BannedIp (manager): down"] });
  expect(issueOn(drift).length).toBeLessThan(65_536);
  expect(issueOn(drift)).toMatch(/- error 0: no such zone error 1: .*…\n- BannedIp \(manager\): down\n$/);
});
