import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getHarLogs, getHarLogsOutput } from "../../src/generated";
import { program, requestLog, settled, startManager } from "./harness";

test("getHarLogs are the requests, as a secret", async () => {
  const { manager, asked } = await startManager();
  manager.state.requestLogs = [requestLog({})];
  const { entries, ...page } = await getHarLogs();
  expect(page).toEqual({ total: 1, skip: 0, inBw: 100, outBw: 10 });
  const { value, secret } = await settled(entries);
  expect(secret).toBe(true);
  expect(value).toMatchObject([{ uuid: "1", port: 24000, request: { url: "https://example.com/" } }]);
  expect(asked()).toEqual(["GET /api/logs"]);
});

test("getHarLogs passes every filter on", async () => {
  const { asked } = await startManager();
  await getHarLogs({
    port: 24000,
    portFrom: 24000,
    portTo: 24010,
    statusCode: "2**",
    contentType: "html",
    protocol: "https",
    search: "example",
    skip: 1,
    limit: 2,
    sort: "statusCode",
    descending: true,
  });
  const [line = ""] = asked();
  expect(Object.fromEntries(new URL(line.slice("GET ".length), "http://manager").searchParams)).toEqual({
    port: "24000",
    port_from: "24000",
    port_to: "24010",
    status_code: "2**",
    content_type: "html",
    protocol: "https",
    search: "example",
    skip: "1",
    limit: "2",
    sort: "status_code",
    sort_desc: "true",
  });
});

test("getHarLogs sends nothing for a filter that makes no sense", async () => {
  const { asked } = await startManager();
  await expect(getHarLogs({ limit: 0.5 })).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});

test("getHarLogs says of each filter what was expected", async () => {
  await startManager();
  const filter = { statusCode: "abc", sort: "x" } as never;
  await expect(getHarLogs(filter)).rejects.toThrow(
    '`statusCode` is "abc": expected a status such as 200, or "1**", "2**", "3**", "4**" or "5**". `sort` is "x": expected',
  );
});

test("getHarLogs are secret as an output, as a whole", async () => {
  await program(true);
  const { manager } = await startManager();
  manager.state.requestLogs = [requestLog({})];
  const { total } = getHarLogsOutput({ port: pulumi.output(24000) });
  await expect(settled(total)).resolves.toEqual({ value: 1, secret: true });
});
