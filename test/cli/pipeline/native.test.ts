import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commentOn } from "../../../src/cli/pipeline/comment";
import { driftIn, issueOn } from "../../../src/cli/pipeline/drift";
import { moneyOf } from "../../../src/cli/pipeline/money";
import { planFrom } from "../../../src/cli/pipeline/plan";

// What the CLI has printed of a program with native resources, one of them with an explicit provider; most words for debugging left out.
const recorded = (name: string) =>
  planFrom(readFileSync(join(__dirname, `recorded/native-${name}.jsonl`), "utf8"), String);

test("a comment on a native program has the same, and each secret that changes", () => {
  const plan = recorded("change");
  const money = moneyOf(plan, { "datacenter-dedicated-ip": 1 });
  const comment = commentOn({
    stack: "shop/demo",
    plan,
    money,
    spent: [],
    succeeded: true,
    failure: "",
    commit: undefined,
  });
  expect(comment).toContain(`
| IPs and gIPs a month, at your prices | $5.00 | $9.00 |

Bought by this update:

- 4 × datacenter-dedicated-ip for \`Zone web\`: $4.00 a month
- 5 × datacenter-dedicated-ip for \`ZoneIps more\`: $5.00 a month

**Messages**

\`\`\`text
Zone web is replaced: its passwords, its IPs and its access lists are lost. The new zone gets a password and 4 IPs of its own, and what the program declares for it is made anew.
Zone web is created with 4 IPs. Each one costs money.
Up to 5 IPs are added to zone web, now and whenever \`count\` grows. Each one costs money.
\`\`\`

<details><summary>Changes: 1 to update, 2 to replace, 1 to delete</summary>

|  | resource | property | before | after |
| --- | --- | --- | --- | --- |
| replace | \`Zone web\` | \`plan.ips\` | \`3\` | \`4\` |
| replace | \`ZoneIps more\` | \`count\` | \`2\` | \`5\` |
| delete | \`WhitelistIp office\` |  |  |  |
| update | \`ProxyPort shop\` | \`password\` | \`[secret]\` | \`[secret]\` |
|  |  | \`rotateSession\` | \`true\` | \`false\` |

</details>
`);
  expect(comment).not.toContain("hunter");
});

test("an issue on the drift of a native program has the same", () => {
  const drift = driftIn(recorded("drift"), {
    stack: "shop/demo",
    name: "demo",
    isDifferent: true,
    unmanaged: [],
    notImportable: [],
    choice: "",
    unchecked: [],
  });
  expect(issueOn(drift)).toBe(`What is declared in \`shop/demo\` is not what there is:

| resource | property | declared | actual |
| --- | --- | --- | --- |
| \`ProxyPort shop\` | \`rotateSession\` | \`true\` | \`false\` |

Restore what is declared with \`pulumi up --refresh --stack demo\`, or change the program.
`);
});
