import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { request } from "../../src/http/undici";

test("no other minor version is installed than that whose files are loaded", () => {
  const { dependencies } = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
  expect(dependencies.undici).toMatch(/^~/);
});

test("a request says where it goes, and its query", async () => {
  const sent: object[] = [];
  const dispatcher = { request: async (options: object) => sent.push(options) };
  const options = { method: "GET", dispatcher: dispatcher as never };
  await request(new URL("http://127.0.0.1:1/zone?name=web#top"), options);
  expect(sent).toEqual([{ method: "GET", origin: "http://127.0.0.1:1", path: "/zone?name=web" }]);
});
