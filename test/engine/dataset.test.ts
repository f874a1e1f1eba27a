import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { inTurn } from "../turn";
import { type Declaration, type Scene, scene } from "./harness";

const it = inTurn(2);

const INPUTS = { datasetId: "gd_simulated", inputs: [{ url: "https://example.com/1" }], pollInterval: 1 };
const KEYS = { awsAccessKey: "hush-access-key", awsSecretKey: "hush-secret-key" };

const collection = (args: object = {}): Declaration => ({
  kind: "DatasetCollection",
  name: "pages",
  args: { ...INPUTS, ...args },
});

const delivery: Declaration = {
  kind: "SnapshotDelivery",
  name: "to-s3",
  args: {
    snapshotId: { $output: ["pages", "snapshotId"] },
    target: { type: "s3", bucket: "pages", credentials: KEYS },
    filename: { template: "pages", extension: "ndjson" },
    pollInterval: 1,
  },
};

const posts = ({ simulator }: Scene, path: RegExp): number =>
  simulator.remote.service.requests.filter((request) => request.method === "POST" && path.test(request.path)).length;

it("dataset actions run at the creation and when a trigger changes, and at no other time", async () => {
  const here = await scene();
  const { stack, simulator, declare } = here;
  declare(collection(), delivery);
  const preview = await stack.expect("preview");
  expect(preview).toMatch(/will trigger a collection of dataset "gd_simulated" for 1 input, which costs money/);
  expect(preview).toMatch(/will deliver a snapshot to a storage/);
  expect(simulator.remote.service.requests).toEqual([]);

  const printed = await stack.expect("up");
  const [snapshot] = [...simulator.account.snapshots.values()];
  const [delivered] = [...simulator.account.deliveries.values()];
  expect(await stack.outputs()).toMatchObject({
    pages: { snapshotId: snapshot?.id, status: "ready", records: 1 },
    "to-s3": { snapshotId: snapshot?.id, deliveryId: delivered?.id, status: "done", files: [{}] },
  });
  for (const secret of Object.values(KEYS)) expect(preview + printed + (await stack.stateText())).not.toContain(secret);

  expect(await stack.expect("refresh", "--diff")).toMatch(/3 unchanged/);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("up");
  expect([posts(here, /trigger/), posts(here, /deliver/)]).toEqual([1, 1]);

  declare(collection({ timeouts: { create: 900 } }), delivery);
  const unsure = await stack.expect("preview");
  expect(unsure).toMatch(/if `snapshotId` changes, which is not known yet: the update will deliver a snapshot/);
  expect(unsure).not.toMatch(/brightdata: the update will/);
  await stack.expect("up");
  expect([posts(here, /trigger/), posts(here, /deliver/)]).toEqual([1, 1]);

  declare(collection({ triggers: ["again"] }), delivery);
  expect(await stack.expect("preview")).toMatch(/will trigger a collection/);
  expect([posts(here, /trigger/), posts(here, /deliver/)]).toEqual([1, 1]);
  expect(await stack.expect("up")).toMatch(/\+-2 replaced/);
  expect([posts(here, /trigger/), posts(here, /deliver/)]).toEqual([2, 2]);

  await stack.expect("destroy");
  expect(posts(here, /cancel/)).toBe(0);
});

it("dataset actions that are not over in time are kept, waited for by the next up even after a refresh, and never begun again", async () => {
  const here = await scene({ remote: { snapshotStates: ["running"] } });
  const { stack, simulator, declare } = here;
  declare(collection({ timeouts: { create: 1 } }));
  const late = await stack.command("up");
  expect(late.status).not.toBe(0);
  const [snapshot] = [...simulator.account.snapshots.values()];
  expect(late.stdout).toContain(`Gave up after 1 s, waiting for the collection of snapshot "${snapshot?.id}" to end`);
  expect((await stack.resources()).map(({ id }) => id)).toEqual([snapshot?.id]);

  // It makes the engine forget that the update failed.
  await stack.expect("refresh");
  if (snapshot !== undefined) snapshot.upcoming = ["digesting", "ready"];
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  expect(await stack.outputs()).toMatchObject({ pages: { snapshotId: snapshot?.id, status: "ready", records: 1 } });
  expect(posts(here, /trigger/)).toBe(1);
  await stack.expect("preview", "--expect-no-changes");
});

