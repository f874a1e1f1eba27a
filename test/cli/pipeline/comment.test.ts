import { expect, test } from "vitest";
import { grouped } from "../../../src/base/counted";
import { commentOn, type Review, wholeCommentOn } from "../../../src/cli/pipeline/comment";
import { moneyOf } from "../../../src/cli/pipeline/money";
import { planFrom } from "../../../src/cli/pipeline/plan";
import { lines, said, step, violation } from "./events";

function reviewOf(events: readonly object[], more: Partial<Review> = {}): Review {
  const plan = planFrom(lines(...events), String);
  const money = moneyOf(plan, { "datacenter-dedicated-ip": 0.8 });
  const spent = [{ account: "account", dollars: 12.5 }];
  return { stack: "shop/demo", plan, money, spent, succeeded: true, failure: "", commit: undefined, ...more };
}

const web = (ips: number) => ({ name: "web", plan: { type: "static", ipsType: "dedicated", ips } });

test("a comment has the money, the policies, what is said, and each property that changes", () => {
  const comment = commentOn(
    reviewOf(
      [
        step("replace", "Zone", "web", { before: web(3), after: web(4) }),
        step("delete", "WhitelistIp", "office", { before: { ip: "192.0.2.1" } }),
        violation("advisory", "budget", "The stack costs much."),
        violation("mandatory", "no-open-port", "It has *no* allowlist, @admin.", ["ProxyPort", "shop"]),
        said("info", "brightdata: Zone web is replaced."),
      ],
      { commit: "0123abc" },
    ),
  );
  expect(comment).toBe(`### \`shop/demo\`: 1 to replace, 1 to delete

**Money**

|  | now | after |
| --- | ---: | ---: |
| IPs and gIPs a month, at your prices | $2.40 | $3.20 |
| The account this month so far | $12.50 |  |

Bought by this update:

- 4 × datacenter-dedicated-ip for \`Zone web\`: $3.20 a month

**Policies**

| level | policy | resource | what it says |
| --- | --- | --- | --- |
| **mandatory** | \`house/no-open-port\` | \`shop\` | It has \\*no\\* allowlist, @\u200badmin. |
| advisory | \`house/budget\` |  | The stack costs much. |

**Messages**

\`\`\`text
Zone web is replaced.
\`\`\`

<details><summary>Changes: 1 to replace, 1 to delete</summary>

|  | resource | property | before | after |
| --- | --- | --- | --- | --- |
| replace | \`Zone web\` | \`plan.ips\` | \`3\` | \`4\` |
| delete | \`WhitelistIp office\` |  |  |  |

</details>

Commit 0123abc.
`);
});

test("what has no inputs, as a component, has no property that changes", () => {
  const component = { op: "create", urn: "urn:pulumi:demo::shop::own:index:Fleet::all", type: "own:index:Fleet" };
  const created = { resourcePreEvent: { metadata: { ...component, old: null, new: { inputs: {} } } } };
  expect(commentOn(reviewOf([created]))).toContain("| create | `own:index:Fleet all` |  |  |  |\n");
});

test("without changes, IPs, policies and costs, it says that there are no changes", () => {
  expect(commentOn(reviewOf([], { spent: [] }))).toBe("### `shop/demo`: no changes\n");
});

test("a failed preview says why: by its errors, or else by what the CLI says", () => {
  const failed = { succeeded: false, spent: [], failure: "no stack named demo" };
  expect(commentOn(reviewOf([said("error", "bad ``` plan")], failed))).toBe(
    "### `shop/demo`: the preview failed\n\n````text\nbad ``` plan\n````\n",
  );
  expect(commentOn(reviewOf([], failed))).toContain("```text\nno stack named demo\n```");
});

