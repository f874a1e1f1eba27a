import * as pulumi from "@pulumi/pulumi";
import { startSimulator } from "pulumi-brightdata/simulator";
import { afterAll, beforeAll, vi } from "vitest";

/** What the program has declared. */
export interface Declared {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  isProtected: boolean;
}

let simulator: Awaited<ReturnType<typeof startSimulator>>;

// Functions such as proxyUrlOutput ask a service, also under mocks.
beforeAll(async () => {
  simulator = await startSimulator();
  Object.assign(process.env, simulator.environment());
});
afterAll(() => simulator.close());

/** Runs the program on a stack of that name, with mocks. */
export async function declared(stack: string, config: Record<string, unknown>): Promise<Declared[]> {
  const found: Omit<Declared, "isProtected">[] = [];
  const project = "test";
  await pulumi.runtime.setMocks(
    {
      newResource({ type, name, inputs: { __provider: _, ...inputs } }) {
        found.push({ type: type.split(":").at(-1) ?? "", name, inputs });
        return { id: name, state: { name, password: "secret", files: [], ...inputs } };
      },
      call: ({ inputs }) => inputs,
    },
    project,
    stack,
  );
  const texts = Object.entries(config).map(([key, value]) => {
    return [`${project}:${key}`, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  pulumi.runtime.setAllConfig(Object.fromEntries(texts));
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("setMocks sets a monitor");
  const register = vi.spyOn(monitor, "registerResource");
  vi.resetModules();
  const outputs = await import("../index.js");
  await new Promise((resolve) => pulumi.all(Object.values<unknown>(outputs)).apply(resolve));
  return found.map((resource, index) => ({
    ...resource,
    isProtected: register.mock.calls[index]?.[0].getProtect() ?? false,
  }));
}