it("dataset actions that fail say why at every up until a trigger changes; what runs is cancelled by a destroy", async () => {
  const here = await scene({ remote: { snapshotStates: ["failed"] } });
  const { stack, simulator, declare } = here;
  declare(collection());
  for (const attempt of ["first", "second"]) {
    const failed = await stack.command("up");
    expect(failed.status, attempt).not.toBe(0);
    expect(failed.stdout).toContain("Something went wrong. Our team is looking into it.");
    expect(failed.stdout).toContain("change a value of `triggers`");
  }
  expect(posts(here, /trigger/)).toBe(1);

  simulator.remote.behaviour.snapshotStates = ["running"];
  declare(collection({ triggers: [1], wait: false }));
  expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
  expect(await stack.outputs()).toMatchObject({ pages: { status: "running" } });
  expect([posts(here, /trigger/), posts(here, /cancel/)]).toEqual([2, 0]);
  await stack.expect("destroy");
  expect([...simulator.account.snapshots.values()].map(({ status }) => status)).toEqual(["failed", "canceled"]);
});

it("dataset actions are taken up by their id, without another, and stay when the argument goes", async () => {
  const here = await scene();
  const { stack, simulator, declare } = here;
  const { id } = simulator.account.addSnapshot("gd_simulated", ["running", "ready"], INPUTS.inputs);
  declare(collection({ snapshotId: id }));
  expect(await stack.expect("preview")).toContain(`take up the collection of snapshot "${id}"`);
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({ pages: { snapshotId: id, status: "ready", records: 1 } });
  declare(collection());
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  await stack.expect("preview", "--expect-no-changes");
  expect(posts(here, /trigger/)).toBe(0);
});

it("dataset actions tell their ids, and are not begun again where nobody knows whether they have begun", async () => {
  const here = await scene();
  const { stack, simulator, declare } = here;
  simulator.remote.service.faults.add({ path: /deliver\//, kind: "reset-after" });
  declare(collection(), delivery);
  const lost = await stack.command("up");
  expect(lost.status).not.toBe(0);
  const [snapshot] = [...simulator.account.snapshots.values()];
  expect(lost.stdout).toContain(`brightdata: The collection of snapshot "${snapshot?.id}" has begun.`);
  expect(lost.stdout).toContain(`Whether a delivery of snapshot "${snapshot?.id}" has begun is not known`);

  await stack.expect("refresh");
  const still = await stack.command("up");
  expect(still.status).not.toBe(0);
  expect(still.stdout).toContain("is not known");
  expect(posts(here, /deliver/)).toBe(1);

  const [begun] = [...simulator.account.deliveries.values()];
  declare(collection(), { ...delivery, args: { ...delivery.args, deliveryId: begun?.id } });
  expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
  expect(await stack.outputs()).toMatchObject({ "to-s3": { deliveryId: begun?.id, status: "done" } });
  expect([posts(here, /trigger/), posts(here, /deliver/)]).toEqual([1, 1]);
});

it("dataset actions can be taken into the state from a file, are refreshed, and looked at by the next up", async () => {
  const here = await scene();
  const { stack, simulator, declare } = here;
  const { id } = simulator.account.addSnapshot("gd_simulated", ["running", "ready"], INPUTS.inputs);
  const text = `this.handler=()=>require('pulumi-brightdata/provider').resource('DatasetCollection')`;
  const inputs = { ...INPUTS, __provider: text };
  const type = "pulumi-nodejs:dynamic/brightdata:DatasetCollection";
  const file = join(stack.folder, "import.json");
  await writeFile(file, JSON.stringify({ resources: [{ type, name: "pages", id, inputs, outputs: inputs }] }));
  declare(collection());
  const imported = await stack.importFile(file);
  expect(imported.stderr + imported.stdout).toContain("1 imported");
  await stack.expect("refresh");
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({ pages: { snapshotId: id, status: "ready", records: 1 } });
  await stack.expect("preview", "--expect-no-changes");
  expect(posts(here, /./)).toBe(0);
});
