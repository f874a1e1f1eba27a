import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import type { History } from "../histories/history.mts";
import { play } from "../histories/play.mts";

const FOLDER = join(__dirname, "kept");

for (const file of readdirSync(FOLDER)) {
  const name = file.replace(/\.json$/, "");
  test(name, async () => {
    const history = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as History;
    const { wrong, log } = await play(history, boxEngines(inject("engineBox")));
    expect(wrong, log.join("\n")).toBeUndefined();
  });
}
