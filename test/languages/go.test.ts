import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { goModule, goProgram } from "../../scripts/languages.mts";
import { secretsOf } from "../engine/harness";
import { changesOf } from "../engine/nativeScene";
import { languageScene } from "./languageScene";

const BUILDING_MS = 600_000;

const HERE = join(__dirname, "go-program");

/** The folder of the program in Go, built with the SDK of this package's schema. */
async function built(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "go-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await goModule(folder, { program: readFileSync(join(HERE, "main.go"), "utf8") });
  await goProgram(folder, "program");
  cpSync(join(HERE, "Pulumi.yaml"), join(folder, "program/Pulumi.yaml"));
  return join(folder, "program");
}

// Compiles Pulumi's SDK, too: minutes.
it(
  "a program in Go imports what exists, keeps secrets, and is told what changes",
  async () => {
    const { stack, simulator } = await languageScene("go", await built());
    simulator.account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "us" });
    const planned = async (variables: Record<string, string>) => {
      stack.setEnvironment(variables);
      const { steps } = JSON.parse(await stack.expect("preview", "--json")) as Preview;
      return steps.filter(({ op }) => op !== "same").map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`);
    };
    const imported = await stack.import("brightdata:index:Zone", "web", "web_scraping");
    expect(imported).toMatchObject({ status: 0 });
    expect(changesOf(simulator)).toEqual([]);

    const first = await planned({ COUNTRY: "us", TEAM: "search" });
    expect(first.sort()).toEqual(["create group", "create more", "create own", "create search"]);
    // The program marks none of them as a secret.
    const own = ["a-password-of-the-program", "another-password-of-the-program", "one-that-all-share"];
    const secrets = [...secretsOf(simulator), ...own];
    const told = [await stack.expect("up", "--diff"), await stack.expect("preview", "--diff", "--expect-no-changes")];
    const seen = [...told, await stack.expect("refresh", "--expect-no-changes"), await stack.stateText()].join("");
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(await stack.outputs()).toMatchObject({
      url: "http://search:a-password-of-the-program@127.0.0.1:24000",
      password: simulator.account.zones.get("web_scraping")?.password[0],
      plan: { type: "static", ipsType: "shared", country: "us" },
    });

    expect(await planned({ TEAM: "prices" })).toEqual(["update search"]);
    await stack.expect("up");
    const replaced = await planned({ TEAM: "search", REPLACE_ON: "headers[0].value" });
    expect(replaced).toContain("replace search");

    stack.setEnvironment({ TEAM: "prices", PROTECT: "1" });
    await stack.expect("up");
    expect(await stack.command("destroy")).not.toMatchObject({ status: 0 });
    stack.setEnvironment({ PROTECT: "" });
    await stack.expect("up");
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  },
  BUILDING_MS,
);

interface Preview {
  steps: { op: string; urn: string }[];
}
