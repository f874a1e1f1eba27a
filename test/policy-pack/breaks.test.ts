import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Declaration, ROOT } from "../engine/harness";
import { nameOf, PACK, policyScene, reported, STRICT } from "./policyScene";

/** Breaks every policy once, most of them with {@link STRICT} alone. */
const BAD: Declaration[] = [
  { kind: "Zone", name: "Web", args: { plan: { type: "static", ipsType: "dedicated", ips: 5 } } },
  { kind: "ZoneIps", name: "more", args: { zone: nameOf("Web"), count: 1 } },
  { kind: "WhitelistIp", name: "world", args: { ip: "0.0.0.0/0", allowAny: true, manager: "berlin" } },
  {
    kind: "ProxyPorts",
    name: "fleet",
    args: {
      defaults: { zone: nameOf("Web"), internalName: "shop" },
      ports: { a: { port: 24_000, headers: [{ name: "Authorization", value: "abc" }] } },
    },
  },
];

/** What of {@link STRICT} {@link BAD} is stopped by besides. */
const STRICTER = {
  ...STRICT,
  "allowed-products": { allowed: ["isp-*"] },
  "monthly-cost": { ...STRICT["monthly-cost"], askAccount: false, lastMonth: 11 },
};

const ACCESS = "Zone ZONE is open to everybody who knows a password: declare a ZoneAccess with `allowedIps`.";
const OPEN = '`ip` is "0.0.0.0/0": expected a network of at most a /8. Name the networks of your clients.';
const CLEAR =
  '`ports.a.headers[0].value` holds a credential: wrap it in `pulumi.secret`, and add "ports" to the resource option `additionalSecretOutputs`.';
const UNPROTECTED =
  "The zone is not protected: set the resource option `protect: true`, or name the production stacks in the option `stacks`.";
const BARE = '`ports["a"].whitelistIps` is empty: name the addresses that may use the port.';

test("a program that breaks every policy is stopped by each, before anything is sent", async () => {
  const { stack, simulator, declare, configured } = await policyScene();
  declare(...BAD);
  const preview = await stack.command("preview", ...(await configured(STRICTER)));
  expect(preview.status).not.toBe(0);
  expect(reported(preview)).toEqual([
    [
      "mandatory",
      "allowed-products",
      "Web",
      "The `plan` is of the product datacenter-dedicated, which is not allowed: allowed are isp-dedicated, isp-shared.",
    ],
    ["mandatory", "max-ips", "more", "Zone ZONE has 6 IPs: at most 5 are allowed."],
    ["mandatory", "monthly-cost", "declared-demo", "The account cost $11.00 last month: at most $10.00 are allowed."],
    [
      "mandatory",
      "monthly-cost",
      "more",
      "The IPs of the stack cost about $12.00 a month: at most $10.00 are allowed.",
    ],
    ["mandatory", "name-patterns", "Web", 'The name of the resource is "Web": expected a name that matches ^[a-z]+$.'],
    ["mandatory", "no-credentials-in-clear", "fleet", CLEAR],
    ["mandatory", "no-open-addresses", "world", OPEN],
    ["mandatory", "port-allowlists", "fleet", BARE],
    [
      "mandatory",
      "protected-zones",
      "Web",
      'The zone is not protected, and the stack "demo" is a production stack: set the resource option `protect: true`.',
    ],
    ["mandatory", "zone-access", "Web", ACCESS],
  ]);
  expect(preview.stdout).not.toContain("this.handler=");
  const { remote, manager } = simulator;
  expect([...remote.service.requests, ...manager.service.requests]).toEqual([]);
});

