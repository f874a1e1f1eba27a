import { expect, test, vi } from "vitest";
import { ArgumentError } from "../../../src/base/errors";
import { managerUserLifecycle as managerUser } from "../../../src/kinds/managerUser/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  described,
  drift,
  failure,
  stage,
} from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const OPS = { email: "ops@example.com" };

test.each(["ops", "a@example.com,b@example.com", "", "a b@example.com", 7])("%j is no email address", (email) => {
  expect(managerUser.check({ email }, undefined).failures).toHaveLength(1);
});

test("an address with a slash is refused by name: an id would end there", () => {
  expect(managerUser.check({ email: "ops/eu@example.com" }, undefined).failures).toEqual([
    '`email` is "ops/eu@example.com": expected one email address without a slash, such as "ops@example.com".',
  ]);
});

test("a user is one whatever the case of the address", () => {
  expect(managerUser.holdings("Ops@example.com", OPS).has).toEqual(["user ops@example.com"]);
  expect(managerUser.holdings(undefined, OPS).has).toEqual(["user ops@example.com"]);
  expect(managerUser.holdings(undefined, { email: UNKNOWN }).has).toEqual([]);
});

test("a user may be unknown in the preview, and is another with another address", () => {
  expect(managerUser.check({ email: UNKNOWN }, undefined).failures).toEqual([]);
  expect(managerUser.diff(OPS, declaredIn(OPS), { email: "Ops@example.com" }).replaces).toEqual([]);
  expect(managerUser.diff(OPS, declaredIn(OPS), { email: "dev@example.com" }).replaces).toEqual(["email"]);
});

test("a user is added, with a password of the service's", async () => {
  const scene = await stage();
  const { id, state } = await managerUser.create(OPS, scene.step());
  expect(id).toBe("ops@example.com");
  expect(state).toEqual({ ...OPS, password: scene.manager.state.users[0]?.password });
  expect(changes(scene)).toEqual(["POST /api/lpm_user"]);
  expect(await drift(managerUser, id, state, OPS, scene.step())).toEqual([]);
  const adopting = { ...OPS, adopt: true };
  expect(await managerUser.update(id, state, declaredIn(OPS), adopting, scene.step())).toEqual({
    ...state,
    adopt: true,
  });
  expect(changes(scene)).toHaveLength(1);
});

