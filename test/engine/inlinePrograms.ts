import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import type { Simulator } from "../../simulator";
import { quietly } from "../../src/base/disk";
import { cli, type Kind, scene } from "./harness";
import { type FORMS, registerPlugin } from "./nativeScene";

/** What a program of the Automation API declares; see `inline/index.cjs`. */
export interface InlineDeclaration {
  kind: Kind;
  name: string;
  args: object;
  dependsOn?: string;
  repeated?: number;
  refused?: string;
}

export interface InlineProgram {
  declarations: InlineDeclaration[];
  options?: { continueOnError?: boolean; target?: string[] };
  fails?: boolean;
}

interface Surroundings {
  form?: (typeof FORMS)[number];
  /** Whether the process is told where Pulumi and the services are, or the workspaces alone. */
  told?: "process" | "workspace";
  /** What the service has, and does, from the start. */
  prepare?: (simulator: Simulator) => void;
}

/** Brings up programs in one process, one after the other. */
export async function bringUp(programs: InlineProgram[], surroundings: Surroundings = {}) {
  const { form = "dynamic", told = "process", prepare } = surroundings;
  const { simulator, stack } = await scene();
  prepare?.(simulator);
  const [home, backend] = ["home", "inline"].map((name) => join(stack.folder, name)) as [string, string];
  await mkdir(backend, { recursive: true });
  if (form === "native") await registerPlugin(home);
  const variables = {
    ...simulator.environment(),
    ...{ PULUMI_HOME: home, PULUMI_BACKEND_URL: `file://${backend}`, PULUMI_CONFIG_PASSPHRASE: "a passphrase" },
  };
  const isTold = told === "process";
  const { status, stdout, stderr } = await run(process.execPath, [join(__dirname, "inline/index.cjs")], {
    env: {
      ...environmentFor(cli, process.env),
      ...(isTold ? variables : { PULUMI_HOME: join(stack.folder, "another home") }),
      ENVIRONMENT: JSON.stringify(isTold ? {} : variables),
      PROGRAMS: JSON.stringify(programs),
      FORM: form,
    },
    timeoutMs: 120_000,
  });
  expect(status, stdout + stderr).toBe(0);
  const intents = quietly(() => readdirSync(join(home, "brightdata/intents")));
  const changes = simulator.remote.service.requests.filter(({ method }) => method !== "GET");
  return { simulator, stdout, intents, changes: changes.map(({ method, path }) => `${method} ${path}`) };
}
