import { expect, test } from "vitest";
import { ResponseFormatError, ServiceError } from "../../../src/base/errors";
import { isGone, unlessGone } from "../../../src/kinds/zone/gone";
import { failure, type Stage, stage } from "../../lifecycle/harness";

const ALL = "/zone/get_all_zones";

/** A stage with the zone `other`. */
async function zones(): Promise<Stage> {
  const scene = await stage();
  scene.account.addZone("other", { type: "static" });
  return scene;
}

const respond = (scene: Stage, path: string, status: number, body: string) =>
  scene.remote.service.faults.add({ path, kind: "respond", status, body, times: Number.POSITIVE_INFINITY });

test("a zone is gone when the list has it among the deleted ones", async () => {
  const scene = await zones();
  scene.account.addZone("web", { type: "static" });
  scene.account.removeZone("web");
  expect(await isGone("web", scene.step())).toBe(true);
  expect(scene.remote.service.requests.map(({ path }) => path)).not.toContain("/zone");
});

test("a zone is gone when the list lacks it and it cannot be read", async () => {
  const scene = await zones();
  expect(await isGone("web", scene.step())).toBe(true);
});

test("one list does for all zones that are there, and another is asked for where one is gone", async () => {
  const scene = await zones();
  const lists = () => scene.remote.service.requests.filter(({ path }) => path === ALL).length;
  for (let number = 0; number < 3; number++) expect(await isGone("other", scene.step())).toBe(false);
  expect(lists()).toBe(1);
  expect(await isGone("web", scene.step())).toBe(true);
  expect(lists()).toBe(2);
});

test("a zone is gone when the list is empty and the service says that there is no such zone", async () => {
  const scene = await stage();
  expect(await isGone("web", scene.step())).toBe(true);
});

test("a zone is not gone when the list has it, or it can be read", async () => {
  const scene = await zones();
  expect(await isGone("other", scene.step())).toBe(false);
  scene.context.zones.forget();
  for (const body of ["[]", JSON.stringify([{ name: "another", status: "active" }])]) {
    respond(scene, ALL, 200, body);
    expect(await isGone("other", scene.step())).toBe(false);
    scene.remote.service.faults.clear();
    scene.context.zones.forget();
  }
});

test.each([
  [400, "Bad Request"],
  [404, "Not Found"],
  [422, "Customer has invalid status"],
])(
  "a zone is not gone when the list is empty and the refusal (%i %s) is about something else",
  async (status, body) => {
    const scene = await zones();
    respond(scene, ALL, 200, "[]");
    respond(scene, "/zone", status, body);
    const outcome = await isGone("web", scene.step()).catch((error: Error) => error);
    // A 404 that is about the path may also be an error of its own.
    if (outcome !== false) expect(outcome).toBeInstanceOf(ServiceError);
  },
);

test("a zone is not gone when the token may not list the zones", async () => {
  const scene = await zones();
  respond(scene, ALL, 403, "Forbidden");
  expect(await isGone("web", scene.step())).toBe(false);
});

test.each([
  ["a page", "<html><pre>Cannot GET /</pre></html>"],
  ["an object", "{}"],
  ["nothing", ""],
  ["null", "null"],
])("a zone is not gone because the list is %s", async (_, body) => {
  const scene = await zones();
  respond(scene, ALL, 200, body);
  expect(await failure(isGone("web", scene.step()))).toBeInstanceOf(ResponseFormatError);
});

const ask = (scene: Stage, zone: string) => {
  const { context, deadline } = scene.step();
  return context.remote.passwords.list(zone, { signal: deadline.signal });
};

test("what is asked about a zone has no answer when the zone is gone", async () => {
  const scene = await zones();
  expect(await unlessGone("web", scene.step(), () => ask(scene, "web"))).toBeUndefined();
});

test.each([400, 404, 422])(
  "what is asked about a zone fails as it does (%i) when the zone is there",
  async (status) => {
    const scene = await zones();
    respond(scene, "/zone/passwords", status, "Zone not found");
    expect(await failure(unlessGone("other", scene.step(), () => ask(scene, "other")))).toMatchObject({ status });
  },
);

test("what is asked about a zone fails when the address is wrong, and everything is a page that is not found", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({
    kind: "respond",
    status: 404,
    body: "<!DOCTYPE html><pre>Cannot GET /zone/passwords</pre>",
    times: Number.POSITIVE_INFINITY,
  });
  const error = await failure(unlessGone("web", scene.step(), () => ask(scene, "web")));
  expect(error.message).toContain("names the right service");
});
