import { expect, test } from "vitest";
import { Scope } from "../../src/lifecycle/scope";

/** Tasks that say when they begin, and go on until they are ended. */
function tasks(scopeOf: (name: string) => Scope = () => SCOPE) {
  const began: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string, ...keys: string[]): Promise<string> =>
    scopeOf(name).alone(
      keys,
      () =>
        new Promise((resolve, reject) => {
          began.push(name);
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        }),
    );
  return { began, start, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const SCOPE = new Scope();
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a task that is alone waits for those that were given one of its keys before, and for no other", async () => {
  const { began, start, end } = tasks();
  const all = [start("a", "x"), start("b", "y"), start("ab", "x", "y"), start("c", "z"), start("after", "y")];
  await settled();
  expect(began).toEqual(["a", "b", "c"]);
  end("a");
  await settled();
  expect(began).toEqual(["a", "b", "c"]);
  end("b");
  await settled();
  expect(began).toEqual(["a", "b", "c", "ab"]);
  end("ab");
  await settled();
  expect(began).toEqual(["a", "b", "c", "ab", "after"]);
  for (const name of ["c", "after"]) end(name);
  expect(await Promise.all(all)).toEqual(["a", "b", "ab", "c", "after"]);
});

test("a task that is alone is not kept from it by one before it that has failed", async () => {
  const { began, start, end } = tasks();
  const first = start("a", "x");
  const second = start("b", "x");
  await settled();
  end("a", new Error("No."));
  await expect(first).rejects.toThrow("No.");
  await settled();
  expect(began).toEqual(["a", "b"]);
  end("b");
  expect(await second).toBe("b");
});

test("a task that is alone has its keys until it ends, whoever has ended before", async () => {
  const { began, start, end } = tasks();
  const all = [start("a", "x"), start("b", "x")];
  await settled();
  end("a");
  await all[0];
  await settled();
  all.push(start("c", "x"));
  await settled();
  expect(began).toEqual(["a", "b"]);
  end("b");
  await settled();
  expect(began).toEqual(["a", "b", "c"]);
  end("c");
  await Promise.all(all);
});

test("two scopes that turn out to be one wait for what was begun in either", async () => {
  const [one, other] = [new Scope(), new Scope()];
  const { began, start, end } = tasks((name) => (name === "other" || name === "lone" ? other : one));
  const all = [start("own", "x"), start("other", "x"), start("lone", "y")];
  await settled();
  one.absorb(other);
  all.push(start("next", "x"), start("last", "y"));
  await settled();
  expect(began).toEqual(["own", "other", "lone"]);
  for (const name of ["own", "lone"]) end(name);
  await settled();
  expect(began).toEqual(["own", "other", "lone", "last"]);
  end("other");
  await settled();
  expect(began).toEqual(["own", "other", "lone", "last", "next"]);
  for (const name of ["next", "last"]) end(name);
  await Promise.all(all);
});

test("two scopes that turn out to be one wait for what was begun in either, whichever ends first", async () => {
  const [one, other] = [new Scope(), new Scope()];
  const { began, start, end } = tasks((name) => (name === "other" ? other : one));
  const all = [start("own", "x"), start("other", "x")];
  await settled();
  one.absorb(other);
  all.push(start("next", "x"));
  end("other");
  await settled();
  expect(began).toEqual(["own", "other"]);
  end("own");
  await settled();
  expect(began).toEqual(["own", "other", "next"]);
  end("next");
  await Promise.all(all);
});

test("two scopes that turn out to be one know what was known in either: names, claims and declarations", () => {
  const [one, other] = [new Scope(), new Scope()];
  other.names.add("the other one");
  other.claims.made({ mark: "m.a" }, ["zone web"]);
  other.declarations.declareOnce("Zone", ["zone web"], { place: "first", name: "first" });
  one.absorb(other);
  expect([...one.names]).toEqual(["the other one"]);
  expect(one.claims.whoHas("zone web", { mark: "m.b" })).toBe("has");
  expect(one.declarations.declareOnce("Zone", ["zone web"], { place: "second", name: "second" })).toHaveLength(1);
});

test("a thing is had where another resource has it, or is replaced; where one declares it, or is to take it over, nobody can tell", () => {
  const [scope, me] = [new Scope(), { mark: "m.me", place: "here" }];
  scope.claims.made({ mark: "m.me" }, ["zone mine"]);
  scope.declarations.declareOnce("Zone", ["zone mine"], { place: "here", name: "mine" });
  scope.claims.made({ mark: "m.other" }, ["zone had"]);
  scope.claims.announced("there", ["zone adopted"]);
  scope.declarations.declareOnce("Zone", ["zone declared"], { place: "there", name: "other" });
  scope.claims.note("renewed", ["zone replaced"]);
  const all = ["mine", "had", "adopted", "declared", "replaced", "nobody's"];
  expect(all.map((name) => scope.isHad(`zone ${name}`, me))).toEqual([false, true, undefined, undefined, true, false]);
});

test("other processes of the run are asked for the turn by all names of the scope, when the own ones are over", async () => {
  const scope = new Scope();
  for (const name of ["by token", "by customer"]) scope.names.add(name);
  const events: string[] = [];
  scope.takeTurns(async (keys) => {
    events.push(`take ${keys}`);
    return { wasAnothers: events.length > 3, end: () => events.push("end") };
  });
  const task = async (wasAnothers: boolean) => {
    events.push(`task ${wasAnothers}`);
    throw new Error("No.");
  };
  await Promise.allSettled([scope.alone(["x"], task), scope.alone(["x"], task)]);
  const TAKEN = "take by token x,by customer x";
  expect(events).toEqual([TAKEN, "task false", "end", TAKEN, "task true", "end"]);
  // Where nothing is named, there is nobody to wait for.
  await Promise.allSettled([scope.alone([], task)]);
  expect(events.slice(6)).toEqual(["task false"]);
});

test("other processes of the run that cannot be waited for keep the task from being run, and no later one", async () => {
  const scope = new Scope();
  scope.names.add("name");
  scope.takeTurns(async () => {
    throw new Error("Cancelled.");
  });
  let runs = 0;
  const task = async () => void runs++;
  await expect(scope.alone(["x"], task)).rejects.toThrow("Cancelled.");
  scope.takeTurns(async () => ({ wasAnothers: false, end: () => {} }));
  await scope.alone(["x"], task);
  expect(runs).toBe(1);
});