test("levels and options are configured, by default as the table says, and what cannot be used is refused", async () => {
  const { stack, declare, configured } = await policyScene();
  declare(...BAD);
  const byDefault = await stack.command("preview", "--policy-pack", PACK);
  expect(byDefault.status).not.toBe(0);
  expect(reported(byDefault)).toEqual([
    ["advisory", "no-credentials-in-clear", "fleet", CLEAR],
    ["advisory", "port-allowlists", "fleet", BARE],
    ["mandatory", "no-open-addresses", "world", OPEN],
    ["mandatory", "protected-zones", "Web", UNPROTECTED],
    ["mandatory", "zone-access", "Web", ACCESS],
  ]);

  const advisory = await configured({ all: "advisory", "zone-access": "disabled", "port-allowlists": "disabled" });
  const warned = await stack.command("preview", ...advisory);
  expect(warned.status).toBe(0);
  expect(reported(warned)).toEqual([
    ["advisory", "no-credentials-in-clear", "fleet", CLEAR],
    ["advisory", "no-open-addresses", "world", OPEN],
    ["advisory", "protected-zones", "Web", UNPROTECTED],
  ]);

  const nonsense = await configured({
    "max-ips": { ips: "many" },
    "allowed-products": { denied: ["moblie"] },
    "monthly-cost": { prices: { "datacenter-dedicatd-ip": 1 } },
  });
  const refused = await stack.command("preview", ...nonsense);
  expect(refused.status).not.toBe(0);
  for (const words of [
    "max-ips: ips: Invalid type. Expected: integer, given: string",
    "allowed-products: denied.0: Does not match pattern",
    "monthly-cost: prices: Additional property datacenter-dedicatd-ip is not allowed",
  ])
    expect(`${refused.stdout}${refused.stderr}`).toContain(words);

  const misnamed = await stack.command("preview", ...(await configured({ all: "advisory", "max-ips": { ip: 5 } })));
  expect(misnamed.status).not.toBe(0);
  expect(`${misnamed.stdout}${misnamed.stderr}`).toContain("`max-ips` has no option `ip`: it has `ips`, `gips`.");

  const misspelt = await stack.command("preview", ...(await configured({ all: "advisory", "max-ip": "mandatory" })));
  expect(misspelt.status).not.toBe(0);
  expect(`${misspelt.stdout}${misspelt.stderr}`).toMatch(
    /There is no policy `max-ip`: there are `protected-zones`, .+\./,
  );

  // The engine refuses this one itself, before it asks the pack.
  const unlevelled = await stack.command("preview", ...(await configured({ all: "advisory", "max-ip": { ips: 5 } })));
  const words = 'invalid enforcement level ""';
  expect(unlevelled.status).not.toBe(0);
  expect(`${unlevelled.stdout}${unlevelled.stderr}`).toContain(words);
  expect(await readFile(join(ROOT, "policies/README.md"), "utf8")).toContain(words);
});

test("each port of which the program does not say who may use it is told of", async () => {
  const { stack, declare, configured } = await policyScene();
  const port = (name: string): Declaration => ({ kind: "ProxyPort", name, args: { zone: "web" } });
  declare(port("one"), port("two"));
  const preview = await stack.command("preview", ...(await configured({ "port-allowlists": "mandatory" })));
  const bare = "`whitelistIps` is empty: name the addresses that may use the port.";
  expect(reported(preview)).toEqual([
    ["mandatory", "port-allowlists", "one", bare],
    ["mandatory", "port-allowlists", "two", bare],
  ]);
});

test("a pack of one's own has the policies, as the README shows it", async () => {
  const { stack, declare } = await policyScene();
  declare(...BAD);
  const own = join(PACK, "../../own");
  await mkdir(own);
  const readme = await readFile(join(ROOT, "policies/README.md"), "utf8");
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  await writeFile(join(own, "index.js"), example.replace("ips: 20", "ips: 5"));
  await writeFile(join(own, "package.json"), '{ "name": "own", "version": "1.0.0", "main": "index.js" }');
  await writeFile(join(own, "PulumiPolicy.yaml"), "runtime: nodejs\n");
  const preview = await stack.command("preview", "--policy-pack", own);
  expect(preview.status).not.toBe(0);
  expect(reported(preview)).toEqual([
    ["advisory", "no-credentials-in-clear", "fleet", CLEAR],
    ["advisory", "no-open-addresses", "world", OPEN],
    ["advisory", "port-allowlists", "fleet", BARE],
    ["advisory", "protected-zones", "Web", UNPROTECTED],
    ["advisory", "zone-access", "Web", ACCESS],
    ["mandatory", "max-ips", "more", "Zone ZONE has 6 IPs: at most 5 are allowed."],
  ]);
});
