import { expect, test } from "vitest";
import { driftIn, isDrift, issueOn } from "../../src/pipeline/drift";
import { planFrom } from "../../src/pipeline/plan";
import { gone, lines, step } from "./events";

const driftOf = (unmanaged: readonly string[], ...events: readonly object[]) =>
  driftIn({ stack: "shop/demo", name: "demo" }, planFrom(lines(...events), String), unmanaged);

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

test("a stack whose resources are all as declared has no drift, unless something is in no stack", () => {
  const same = step("same", "Zone", "web", { before: {}, after: {} });
  expect(isDrift(driftOf([], same))).toBe(false);
  expect(issueOn(driftOf([], same))).toBe("`shop/demo` is as declared.\n");
  expect(isDrift(driftOf(["Zone stray (account)"], same))).toBe(true);
});
