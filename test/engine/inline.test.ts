import { expect, it } from "vitest";
import { bringUp, type InlineDeclaration } from "./inlinePrograms";
import { FORMS } from "./nativeScene";

const plan = { type: "static", ipsType: "shared", ips: 1 };
const before: InlineDeclaration[] = [{ kind: "Zone", name: "web", args: { name: "web", plan } }];
/** The zone goes to another resource, of which the engine tells once the first has let go of it. */
const after: InlineDeclaration[] = [
  { kind: "Zone", name: "web", args: { name: "new", plan } },
  { kind: "Zone", name: "taker", args: { name: "web", plan, adopt: true }, dependsOn: "web" },
];

it("an inline program of the Automation API announces what it takes over, and is told what the state has", async () => {
  const { stdout, intents, changes } = await bringUp([{ declarations: before }, { declarations: after }]);
  expect(stdout).toContain("zone web is kept: another resource of this program is to take it over");
  expect(changes).not.toContainEqual(expect.stringContaining("DELETE"));
  expect(intents).toEqual([]);
});

it.each(FORMS)(
  "an inline program (%s) is told what the state has where its workspace has another home, and another backend",
  async (form) => {
    expect((await bringUp([{ declarations: before }], { form, told: "workspace" })).intents).toEqual([]);
  },
);

const PASSWORD = "given-by-hand";

it("a password that another resource has, which is no target, is told by an inline program whose workspace has another home", async () => {
  const [dropped, kept] = (["dropped", "kept"] as const).map((name): InlineDeclaration => {
    return { kind: "ZonePassword", name, args: { zone: "web", password: PASSWORD, adopt: true }, dependsOn: "web" };
  }) as [InlineDeclaration, InlineDeclaration];
  const target = ["Zone::web", "ZonePassword::dropped"].map(
    (each) => `urn:pulumi:inline::inline::brightdata:index:${each}`,
  );
  const { simulator, stdout } = await bringUp(
    [
      { declarations: [...before, dropped] },
      { declarations: [...before, dropped, kept] },
      { declarations: [...before, kept], options: { target } },
    ],
    { form: "native", told: "workspace" },
  );
  expect(stdout).toContain("a password of zone web belongs to another resource of this program now, and is kept");
  expect(simulator.account.liveZones()[0]?.password).toContain(PASSWORD);
});
