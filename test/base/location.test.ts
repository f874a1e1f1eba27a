import { expect, test } from "vitest";
import { locationOf } from "../../src/base/location";

const AT = locationOf("http://127.0.0.1:22999");

test("this machine is one place, whatever its name", () => {
  expect(AT).toMatch(/^[\w-]{8}$/);
  for (const host of ["localhost", "LOCALHOST", "[::1]"]) expect(locationOf(`http://${host}:22999`)).toBe(AT);
});

test.each([
  ["host", "http://fra.example.com:22999"],
  ["address of this machine", "http://127.0.0.2:22999"],
  ["port", "http://127.0.0.1:22998"],
  ["protocol", "https://127.0.0.1:22999"],
  ["path", "http://127.0.0.1:22999/fra"],
])("another %s is another place", (_, url) => {
  expect(locationOf(url)).not.toBe(AT);
});
