import { describe, expect, test, vi } from "vitest";
import { ArgumentError } from "../../../src/base/errors";
import { LOGICAL_NAME } from "../../../src/declaration/kind";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { changes, failure, notebook, stage } from "../../lifecycle/harness";
import { created, INPUTS, posts } from "./setup";

const THERE = { type: "static", ips_type: "shared", country: "us" };
const OTHER = { mark: "other", place: "other" };
const ME = { mark: "me", place: "me" };

async function taken() {
  const scene = await stage();
  scene.account.addZone("web", THERE);
  scene.context.claims.made(OTHER, ["zone web"]);
  return scene;
}

describe("a zone that another resource of the program has", () => {
  test("is not taken over, by `adopt` either", async () => {
    const scene = await taken();
    const error = await failure(zone.create({ ...INPUTS, adopt: true }, { ...scene.step(), me: ME }));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(/another resource's of this program/);
    expect(changes(scene)).toEqual([]);
  });

  test("makes an automatic name give way to the next one, with `adopt`, too", async () => {
    const scene = await taken();
    const { id } = await zone.create({ ...INPUTS, adopt: true, [LOGICAL_NAME]: "web" }, { ...scene.step(), me: ME });
    expect(id).not.toBe("web");
    expect(posts(scene)).toBe(1);
    // What stands on that one does not go with it.
    expect(scene.context.claims.isRenewed("zone web")).toBe(false);
  });

  test.each([
    ["takes over", "announced"],
    ["has taken over", "tookOver"],
  ] as const)("makes what an update that was cut short has created give way to what another %s", async (_, call) => {
    const scene = await stage();
    scene.account.addZone("web", THERE);
    const { claims } = scene.context;
    if (call === "announced") claims.announced(OTHER.place, ["zone web"]);
    else claims.tookOver(OTHER, ["zone web"]);
    const journal = notebook({ name: "web" });
    const inputs = { ...INPUTS, [LOGICAL_NAME]: "web" };
    const { id } = await zone.create(inputs, { ...scene.step(), me: ME, journal });
    expect(id).not.toBe("web");
    expect(claims.isRenewed("zone web")).toBe(false);
  });
});

test("a zone of an automatic name that is there already is made anew, and what stands on it goes with it", async () => {
  const scene = await stage();
  scene.account.addZone("web", THERE);
  await zone.create({ ...INPUTS, [LOGICAL_NAME]: "web" }, { ...scene.step(), me: ME });
  expect(scene.context.claims.isRenewed("zone web")).toBe(true);
});

describe("a zone that is being taken over", () => {
  test("is another resource's, where the engine tells of one meanwhile that has it", async () => {
    const scene = await taken();
    vi.spyOn(scene.context.claims, "whoHas").mockReturnValueOnce(undefined);
    const error = await failure(zone.create({ ...INPUTS, adopt: true }, { ...scene.step(), me: ME }));
    expect(error.message).toMatch(/another resource's of this program/);
    expect(changes(scene)).toEqual([]);
  });

  test("is the resource's own before anything is sent: one that has it, too, is refused from then on", async () => {
    const scene = await stage();
    scene.account.addZone("web", THERE);
    scene.remote.service.faults.add({ method: "POST", kind: "respond", status: 400 });
    await failure(zone.create({ ...INPUTS, adopt: true, disabled: true }, { ...scene.step(), me: ME }));
    expect(changes(scene)).toHaveLength(1);
    expect(scene.context.claims.isMadeByAnother("zone web", "m.other")).toBe(true);
  });
});

test("a zone that is there is taken over by its automatic name with `adopt`, and not without", async () => {
  const scene = await stage();
  scene.account.addZone("web", THERE);
  const inputs = { ...INPUTS, [LOGICAL_NAME]: "web" };
  expect(await zone.create({ ...inputs, adopt: true }, scene.step())).toMatchObject({ id: "web" });
  expect(posts(scene)).toBe(0);
  const { id } = await zone.create(inputs, scene.step());
  expect(id).not.toBe("web");
});

test("a name that the service takes no more is refused before anything is sent, where there is no such zone", async () => {
  const scene = await stage();
  const error = await failure(zone.create({ ...INPUTS, name: "2nd zone" }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/^There is no zone "2nd zone", and none can be created with that name: /);
  expect(changes(scene)).toEqual([]);
});

test.each([["Zöne"], ["z".repeat(64)], ["2nd zone"]])(
  "a name that the service takes no more is refused by the preview of a creation: %s",
  (name) => {
    const inputs = { ...INPUTS, name };
    const isCreated = true;
    expect(zone.check(inputs, undefined, { isCreated }).failures).toEqual([
      `\`name\` is ${JSON.stringify(name)}: expected 3 to 63 of the characters a-z, 0-9 and _. Leave it out, and the zone gets an automatic name. To take over a zone that exists, set \`adopt: true\`.`,
    ]);
    expect(zone.check(inputs, undefined, { isCreated, secrets: [["name"]] }).failures).toEqual([
      expect.not.stringContaining(name),
    ]);
    for (const fine of [
      { ...inputs, adopt: true },
      { ...inputs, adopt: UNKNOWN },
      { ...INPUTS, name: UNKNOWN },
    ])
      expect(zone.check(fine, undefined, { isCreated }).failures).toEqual([]);
    // What an import file has is there.
    expect(zone.check(inputs, undefined).failures).toEqual([]);
  },
);

test("an update of a zone that is gone creates none: a refresh comes first", async () => {
  const scene = await stage();
  const state = await created(scene);
  scene.account.removeZone("web");
  const error = await failure(zone.update("web", state, new Set(), INPUTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/is gone from the account\. Run `pulumi refresh`/);
  expect(posts(scene)).toBe(0);
});
