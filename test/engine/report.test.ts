import { expect, it, onTestFinished } from "vitest";
import { send } from "../../scripts/send.mts";
import { startSimulator } from "../../simulator";
import { imports, newProject } from "./newProject";

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const BILLED = { type: "static", ips_type: "dedicated", country: "us", ips: 2 };

it("a report's commands, as it prints them, end what is idle and keep what was made today", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const { account, manager } = simulator;
  for (const name of ["today", "today too", "idle"]) account.addZone(name, BILLED);
  Object.assign(account.zone("idle") ?? {}, { created: daysAgo(90) });
  for (const day of [0, 1, 2, 3]) {
    const [date = ""] = daysAgo(day).split("T");
    for (const name of day === 0 ? ["today", "idle"] : ["idle"])
      Object.assign(account.zone(name)?.usage ?? {}, { [date]: { cost: 0.5 } });
  }
  await send(manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "gone" } });
  const { shell } = await newProject(simulator);
  const report = () => shell("npx pulumi-brightdata report --quiet --stack demo");

  const said = await report();
  const commands = [...said.matchAll(/^ {4}((?:curl|for|npx) .*)$/gm)].map(([, command = ""]) => command);
  const [ending, importing] = [false, true].map((is) => commands.filter((each) => each.startsWith("npx") === is));
  expect(ending).toHaveLength(2);
  for (const command of ending ?? []) await shell(command);
  const names = () => account.liveZones().map(({ name }) => name);
  expect(names()).toEqual(["today", "today too"]);
  expect(manager.state.records.map(({ port }) => port)).toEqual([22_225]);
  // What was ended may be among what no stack has.
  for (const command of importing ?? []) if (command.includes("--kind Zone ")) await imports(shell, command);
  const again = await report();
  expect(again).not.toMatch(/^ {4}(?:curl|for|npx) /m);
  expect(again).not.toContain("carried nothing");
  await shell("pulumi up --skip-preview --expect-no-changes");
  expect(names()).toEqual(["today", "today too"]);
});