test("a mandatory policy stops it, which is no failure of the preview", () => {
  const stopped = { succeeded: false, failure: "error: preview failed" };
  const comment = commentOn(reviewOf([violation("mandatory", "p", "No.")], stopped));
  expect(comment).toMatch(/^### `shop\/demo`: stopped by policies\n/);
  expect(comment).not.toContain("preview failed");
});

test("an error is shown beside a policy that has stopped the preview", () => {
  const events = [violation("mandatory", "p", "No."), said("error", "TypeError: zone is undefined")];
  const comment = commentOn(reviewOf(events, { succeeded: false }));
  expect(comment).toMatch(/: stopped by policies\n\n```text\nTypeError: zone is undefined\n```\n/);
});

test.each([
  ["an error", [said("error", "x".repeat(100_000))], ""],
  ["what the CLI says", [], "x\n".repeat(50_000)],
  ["what a policy says", [violation("mandatory", "p", "x".repeat(100_000))], ""],
])("%s is cut where it is longer than anybody reads", (_, events, failure) => {
  const comment = commentOn(reviewOf(events, { succeeded: false, failure }));
  expect(comment.match(/x/g)?.length).toBeGreaterThan(900);
  expect(comment.length).toBeLessThan(3_000);
});

test("policies that have found nothing are named", () => {
  expect(commentOn(reviewOf([{ summaryEvent: { PolicyPacks: { house: "v1" } } }]))).toContain(
    "**Policies**: passed `house v1`.",
  );
});

test("what has no price is named, and an account that cannot be read", () => {
  const isp = { name: "isp", plan: { ...web(2).plan, poolIpType: "static_res" }, adopt: true };
  const comment = commentOn(
    reviewOf([step("create", "Zone", "isp", { after: isp })], {
      spent: [{ account: "account shop", dollars: undefined }],
    }),
  );
  expect(comment).toContain("| The account shop this month so far | not readable |  |");
  expect(comment).toContain("Without a price: `Zone isp`.");
  expect(comment).not.toContain("$0.00");
  expect(comment).toContain("- 2 × isp-dedicated-ip for `Zone isp`: no price configured, unless it is there already");
});

test("a comment is never longer than a forge takes, whatever changes, and says how much is left out", () => {
  const ports = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`port|${n}`, { country: "`x`\n".repeat(60) }]),
  );
  const policies = Array.from({ length: 2_000 }, (_, n) => violation("advisory", `p${n}`, "m".repeat(500)));
  const messages = Array.from({ length: 200 }, (_, n) => said("info", `${n} ${"y".repeat(5_000)}`));
  const comment = commentOn(
    reviewOf([step("create", "ProxyPorts", "all", { after: { ports } }), ...policies, ...messages]),
  );
  expect(comment.length).toBeLessThan(60_000);
  expect(comment).toMatch(/… and [\d,]+ more rows, in the log of the job\.\n\n<\/details>\n$/);
  expect(comment).toMatch(/… and [\d,]+ more violations\./);
  expect(comment).toMatch(/… and \d+ more messages\.\n```\n/);
  const rows = comment.split("\n").filter((line) => line.startsWith("|"));
  expect(rows.filter((row) => !row.endsWith(" |"))).toEqual([]);
});

test("what is deleted or replaced is cut last, where a comment has no room for it, and is counted then", () => {
  const port = (n: number) => ({ port: n, zone: "web", country: "us" });
  const review = reviewOf([
    ...Array.from({ length: 500 }, (_, n) => step("create", "ProxyPort", `new-${n}`, { after: port(n) })),
    ...Array.from({ length: 3_000 }, (_, n) => step("delete", "ProxyPort", `old-${n}`, { before: port(n) })),
    ...Array.from({ length: 500 }, (_, n) => violation("advisory", `p${n}`, "m".repeat(500))),
  ]);
  const comment = commentOn(review);
  expect(comment.length).toBeLessThan(60_000);
  expect(comment.length).toBeGreaterThan(59_900);
  const shown = comment.match(/^\| delete /gm)?.length ?? 0;
  expect(comment).toContain(`| delete | \`ProxyPort old-${shown - 1}\` |`);
  expect(comment).toContain("\n\n… and 497 more violations.\n");
  expect(comment).not.toMatch(/^\| create /m);
  expect(comment).toContain(
    `\n\n… and ${grouped(4_500 - shown)} more rows, in the log of the job. Deletions and replacements among them: ${grouped(3_000 - shown)}.\n`,
  );
  expect(wholeCommentOn(review).match(/^\| delete /gm)).toHaveLength(3_000);
});

test("what is deleted or replaced is not cut where there is room for it, and the whole has every row", () => {
  const port = (n: number) =>
    step("create", "ProxyPort", `new-${n}`, { after: { port: n, zone: "web", country: "us" } });
  const review = reviewOf([
    ...Array.from({ length: 1_200 }, (_, n) => port(n)),
    ...Array.from({ length: 300 }, (_, n) => step("delete", "Zone", `old-${n}`, { before: web(1) })),
    step("replace", "Zone", "web", { before: web(3), after: web(4) }),
  ]);
  const comment = commentOn(review);
  expect(comment.length).toBeLessThan(60_000);
  for (let n = 0; n < 300; n++) expect(comment).toContain(`| delete | \`Zone old-${n}\` |`);
  expect(comment).toContain("| replace | `Zone web` |");
  expect(comment).toMatch(/… and [\d,]+ more rows, in the log of the job\./);
  expect(wholeCommentOn(review).match(/^\| create /gm)).toHaveLength(1_200);
});
