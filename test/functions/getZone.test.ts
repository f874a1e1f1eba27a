import { expect, test } from "vitest";
import { AuthenticationError, InvalidRequestError, NotFoundError, ServerError } from "../../src/base/errors";
import { getZone, getZoneOutput, Zone } from "../../src/generated";
import { program, settled, startService } from "./harness";

const LIST = "/zone/get_all_zones";

test("a zone, without its passwords", async () => {
  const { account, asked } = await startService({ clock: () => new Date("2026-03-15T10:30:00Z") });
  const zone = account.addZone("web", { type: "static", country: "us", ips: 2 });
  zone.description = "For the shop";
  zone.password = ["a-password"];
  const found = await getZone({ name: "web" });
  expect(found).toEqual({
    name: "web",
    created: "2026-03-15T10:30:00.000Z",
    ips: ["any"],
    perm: "country ip route_all route_dedicated",
    description: "For the shop",
    plan: {
      start: "2026-03-15T10:30:00.000Z",
      type: "static",
      product: "dc",
      country: "us",
      ips: 2,
      ipsType: "shared",
      ipFallback: 0,
      ipAllocPreset: "shared_block",
      bandwidth: "payperusage",
    },
    disabled: false,
    status: "active",
  });
  expect(JSON.stringify(found)).not.toContain("a-password");
  expect(asked()).toEqual(["GET /zone?zone=web", `GET ${LIST}`]);
});

test("a zone that is switched off", async () => {
  const { account } = await startService();
  const zone = account.addZone("web", { type: "static" });
  zone.status = "disabled";
  zone.plan.disabled = 1;
  await expect(getZone({ name: "web" })).resolves.toMatchObject({ disabled: true, status: "disabled" });
});

test.each([
  [0, "active" as const],
  [1, "disabled" as const],
])("a zone whose `disabled` is %i, for a token that may not list zones", async (disabled, status) => {
  const { account, faults } = await startService();
  account.addZone("web", { type: "static", disabled }).status = status;
  faults.add({ path: LIST, kind: "respond", status: 403 });
  await expect(getZone({ name: "web" })).resolves.toMatchObject({ status });
});

test("a list that fails in another way is not passed over", async () => {
  const { account, faults } = await startService();
  account.addZone("web", { type: "static" });
  faults.add({ path: LIST, kind: "respond", status: 500 });
  await expect(getZone({ name: "web" })).rejects.toBeInstanceOf(ServerError);
});

test.each([400, 404, 422])(
  "a zone that does not exist is told by %i and by the list, with the names that are like it",
  async (status) => {
    const { account } = await startService({ remote: { unknownZoneStatus: status } });
    for (const name of ["shop", "web_1", "web2", "a_web"]) account.addZone(name, { type: "static" });
    account.addZone("wep", { type: "static" }).status = "deleted";
    const call = getZone({ name: "web" });
    await expect(call).rejects.toBeInstanceOf(NotFoundError);
    await expect(call).rejects.toMatchObject({ status, operation: 'read zone "web"' });
    await expect(call).rejects.toThrow(
      /Zone not found\. The account has no zone of that name; the most similar are "web2", "web_1", "a_web"\. Where somebody has deleted a declared zone, `pulumi up --refresh` makes it again\.$/,
    );
  },
);

test("a zone that does not exist is told where there is one other, or none", async () => {
  const { account } = await startService();
  await expect(getZone({ name: "web" })).rejects.toThrow(/The account has no zone of that name, and no other\. Where /);
  account.addZone("shop", { type: "static" });
  await expect(getZone({ name: "web" })).rejects.toThrow(/the most similar is "shop"\. Where /);
});

test("a zone that does not exist is left at what the service says when the list says that it does", async () => {
  const { account } = await startService();
  account.addZone("web", { type: "static" });
  account.status = "suspended";
  const call = getZone({ name: "web" });
  await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
  await expect(call).rejects.toThrow("Customer has invalid status");
});

test.each([403, 500])(
  "a zone that does not exist is left at what the service says when the list answers %i",
  async (status) => {
    const { faults } = await startService();
    faults.add({ path: LIST, kind: "respond", status });
    const call = getZone({ name: "web" });
    await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(call).rejects.toThrow(/answered 422: Zone not found\. Check the zone's name/);
  },
);

test("other refusals are not looked into", async () => {
  const { faults, asked } = await startService();
  faults.add({ kind: "respond", status: 401 });
  await expect(getZone({ name: "web" })).rejects.toBeInstanceOf(AuthenticationError);
  expect(asked()).toEqual(["GET /zone?zone=web"]);
});

test.each(["", " "])("the name %j is none, and nothing is sent", async (name) => {
  const { asked } = await startService();
  await expect(getZone({ name })).rejects.toThrow(`\`name\` is ${JSON.stringify(name)}: expected a text`);
  expect(asked()).toEqual([]);
});

test("a caller who gives up hears the reason", async () => {
  const { account } = await startService();
  account.addZone("web", { type: "static" });
  const reason = new Error("no more interest");
  await expect(getZone({ name: "web" }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("getZoneOutput looks a zone up that is there already, in a preview too", async () => {
  await program(true);
  const { account } = await startService();
  account.addZone("web", { type: "static" });
  const output = getZoneOutput({ name: "web" });
  await expect(settled(output.status)).resolves.toEqual({ value: "active", secret: false });
  await expect(settled(output.apply(({ plan }) => plan.product))).resolves.toEqual({ value: "dc", secret: false });
});

test("getZoneOutput asks for nothing while the zone is only planned", async () => {
  await program(true);
  const { asked } = await startService();
  const zone = new Zone("web", { name: "web", plan: { type: "static" } });
  await expect(settled(getZoneOutput({ name: zone.name }))).resolves.toMatchObject({ value: "unknown" });
  expect(asked()).toEqual([]);
});
