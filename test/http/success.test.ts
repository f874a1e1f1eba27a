import { expect, test } from "vitest";
import { type SimulatedResponse, text } from "../../simulator/service";
import { ResponseFormatError, ServiceError } from "../../src/base/errors";
import { ANYTHING, CREATED, EMPTY, isPage, NO_CONTENT, OK, type Success } from "../../src/http/success";
import { failure, POST, serve, transportTo } from "./loopback";

const PAGE = "<!DOCTYPE html><html><title>Sign in</title></html>";

test.each<[string, Success, SimulatedResponse]>([
  ["nothing", EMPTY, { status: 204 }],
  ["no content", NO_CONTENT, { status: 204 }],
  ["added", CREATED, { status: 201 }],
  ["nothing but blanks", EMPTY, text(" \n")],
  ["OK", OK, text("OK")],
  ["ok on a line", OK, text("ok\n")],
  ["OK in JSON", OK, text('"OK"')],
  ["anything", ANYTHING, text("Zone added", 201)],
  ["anything, JSON too", ANYTHING, text("{}")],
  ["anything, and nothing too", ANYTHING, { status: 200 }],
])("a success looks like what was expected: %s", async (_, success, answer) => {
  const service = await serve(() => answer);
  await expect(transportTo(service.url).send(POST, success)).resolves.toMatchObject({ status: answer.status });
});

test.each<[string, Success, SimulatedResponse, string]>([
  ["a page for nothing", EMPTY, text(PAGE), "an HTML page where an empty answer was expected"],
  ["a page for OK", OK, text(PAGE), "an HTML page where the text OK was expected"],
  ["a page for anything", ANYTHING, text(`\n ${PAGE}`), "an HTML page where an answer was expected"],
  ["text for nothing", EMPTY, text("queued"), "6 characters of text where an empty answer was expected"],
  ["nothing for OK", OK, { status: 200 }, "an empty answer with status 200 where the text OK was expected"],
  ["text for added", CREATED, text("queued"), "6 characters of text where one with status 201 was expected"],
  ["another nothing", NO_CONTENT, { status: 200 }, "an empty answer with status 200 where one with status 204 was"],
  ["other text for OK", OK, text("OK, later"), "9 characters of text where the text OK was expected"],
])("a success does not look like one: %s", async (_, success, answer, problem) => {
  const service = await serve(() => answer);
  const error = await failure(transportTo(service.url).send(POST, success));
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error).toMatchObject({ settled: false });
  expect(error.message).toContain(`answered something that cannot be used: ${problem}`);
  expect(service.requests).toHaveLength(1);
});

test("a success is not what 202 is, unless the operation says so", async () => {
  const service = await serve(() => text("OK", 202));
  const transport = transportTo(service.url);
  const error = await failure(transport.send(POST, OK));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 202, settled: false });
  await expect(transport.send({ ...POST, mayBePending: true }, OK)).resolves.toMatchObject({ status: 202 });
});

test.each([
  ["<html>", true],
  ["\n <!DOCTYPE html>", true],
  ["<?xml version='1.0'?>", true],
  ["OK", false],
  ["< 5 requests", false],
  ["", false],
])("%j is a page: %s", (body, is) => {
  expect(isPage(body)).toBe(is);
});
