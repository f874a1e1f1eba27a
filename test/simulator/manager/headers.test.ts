import { expect, test } from "vitest";
import { addedHeaders, areReadable, sentHeaders } from "../../../simulator/manager/headers";

const sent = (given: Record<string, string>, names: string[], headers: unknown) =>
  sentHeaders(given, names, addedHeaders({ headers }));
const KEPT = { Connection: "keep-alive" };

test("a header goes on by the name as the client has written it, without a value it does not", () => {
  expect(sent({ "x-a": "1", "x-b": "" }, ["X-A", "X-B"], [])).toEqual({ "X-A": "1", ...KEPT });
});

test("of two names that differ in their capitals, the client's way to write it comes first", () => {
  const added = (name: string) => [{ name, value: "own" }];
  expect(sent({ "x-a": "1" }, ["X-A"], added("X-A"))).toEqual({ "X-A": "own", ...KEPT });
  expect(sent({ "x-a": "1" }, ["X-A"], added("X-a"))).toEqual({ "X-A": "1", ...KEPT });
  expect(sent({ "x-a": "1" }, ["X-A"], added("x-a"))).toEqual({ "X-A": "own", ...KEPT });
});

test("headers for the manager do not go on, unless the port adds them", () => {
  const names = ["Proxy-Authorization", "X-Lpm-Session"];
  expect(sent({ "proxy-authorization": "Basic x", "x-lpm-session": "a" }, names, [])).toEqual(KEPT);
  expect(sent({}, [], [{ name: "x-lpm-session", value: "b" }])).toEqual({ ...KEPT, "x-lpm-session": "b" });
});

test.each([
  [undefined, true],
  [[], true],
  [[{ name: "x" }], true],
  [[{ value: "x" }], false],
  [["x: y"], false],
  [[{ name: "User-Agent", value: "x" }, { value: "y" }], true],
  [[{ name: "User-Agent", value: "x" }, null], false],
  [{}, false],
])("the manager reads headers %j: %s", (headers, isReadable) => expect(areReadable({ headers })).toBe(isReadable));
