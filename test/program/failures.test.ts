import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import {
  ArgumentError,
  type FunctionOptions,
  getBalance,
  getBalanceOutput,
  getSnapshotOutput,
  getSnapshotsOutput,
  getZoneCost,
  getZoneCostOutput,
  getZoneOutput,
} from "../../src";
import type { GetBalanceResult } from "../../src/generated";
import { program, startService } from "../functions/harness";

let warnings: string[];

beforeEach(async () => {
  warnings = [];
  await program(false);
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (words) => void warnings.push(words));
  onTestFinished(() => void vi.restoreAllMocks());
});

const run = (declare: () => Promise<void>) => pulumi.runtime.runInPulumiStack(async () => void (await declare()));

const orUndefined = { onError: "undefined" } as const;

const settled = <Value>(output: pulumi.Output<Value>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    (output as unknown as { promise(): Promise<unknown> }).promise().then(resolve, reject);
  });

test("a function whose failure is to be undefined gives that, with a warning that says why", async () => {
  const { faults } = await startService();
  await run(async () => {
    faults.add({ path: "/customer/balance", kind: "respond", status: 403, times: 2 });
    expect(await getBalance({}, orUndefined)).toBeUndefined();
    expect(await settled(getBalanceOutput({}, orUndefined))).toBeUndefined();
    expect(await getBalance({}, orUndefined)).toMatchObject({ balance: expect.any(Number) });
  });
  expect(warnings).toEqual([expect.stringMatching(/^getBalance gives undefined: PermissionError: .*balance.*403/)]);
});

test("neither a failure nor its warning quotes an argument that is a secret", async () => {
  const { faults } = await startService();
  const [name, from] = [pulumi.secret("hush_zone"), pulumi.secret("hush-day")];
  const words = async (output: pulumi.Output<unknown>) => {
    const { isKnown, isSecret } = output as unknown as Record<string, Promise<unknown>>;
    const [failed] = await Promise.allSettled([settled(output), isKnown, isSecret]);
    return failed.status === "rejected" ? inspect(failed.reason) : "";
  };
  expect(await words(getZoneOutput({ name: "open_zone" }))).toContain("open_zone");
  expect(await words(getZoneOutput({ name }))).toMatch(/^(?!.*hush).*\[secret\]/s);
  expect(await words(getZoneCostOutput({ zone: "open_zone", from }))).toMatch(/^(?!.*hush).*`from` is "\[secret\]"/s);
  const datasetId = pulumi.secret("gd_hush");
  faults.add({
    path: "/datasets/v3/snapshots",
    kind: "respond",
    status: 400,
    body: '{"validation_errors":["no gd_hush"]}',
  });
  expect(await words(getSnapshotsOutput({ datasetId }))).toMatch(/^(?!.*hush).*errors: \[ 'no \[secret\]' \]/s);
  await run(async () => void (await settled(getZoneOutput({ name }, orUndefined))));
  expect(warnings).toEqual([expect.stringMatching(/^getZone gives undefined: (?!.*hush).*\[secret\]/)]);
});

test("no line of the log quotes an argument that is a secret", async () => {
  const { faults } = await startService();
  vi.stubEnv("BRIGHTDATA_LOG", "debug");
  vi.stubEnv("BRIGHTDATA_RETRIES", "1");
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  faults.add({ path: /progress/, kind: "respond", status: 500, times: 2 });
  const snapshotId = pulumi.secret("s_hush");
  await run(async () => void (await settled(getSnapshotOutput({ snapshotId }, orUndefined))));
  expect(lines.join("")).toContain('read the progress of snapshot "[secret]": try 1 failed');
  expect(lines.join("")).toMatch(/GET http\S+\/progress\/\[secret\] failed/);
  expect(lines.join("")).not.toContain("hush");
});

test("what is wrong with the program fails in any case", async () => {
  await startService();
  await run(async () => {
    await expect(getZoneCost({ zone: " " }, orUndefined)).rejects.toThrow(ArgumentError);
    const stray = { onError: "null" } as unknown as FunctionOptions;
    await expect(getBalance({}, stray)).rejects.toThrow(
      'getBalance: `onError` must be "undefined" or left out, not "null".',
    );
    vi.stubEnv("BRIGHTDATA_API_TOKEN", "");
    await expect(getBalance({}, orUndefined)).rejects.toThrow(/token/);
  });
  expect(warnings).toEqual([]);
});

test("a call that is given up on gives undefined as well", async () => {
  await startService();
  await run(async () => {
    expect(await getBalance({}, { ...orUndefined, signal: AbortSignal.abort() })).toBeUndefined();
    await expect(getBalance({}, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

test("a service that cannot be reached is warned of once", async () => {
  const { simulator } = await startService();
  await simulator.close();
  const zones = ["a", "b", "c"];
  await run(async () => {
    for (const zone of zones) expect(await getZoneCost({ zone }, orUndefined)).toBeUndefined();
  });
  expect(warnings).toEqual([expect.stringMatching(/^getZoneCost gives undefined: ConnectionError: /)]);
});

test("the result may be undefined where the options say so", () => {
  expectTypeOf<ReturnType<typeof getBalance>>().resolves.toEqualTypeOf<GetBalanceResult>();
  const failing = () => getBalance({}, orUndefined);
  expectTypeOf(failing).returns.resolves.toEqualTypeOf<GetBalanceResult | undefined>();
  const signalled = () => getBalance({}, { signal: AbortSignal.timeout(1000) });
  expectTypeOf(signalled).returns.resolves.toEqualTypeOf<GetBalanceResult>();
});
