import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { javaProgram } from "../../scripts/languages.mts";
import { secretsOf } from "../engine/harness";
import { languageScene } from "./languageScene";

const BUILDING_MS = 600_000;

/** The folder of the program in Java, built with the SDK of this package's schema. */
async function built(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "java-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(__dirname, "java-program"), folder, { recursive: true });
  await javaProgram(folder);
  return folder;
}

// Needs a JDK and Maven, and compiles Pulumi's language host: minutes.
it.runIf(process.env.SDKS)(
  "a program in Java makes what it says, keeps secrets, and is told what is wrong and what changes",
  async () => {
    const { stack, simulator } = await languageScene("java", await built());
    stack.setEnvironment({ COUNTRY: "nowhere", TEAM: "search" });
    const { status, stdout } = await stack.command("preview");
    expect(status).not.toBe(0);
    expect(stdout).toContain('`plan.country` is "nowhere"');

    stack.setEnvironment({ COUNTRY: "us" });
    const told = [await stack.expect("up", "--diff"), await stack.expect("preview", "--diff", "--expect-no-changes")];
    const [zone] = simulator.account.liveZones();
    expect(zone?.plan).toMatchObject({ type: "static", ips_type: "shared", country: "us" });
    const outputs = await stack.outputs();
    expect(outputs).toEqual({
      zone: zone?.name,
      country: "us",
      passwords: zone?.password,
      spent: 0,
      banned: 60_000,
      url: "http://127.0.0.1:24000",
    });
    // The program marks none of them as a secret.
    const own = ["a-password-of-the-program", "another-password-of-the-program", "one-that-all-share"];
    const secrets = [...secretsOf(simulator), ...own];
    const seen = [...told, await stack.expect("refresh", "--expect-no-changes"), await stack.stateText()].join("");
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);

    stack.setEnvironment({ TEAM: "prices" });
    const { steps } = JSON.parse(await stack.expect("preview", "--json", "--diff")) as Preview;
    const changed = steps.filter(({ op }) => op !== "same");
    expect(changed.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`)).toEqual(["update search"]);
    expect(changed[0]?.detailedDiff).toEqual({ "headers[0].value": { kind: "update", inputDiff: false } });
    await stack.expect("up");
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
  },
  BUILDING_MS,
);

interface Preview {
  steps: { op: string; urn: string; detailedDiff?: object }[];
}
