import { expect, it, onTestFinished } from "vitest";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { ErrorResourceInitFailedSchema, ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { methodsOf } from "../../src/plugin/methods";
import { PluginProvider } from "../../src/plugin/provider";
import { refusal, serve } from "../../src/plugin/server";
import { scene } from "./harness";

const MEBIBYTE = 2 ** 20;
const lifecycles = new Map(Object.entries(LIFECYCLES));

/** A plugin whose creations fail, with so much to record; the engine attaches to it. */
async function failing(sizeOf: (properties: object) => number): Promise<number> {
  const served = { lifecycleOf: (kind: string) => lifecycles.get(kind), lookupOf: async () => undefined };
  const provider = new PluginProvider(served, undefined, process.cwd(), () => {});
  const { port, server } = await serve(ResourceProvider, {
    ...methodsOf(
      provider,
      { version: "0.1.0", schema: () => "{}", spelled: (words) => words, runtime: undefined },
      async () => {},
    ),
    create: async ({ properties = {} }) => {
      const state = { ...properties, text: "x".repeat(sizeOf(properties)) };
      const details = { id: String(properties.email), properties: state, reasons: ["no answer"] };
      throw refusal("The user is there.", ErrorResourceInitFailedSchema, details);
    },
  });
  onTestFinished(() => void server.close());
  return port;
}

it("the engine records megabytes of what has failed, and is told where it is too much", async () => {
  const { stack, declare } = await scene();
  const sizes: Record<string, number> = { "a@example.com": 11 * MEBIBYTE, "b@example.com": 12 * MEBIBYTE };
  const port = await failing((properties) => sizes[String(Reflect.get(properties, "email"))] ?? 0);
  stack.setEnvironment({ FORM: "native", PULUMI_DEBUG_PROVIDERS: `brightdata:${port}` });
  declare(
    { kind: "ManagerUser", name: "a", args: { email: "a@example.com" } },
    { kind: "ManagerUser", name: "b", args: { email: "b@example.com" } },
  );
  const { status, stdout } = await stack.command("up", "--continue-on-error");
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining("The user is there. What was done is not in the state"),
  ]);
  const recorded = await stack.resources();
  expect(recorded).toMatchObject([{ id: "a@example.com", initErrors: ["no answer"] }]);
  expect(recorded[0]?.outputs?.text).toHaveLength(11 * MEBIBYTE);
});
