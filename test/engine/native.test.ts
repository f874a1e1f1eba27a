import { expect, it } from "vitest";
import { nativeScene } from "./nativeScene";

const plan = { type: "static", ipsType: "shared", country: "us" };

it("a zone and a port of the plugin are made, previewed, refreshed and destroyed", async () => {
  const { stack, simulator, declare } = await nativeScene();
  const program = (disabled: boolean) =>
    declare(
      { kind: "Zone", name: "web", args: { name: "web", plan, disabled } },
      { kind: "ProxyPort", name: "port", args: { zone: { $output: ["web", "name"] }, port: 24_000 } },
    );
  program(false);
  await stack.expect("preview");
  expect(await stack.expect("up")).toMatch(/\+ 3 created/);
  expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["web"]);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh", "--expect-no-changes");
  program(true);
  expect(await stack.expect("up")).toMatch(/~ 1 updated/);
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});
