import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { History } from "./history.mts";
import { play } from "./play.mts";

const FOLDER = join(__dirname, "kept");

for (const file of readdirSync(FOLDER)) {
  const name = file.replace(/\.json$/, "");
  test(name, async () => {
    const history = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as History;
    const { wrong, log } = await play(history);
    expect(wrong, log.join("\n")).toBeUndefined();
  });
}
