import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { beforeEach, expect, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";

/** What a program asked the engine for. */
interface Registration {
  type: string;
  name: string;
  id: string | undefined;
  /** As they are sent, secrets in their envelopes. */
  inputs: JsonObject;
  secretOutputs: string[];
  /** Absent for a look-up, which replaces nothing. */
  deleteBeforeReplace: boolean | undefined;
}

export const registrations: Registration[] = [];
/** What the provider answers beside the inputs. */
export const answer: { outputs: JsonObject } = { outputs: {} };
export let mocks: pulumi.runtime.Mocks;

beforeEach(async () => {
  registrations.length = 0;
  answer.outputs = {};
  const options: Pick<Registration, "secretOutputs" | "deleteBeforeReplace">[] = [];
  for (const method of ["registerResource", "readResource"] as const) {
    const original = MockMonitor.prototype[method];
    vi.spyOn(MockMonitor.prototype, method).mockImplementation(function (this: MockMonitor, request, callback) {
      if (request.getType().startsWith("pulumi-nodejs:dynamic/")) {
        options.push({
          secretOutputs: request.getAdditionalsecretoutputsList(),
          deleteBeforeReplace: request.getDeletebeforereplace?.(),
        });
      }
      return original.call(this, request, callback);
    });
  }
  mocks = {
    call: () => ({}),
    newResource: ({ type, name, id, inputs }) => {
      const sent = options.shift() ?? { secretOutputs: [], deleteBeforeReplace: undefined };
      registrations.push({ type, name, id: id || undefined, inputs, ...sent });
      return { id: id || `${name}-id`, state: { ...inputs, ...answer.outputs } };
    },
  };
  await runs();
  return () => vi.restoreAllMocks();
});

/** Where the program runs; a test of a program that says nothing of it runs in no organization. */
export async function runs({ project = "shop", stack = "dev", organization = "acme" } = {}): Promise<void> {
  await pulumi.runtime.setMocks(mocks, project, stack, false, organization);
}

/** The value of an output once it is known, and whether it is a secret. */
export async function settled<T>(output: pulumi.Output<T>): Promise<{ value: T; secret: boolean }> {
  const secret = await pulumi.isSecret(output);
  return new Promise((resolve) => {
    pulumi.unsecret(output).apply((value) => resolve({ value: value as T, secret }));
  });
}

/** The one registration there was, once it is there. */
export async function registration(resource: pulumi.CustomResource): Promise<Registration> {
  await settled(resource.id);
  expect(registrations).toHaveLength(1);
  return registrations[0] as Registration;
}

export const inputsSent = ({ inputs }: Registration): JsonObject => {
  const { __provider, __key, __program, ...rest } = inputs;
  return rest;
};
