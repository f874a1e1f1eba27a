import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import type * as recorded from "../../src/program/recorded";
import { backend } from "../../src/run/backend";
import { lineOf } from "../../src/run/intentFiles";

let folder: string;
let program: typeof recorded;

beforeEach(async () => {
  const home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "intents");
  vi.stubEnv("PULUMI_HOME", home);
  vi.resetModules();
  program = await vi.importActual<typeof recorded>("../../src/program/recorded");
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

/** Intents with these marks. */
function begun(...marks: string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const mark of marks) {
    const writer = { host: "host", pid: 1, run: "run" };
    const about = {
      purpose: { kind: "create" },
      facts: {},
      place: "place",
      service: "here",
      backend: backend(process.cwd()),
    };
    const intent = { began: new Date().toISOString(), mark, writer, ...about };
    writeFileSync(join(folder, `place~${mark}~12345678.intent`), lineOf({ begun: intent }));
  }
}

const left = (): string[] => readdirSync(folder).map((file) => file.split("~")[1] as string);

test("what was begun is forgotten once the engine has answered the program with its mark, all at once", async () => {
  begun("m.web", "m.api", "m.shop");
  for (const mark of ["m.web", "m.api", "m.nothing"]) program.isRecorded(mark);
  expect(left()).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual(["m.shop"]);
});

test("what is answered later is forgotten later", async () => {
  begun("m.web", "m.api");
  program.isRecorded("m.web");
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual(["m.api"]);
  program.isRecorded("m.api");
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual([]);
});

test("a program that ends first forgets it then, and waits for nothing", async () => {
  begun("m.web");
  const before = process.listeners("exit");
  program.isRecorded("m.web");
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  (added[0] as (code: number) => void)(0);
  expect(left()).toEqual([]);
  expect(process.listeners("exit")).toEqual(before);
  expect(vi.getTimerCount()).toBe(0);
});

test("where nothing was begun, nothing is done", async () => {
  program.isRecorded("m.web");
  await vi.advanceTimersByTimeAsync(50);
  expect(existsSync(folder)).toBe(false);
});

interface Answer {
  id?: string;
  mark?: string;
  result: "success" | "failure";
}

const Output = pulumi.Output as unknown as new (...given: unknown[]) => pulumi.Output<unknown>;

/** An output as the SDK resolves it. */
const output = (value: unknown, isKnown = true): pulumi.Output<unknown> =>
  new Output([], Promise.resolve(value), Promise.resolve(isKnown), Promise.resolve(false), Promise.resolve([]));

/**
 * A resource whose registration was answered. SDKs from 3.252 to 3.275 reject all outputs of a failure, which its handler in the
 * program's process hears; here, where nobody hears, they are unknown: what waits for them runs in neither case.
 */
function resolved({ id, mark, result }: Answer): pulumi.CustomResource {
  const isSuccess = result === "success";
  return {
    id: output(id, isSuccess && id !== undefined),
    __mark: output(mark, isSuccess),
  } as unknown as pulumi.CustomResource;
}

/** The same of SDKs from 3.276, to which all outputs of a failure are unknown but for its id. */
function latelyResolved({ id, mark, result }: Answer): pulumi.CustomResource {
  return {
    id: output(id, id !== undefined),
    __mark: output(mark, result === "success"),
  } as unknown as pulumi.CustomResource;
}

/** The same of SDKs from 3.216 to 3.251, which resolve what the answer has, whatever its result is. */
function formerlyResolved({ id, mark, result }: Answer): pulumi.CustomResource {
  const isSuccess = result === "success";
  return {
    id: output(id, id !== undefined),
    __mark: output(mark, mark !== undefined || isSuccess),
    __absent: output(undefined, isSuccess),
  } as unknown as pulumi.CustomResource;
}

function withEngine(): void {
  const engine = { getChannel: () => ({ getTarget: () => "127.0.0.1:45678" }) };
  vi.spyOn(pulumi.runtime, "getEngine").mockReturnValue(engine as never);
  vi.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(false);
}

async function answered(resource: pulumi.CustomResource): Promise<string[]> {
  begun("m.web");
  program.awaitRecord(resource);
  for (let turn = 0; turn < 20; turn++) await vi.advanceTimersByTimeAsync(10);
  return left();
}

const SDKS = {
  "": latelyResolved,
  " of an SDK before 3.276": resolved,
  " of an SDK before 3.252": formerlyResolved,
};

describe.each(Object.entries(SDKS))("the answer to a registration%s", (_, resource) => {
  it("is the end of what was begun if it has succeeded", async () => {
    expect(await answered(resource({ id: "web", mark: "m.web", result: "success" }))).toEqual([]);
  });

  it.each<[string, Answer]>([
    [
      "has failed with all that was made: its state could not be saved",
      { id: "web", mark: "m.web", result: "failure" },
    ],
    ["has failed before anything was made", { result: "failure" }],
    ["is of what is not among the targets", { mark: "m.web", result: "success" }],
    ["is of a resource with another mark", { id: "web", mark: "m.api", result: "success" }],
    ["is of a resource of an earlier version, which has no mark", { id: "web", result: "success" }],
  ])("is not the end of what was begun: that %s", async (_, answer) => {
    expect(await answered(resource(answer))).toEqual(["m.web"]);
  });
});

test.each([
  ["3.251.0", { __mark: undefined, __absent: undefined }],
  ["3.252.0", { __mark: undefined }],
])("SDKs before 3.252 make another output, which tells a failure: %s", async (version, outputs) => {
  vi.doMock("@pulumi/pulumi/version", () => ({ version }));
  onTestFinished(() => void vi.doUnmock("@pulumi/pulumi/version"));
  vi.resetModules();
  const { awaited } = await vi.importActual<typeof recorded>("../../src/program/recorded");
  withEngine();
  expect(awaited()).toStrictEqual(outputs);
});

test("the answer to a registration is not waited for where there is no engine, nor in a preview", async () => {
  expect(program.awaited()).toEqual({});
  expect(await answered({ id: output("web") } as unknown as pulumi.CustomResource)).toEqual(["m.web"]);
  withEngine();
  expect(program.awaited()).toStrictEqual({ __mark: undefined });
  vi.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(true);
  expect(program.awaited()).toEqual({});
});
