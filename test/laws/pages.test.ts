import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { titled } from "./sample";
import { SAMPLES } from "./samples";
import { onScene, type Scene } from "./scene";

// The page of a kind says at its end which requests it sends: a refresh sends those of its paragraph and no others, nothing is sent
// where the page says so, and all others are named somewhere there. Those that every resource of an account sends are named in one
// place, in docs/how-it-works.md.

type Step = "Create" | "Read" | "Update" | "Delete";

const read = (page: string): string => readFileSync(join(__dirname, `../../docs/${page}.md`), "utf8");

/** What is said of the requests that every resource of an account sends. */
const OF_ACCOUNT = /^\*\*Bright Data's API\*\*.*?(?=^\n)/ms.exec(read("how-it-works"))?.[0] ?? "";

/** What a page says of requests, that of another kind included where it says "as for" that. */
function requestsOf(kind: string): string {
  const page = kind.replace(/\B[A-Z]/g, "-$&").toLowerCase();
  const said = /^<summary>Requests<\/summary>\n.*?^<\/details>/ms.exec(read(page))?.[0] ?? "";
  const alike = /\bas for a `(\w+)`/.exec(said)?.[1];
  return alike === undefined ? said : said + requestsOf(alike);
}

/** What a page says of the requests of a step in the life of a resource. */
function textOf(said: string, step: Step): string {
  const paragraph = new RegExp(`^- \\*\\*${step}\\b.*?(?=^- |^\\n)`, "ms").exec(said)?.[0] ?? "";
  if (step === "Read") return paragraph;
  return /\bno request is sent(?!, unless)/.test(paragraph) ? "" : said;
}

/** The requests that a text names, such as `GET /api/banlist/{PORT}?full=true`. */
const named = (text: string): RegExp[] =>
  [...text.matchAll(/`([A-Z]+ \/[^`?]*)/g)].map(
    ([, request]) => new RegExp(`^${(request as string).replace(/\{\w+\}/g, "[^/]+")}$`),
  );

/** What was sent since the last call. */
const sent = ({ simulator: { remote, manager } }: Scene): string[] =>
  [remote, manager]
    .flatMap(({ service }) => service.requests.splice(0))
    .map(({ method, path }) => `${method} ${path.split("?")[0]}`);

const cases = Object.entries(SAMPLES).flatMap(([kind, samples]) =>
  samples.map((sample) => [titled(kind, sample), kind, sample] as const),
);

test.each(cases)("the page of %s names its requests", (_title, kind, sample) =>
  onScene(sample, async (scene) => {
    const said = requestsOf(kind);
    const shared = LIFECYCLES[kind]?.service === "remote" ? named(OF_ACCOUNT) : [];
    const unnamed: Record<string, string[]> = {};
    const compare = (step: Step, what = "") => {
      const requests = [...named(textOf(said, step)), ...shared];
      const missing = sent(scene).filter((request) => !requests.some((pattern) => pattern.test(request)));
      if (missing.length > 0) unnamed[step + what] = [...new Set(missing)];
    };
    const program = await scene.program();
    sent(scene);
    await scene.up(program);
    compare("Create");
    await scene.engine.refresh();
    compare("Read");
    for (const [name, { replaces, final }] of Object.entries(sample.changes)) {
      if (replaces || final) continue;
      await scene.up(await scene.program(scene.changed(name)));
      await scene.up(program);
      compare("Update", `: ${name}`);
    }
    await scene.engine.destroy();
    compare("Delete");
    expect(unnamed).toEqual({});
  }),
);