test("a user who exists is taken over only where that is wanted", async () => {
  const scene = await stage();
  scene.manager.state.users.push({ email: "Ops@example.com", password: "theirs" });
  const error = await failure(managerUser.create(OPS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/`aliases`.*set `adopt: true`/);
  expect(await managerUser.create({ ...OPS, adopt: true }, scene.step())).toMatchObject({
    id: "ops@example.com",
    state: { password: "theirs" },
  });
  expect(changes(scene)).toEqual([]);
});

test("a user whom the resource has left is not said to be somebody else's", async () => {
  const scene = await stage();
  const { id, state } = await managerUser.create(OPS, scene.step());
  await managerUser.delete(id, state, scene.step());
  const { message } = await failure(managerUser.create(OPS, { ...scene.step(), context: scene.anotherContext() }));
  expect(message).toMatch(/^The account has a user ops@example\.com already\. .*set `adopt: true`/);
});

test("a user is gone when others are listed, and not when nobody is: then nothing is known", async () => {
  const scene = await stage();
  const { id, state } = await managerUser.create(OPS, scene.step());
  const refresh = () => managerUser.read(id, OPS, { ...scene.step(), context: scene.anotherContext() }, state);
  scene.manager.state.loggedIn = false;
  expect(await refresh()).toEqual(state);
  scene.manager.state.loggedIn = true;
  scene.manager.state.users = [{ email: "dev@example.com", password: "x" }];
  expect(await refresh()).toBeUndefined();
  const looked = { ...scene.step(), context: scene.anotherContext() };
  expect(await managerUser.read("dev@example.com", undefined, looked, {})).toEqual({
    email: "dev@example.com",
    password: "x",
  });
});

test("a user stays when the resource is destroyed, which is said", async () => {
  const scene = await stage();
  const { id, state } = await managerUser.create(OPS, scene.step());
  const said: string[] = [];
  await managerUser.delete(id, state, { ...scene.step(), say: (words) => said.push(words) });
  expect(said).toEqual([
    "user ops@example.com stays: the Proxy Manager cannot remove one. Remove the user in the control panel.",
  ]);
  expect(scene.manager.state.users).toHaveLength(1);
});

test("a user cannot be added to a manager that is not logged in", async () => {
  const scene = await stage({ manager: { loggedIn: false } });
  const error = await failure(managerUser.create(OPS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toContain("not logged in");
  expect(changes(scene)).toEqual([]);
});

test("a user whose answer is lost is looked for, and never added twice", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/lpm_user", kind: "reset-after" });
  expect((await managerUser.create(OPS, scene.step())).state.password).toBe(scene.manager.state.users[0]?.password);
  expect(count(scene, "POST /api/lpm_user")).toBe(1);

  const other = await stage();
  other.manager.service.faults.add({ path: "/api/lpm_user", kind: "reset" });
  const { deadline, expire } = controlledDeadline();
  const created = failure(managerUser.create(OPS, other.step(deadline)));
  await vi.waitUntil(() => count(other, "GET /api/lpm_users") > 3);
  expire();
  const error = await created;
  expect(error).toMatchObject({ id: "ops@example.com", state: OPS });
  expect(error.cause).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toContain("it has not turned up so far, but may do so later");
  expect(count(other, "POST /api/lpm_user")).toBe(1);
  const next = await managerUser.update("ops@example.com", OPS, declaredIn(OPS), OPS, other.step());
  expect(next.password).toBe(other.manager.state.users[0]?.password);
});

test("a user who was added by a process that was killed is taken up, and no other", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  await managerUser.create(OPS, { ...scene.step(), journal });
  scene.manager.state.users.push({ email: "dev@example.com", password: "theirs" });
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect(await failure(managerUser.create({ email: "dev@example.com" }, next))).toBeInstanceOf(ArgumentError);
  await managerUser.create(OPS, next);
  expect(count(scene, "POST /api/lpm_user")).toBe(1);
});

test("a user whom a replacement leaves is found again by what comes in its place", async () => {
  const scene = await stage();
  const { id, state } = await managerUser.create(OPS, scene.step());
  const another = { ...scene.step(), context: scene.anotherContext() };
  await managerUser.delete(id, state, scene.step());
  expect(await failure(managerUser.create(OPS, another))).toBeInstanceOf(ArgumentError);
  expect((await managerUser.create(OPS, scene.step())).state).toEqual(state);
  expect(count(scene, "POST /api/lpm_user")).toBe(1);
});

test("a user who is not listed in time is kept, and has a password after the next update", async () => {
  const scene = await stage();
  const { deadline, expire } = controlledDeadline();
  scene.manager.service.faults.add({ path: "/api/lpm_users", kind: "respond", status: 200, body: "[]", times: 1e6 });
  const created = failure(managerUser.create(OPS, scene.step(deadline)));
  await vi.waitUntil(() => count(scene, "GET /api/lpm_users") > 3);
  expire();
  const error = await created;
  scene.manager.service.faults.clear();
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "ops@example.com", state: OPS });
  expect(error.message).toContain("waiting for user ops@example.com to be listed");
  const next = await managerUser.update("ops@example.com", OPS, declaredIn(OPS), OPS, scene.step());
  expect(next.password).toBe(scene.manager.state.users[0]?.password);
});

test("a user without a password is up to date in no form of the resource, also after a refresh that cannot see them", async () => {
  const changed = (state: object) => managerUser.diff({ ...state }, declaredIn(OPS), OPS).changed;
  expect([changed(OPS), changed({ ...OPS, password: "hush" })]).toEqual([["password"], []]);
  const scene = await stage();
  scene.manager.state.users = [];
  const refreshed = await managerUser.read(OPS.email, OPS, scene.step(), OPS);
  expect(changed(refreshed ?? {})).toEqual(["password"]);
});

test("a user who has no password yet is kept, and has one after the next update", async () => {
  const scene = await stage();
  scene.manager.state.users.push({ email: OPS.email, password: "theirs" });
  const body = JSON.stringify([OPS]);
  scene.manager.service.faults.add({ path: "/api/lpm_users", kind: "respond", status: 200, body });
  const adopting = { ...OPS, adopt: true };
  const error = await failure(managerUser.create(adopting, scene.step()));
  expect(error).toMatchObject({ id: "ops@example.com", state: adopting });
  expect(error.message).toContain("lists user ops@example.com without a password");
  const next = await managerUser.update("ops@example.com", adopting, declaredIn(adopting), adopting, scene.step());
  expect(next).toEqual({ ...adopting, password: "theirs" });
  expect(changes(scene)).toEqual([]);
});

test("a user keeps the password that is known where the manager lists none", async () => {
  const scene = await stage();
  const body = JSON.stringify([OPS]);
  scene.manager.service.faults.add({ path: "/api/lpm_users", kind: "respond", status: 200, body });
  const state = { ...OPS, password: "hush" };
  expect(await managerUser.read(OPS.email, OPS, scene.step(), state)).toEqual(state);
});

test("a user is listed with all others, and described by the address alone", async () => {
  const scene = await stage();
  scene.manager.state.users = ["ops@example.com", "Dev@example.com"].map((email) => ({ email, password: "hush" }));
  expect(await described(managerUser, scene.step())).toEqual({
    "ops@example.com": OPS,
    "Dev@example.com": { email: "Dev@example.com" },
  });
});
