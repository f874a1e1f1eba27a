import { expect, test } from "vitest";
import { z } from "zod";
import { json } from "../../simulator/service";
import { ResponseFormatError, ServiceError, TimeoutError } from "../../src/base/errors";
import { ANYTHING } from "../../src/http/success";
import { failure, GET, POST, serve, timeLimit, transportTo } from "./loopback";

const MIB = 1024 * 1024;

/** A service whose answer has no end; `closed` resolves when the client has had enough of it. */
async function serveEndlessly(status = 200) {
  let sent = 0;
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const service = await serve(() => ({
    status,
    body: (async function* () {
      try {
        for (;;) {
          sent += MIB;
          yield "x".repeat(MIB);
        }
      } finally {
        close();
      }
    })(),
  }));
  return { service, closed, sent: () => sent };
}

test("an answer without an end is read up to 16 MiB, and the connection ended", async () => {
  const { service, closed, sent } = await serveEndlessly();
  const error = await failure(transportTo(service.url).json(GET, z.object({})));
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error).toMatchObject({ settled: false });
  expect(error.message).toContain("more than 16 MiB, the most that is read of it");
  await closed;
  // What is under way counts as sent.
  expect(sent()).toBeLessThan(64 * MIB);
});

test("an operation may read more, or less", async () => {
  const service = await serve(() => json({ text: "x".repeat(2 * MIB) }));
  const transport = transportTo(service.url);
  const shape = z.object({ text: z.string() });
  await expect(transport.json({ ...GET, mostBytes: 3 * MIB }, shape)).resolves.toBeDefined();
  const error = await failure(transport.json({ ...GET, mostBytes: MIB }, shape));
  expect(error.message).toContain("more than 1 MiB, the most that is read of it");
});

test.each(["send", "stream"] as const)("a refusal without an end is one by its status (%s)", async (how) => {
  const { service, closed } = await serveEndlessly(400);
  const transport = transportTo(service.url);
  const error = await failure(how === "send" ? transport.send(POST, ANYTHING) : transport.stream(POST));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 400, serviceMessage: "", settled: true });
  await closed;
});

test("JSON nested without a bound is refused in words, in an answer and in a refusal", async () => {
  const deep = "[".repeat(5000) + "]".repeat(5000);
  let status = 200;
  const service = await serve(() => ({ status, body: deep }));
  const transport = transportTo(service.url);
  const error = await failure(transport.json(GET, z.unknown()));
  expect(error.message).toContain("cannot be used: JSON nested more than 100 levels deep.");
  status = 400;
  await expect(failure(transport.json(GET, z.unknown()))).resolves.toMatchObject({ name: "InvalidRequestError" });
});

test("what claims to be compressed is not unpacked", async () => {
  const service = await serve(() => ({ status: 200, headers: { "content-encoding": "gzip" }, body: '{"ok":true}' }));
  await expect(transportTo(service.url).json(GET, z.object({ ok: z.boolean() }))).resolves.toEqual({ ok: true });
});

test("an answer that drips is ended by the request's own time limit", async () => {
  const limit = timeLimit();
  const service = await serve(() => ({
    status: 200,
    body: (async function* () {
      for (let drops = 0; ; drops++) {
        yield " ";
        if (drops === 5) limit.expire();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  }));
  const error = await failure(transportTo(service.url, { requestTimeout: limit.seconds }).send(POST, ANYTHING));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ settled: false });
});

test("fewer bytes than announced are a broken connection", async () => {
  const service = await serve();
  service.faults.add({ kind: "truncate" });
  const error = await failure(transportTo(service.url).send(POST, ANYTHING));
  expect(error).toMatchObject({ name: "ConnectionError", settled: false });
});
