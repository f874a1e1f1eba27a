import { join } from "node:path";
import type { CustomResource } from "@pulumi/pulumi";
import { inject, onTestFinished } from "vitest";
import { Stack } from "../../scripts/stack.mts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { UNCHECKED } from "../quickly";

export { send as edit } from "../../scripts/send.mts";

export const ROOT = join(__dirname, "../..");

/** The CLI. */
export const cli = inject("pulumi");

type Exports = typeof import("../../src");

/** The names of the resources' classes. */
export type Kind = {
  [Name in keyof Exports]: Exports[Name] extends new (...args: never[]) => CustomResource ? Name : never;
}[keyof Exports];

/** What a program declares; see `program/index.js`. */
export type Declaration =
  | { kind: Kind; name: string; as?: string; form?: "native"; args: object; options?: object }
  | { kind: Kind; name: string; get: string | { $output: [string, string] } }
  | { call: string; name: string; args?: object; options?: object }
  | { component: string; type?: string; options?: object }
  | { stack: string; name: string };

/** A stack whose program can be replaced. */
export interface DeclaredStack {
  stack: Stack;
  declare(...declarations: Declaration[]): void;
}

/** A stack on a simulator of its own. */
export interface Scene extends DeclaredStack {
  simulator: Simulator;
}

/** The program that declares what it is told. */
export const PROGRAM = join(__dirname, "program");

export async function scene(options: SimulatorOptions = {}, program = PROGRAM): Promise<Scene> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  return { simulator, ...(await stackOn(simulator, program)) };
}

export async function stackOn(simulator: Simulator, program = PROGRAM): Promise<DeclaredStack> {
  const { provider: secretsProvider, environment } = inject("keys");
  const variables = { ...simulator.environment(), ...environment, ...UNCHECKED };
  const stack = await Stack.create(cli, program, variables, { secretsProvider });
  onTestFinished(() => stack.remove());
  return {
    stack,
    declare: (...declarations) => stack.setEnvironment({ PROGRAM: JSON.stringify(declarations) }),
  };
}

/** Everything that must not be legible anywhere: the account's token and all the passwords of its zones. */
export const secretsOf = ({ account, token }: Simulator): string[] => [
  token,
  ...[...account.zones.values()].flatMap(({ password }) => password),
];
