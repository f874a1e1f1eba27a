import * as pulumi from "@pulumi/pulumi";
import { expect, test, vi } from "vitest";
import { whenKnown } from "../../src/program/whenKnown";
import { failureOf, program, settled } from "../functions/harness";

class Thing extends pulumi.CustomResource {
  declare readonly label: pulumi.Output<string>;

  constructor(name: string, label: pulumi.Input<string>) {
    super("test:index:Thing", name, { label });
  }
}

const echo = () => vi.fn(async (args: { label: string; size?: number | undefined }) => ({ ...args, found: true }));

test("an update looks up what is given as values, promises and outputs", async () => {
  await program(false);
  const lookUp = echo();
  const output = whenKnown({ label: Promise.resolve("web"), size: pulumi.output(3) }, lookUp);
  await expect(settled(output)).resolves.toEqual({ value: { label: "web", size: 3, found: true }, secret: false });
  expect(lookUp).toHaveBeenCalledExactlyOnceWith({ label: "web", size: 3 }, []);
});

test("an update waits until what a value comes from has been created", async () => {
  await program(false);
  const lookUp = echo();
  const { label } = new Thing("thing", "web");
  await expect(settled(whenKnown({ label }, lookUp))).resolves.toMatchObject({
    value: { label: "web", found: true },
  });
});

test("an update makes a secret of what comes from a secret", async () => {
  await program(false);
  const output = whenKnown({ label: pulumi.secret("web") }, echo());
  await expect(settled(output)).resolves.toMatchObject({ value: { label: "web" }, secret: true });
  await expect(settled(output.found)).resolves.toEqual({ value: true, secret: true });
});

test("an update fails as the look-up fails", async () => {
  await program(false);
  const reason = new Error("no such thing");
  await expect(failureOf(() => whenKnown({ label: "web" }, () => Promise.reject(reason)))).resolves.toBe(reason);
});

test("an update fails as an argument fails, and looks nothing up", async () => {
  await program(false);
  const lookUp = echo();
  const reason = new Error("no such argument");
  const label = () => pulumi.output(Promise.reject<string>(reason));
  await expect(failureOf(() => whenKnown({ label: label() }, lookUp))).resolves.toBe(reason);
  expect(lookUp).not.toHaveBeenCalled();
});

test("a preview looks up what is known", async () => {
  await program(true);
  const output = whenKnown({ label: "web" }, echo());
  await expect(settled(output)).resolves.toMatchObject({ value: { label: "web", found: true } });
});

test("a preview looks nothing up for a value that is not known", async () => {
  await program(true);
  const lookUp = echo();
  const { id } = new Thing("thing", "web");
  const output = whenKnown({ label: id }, lookUp);
  await expect(settled(output)).resolves.toEqual({ value: "unknown", secret: false });
  expect(lookUp).not.toHaveBeenCalled();
});

test("a preview looks nothing up for a known value of what does not exist yet", async () => {
  await program(true);
  const lookUp = echo();
  const { label } = new Thing("thing", "web");
  await expect(settled(label)).resolves.toMatchObject({ value: "web" });
  await expect(settled(whenKnown({ label }, lookUp))).resolves.toEqual({ value: "unknown", secret: false });
  const derived = pulumi.interpolate`${label}_2`;
  await expect(settled(whenKnown({ label: derived }, lookUp))).resolves.toMatchObject({ value: "unknown" });
  expect(lookUp).not.toHaveBeenCalled();
});
