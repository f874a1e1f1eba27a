import fc from "fast-check";
import { expect, test } from "vitest";
import {
  AlreadyExistsError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type RequestContext,
  ServerError,
  ServiceError,
} from "../../src/base/errors";
import { refusalError, serviceWords } from "../../src/http/refusal";

const context: RequestContext = {
  service: "remote",
  operation: "read the thing",
  method: "GET",
  url: "https://api.example/thing",
};
const asIs = (words: string) => words;

test.each([
  [200, ServiceError],
  [202, ServiceError],
  [302, ServiceError],
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [402, ServiceError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, ServiceError],
  [409, AlreadyExistsError],
  [413, ServiceError],
  [422, InvalidRequestError],
  [429, RateLimitError],
  [500, ServerError],
  [502, ServerError],
  [503, ServerError],
  [599, ServerError],
])("the class of an error of %d is its own", (status, type) => {
  const error = refusalError(context, { status, message: "words" });
  expect(error.constructor).toBe(type);
  expect(error).toMatchObject({ status, serviceMessage: "words", settled: status >= 400 && status < 500 });
});

test.each([
  "",
  "Not Found",
  "404 page not found",
  "Cannot DELETE /zone",
  "Not Found Route DELETE:/zone not found",
  "The requested URL /zone was not found on this server.",
  '{"detail":"Not Found"}',
])("404 with words about the path is not about the thing: %j", (message) => {
  const error = refusalError(context, { status: 404, message });
  expect(error.constructor).toBe(ServiceError);
  expect(error.message).toMatch(/Check that brightdata:baseUrl \/ BRIGHTDATA_BASE_URL names the right service\.$/);
});

test.each(["Snapshot not found", "zone does not exist", "snapshot 404 is not there"])(
  "404 with words about the thing is: %j",
  (message) => {
    expect(refusalError(context, { status: 404, message })).toBeInstanceOf(NotFoundError);
  },
);

test("404 of the manager is about the path, whatever its words", () => {
  const error = refusalError({ ...context, service: "manager" }, { status: 404, message: "zone not found" });
  expect(error.constructor).toBe(ServiceError);
});

test("404 with an HTML page does not say that the thing is gone", () => {
  const { message } = serviceWords("<!DOCTYPE html><html><pre>Cannot GET /thing</pre></html>", asIs);
  const error = refusalError(context, { status: 404, message });
  expect(error).not.toBeInstanceOf(NotFoundError);
  expect(error.message).toBe(
    "Could not read the thing: GET https://api.example/thing answered 404: an HTML page (Cannot GET /thing). Check that brightdata:baseUrl / BRIGHTDATA_BASE_URL names the right service.",
  );
});

test("a redirect says where to look", () => {
  expect(refusalError({ ...context, service: "manager" }, { status: 301, message: "" }).message).toBe(
    "Could not read the thing: GET https://api.example/thing answered 301. Check that brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL names the right service.",
  );
});

test.each<[string, string, { message: string; code?: string; state?: string; complaints?: string[] }]>([
  ["nothing", "", { message: "" }],
  ["white space", " \n", { message: "" }],
  ["text", "Wrong format\n", { message: "Wrong format" }],
  ["a JSON text", '"not found"', { message: "not found" }],
  ["null", "null", { message: "null" }],
  ["a number", "5", { message: "5" }],
  ["an array", '["a"]', { message: '["a"]' }],
  ["JSON cut short", '{"error":"a', { message: '{"error":"a' }],
  ["{}", "{}", { message: "{}" }],
  ["{error}", '{"error":"zone not found"}', { message: "zone not found" }],
  ["an empty {error}", '{"error":"","status":5}', { message: '{"error":"","status":5}' }],
  ["{message}", '{"status":"building","message":"retry in 10s"}', { message: "retry in 10s", state: "building" }],
  [
    "{error_message}",
    '{"status":"failed","error_message":"Snapshot is empty"}',
    { message: "Snapshot is empty", state: "failed" },
  ],
  ["{error, message}", '{"error":"Bad","message":"really"}', { message: "Bad really" }],
  [
    "{error: {code, message, …}}",
    JSON.stringify({
      error: {
        code: "kyc_required",
        message: "Verify first.",
        action: "Open the control panel.",
        alternatives: [{ product: "serp" }, { product: "unblocker" }, {}, 5],
        docs: "https://docs.example/kyc",
      },
    }),
    {
      message: "Verify first. Open the control panel. Alternatives: serp, unblocker. https://docs.example/kyc",
      code: "kyc_required",
    },
  ],
  ["an {error} of another shape", '{"error":{"why":"because"}}', { message: '{"why":"because"}' }],
  ["an {error} with a number for a code", '{"error":{"code":5,"message":"m"}}', { message: "m" }],
  [
    "{validation_errors} of texts",
    '{"validation_errors":["a is required","b is wrong"]}',
    { message: "a is required; b is wrong", complaints: ["a is required", "b is wrong"] },
  ],
  [
    "{validation_errors} of objects",
    '{"validation_errors":[{"field":"url","message":"is required"},{"why":1},null]}',
    {
      message: 'url: is required; {"why":1}; null',
      complaints: ["url: is required", '{"why":1}', "null"],
    },
  ],
  [
    "{errors: [{msg, field}]}",
    '{"errors":[{"msg":"port 24000 in use by another proxy","field":"port"}]}',
    {
      message: "port: port 24000 in use by another proxy",
      complaints: ["port: port 24000 in use by another proxy"],
    },
  ],
  [
    "{errors: [{msg, body}]}",
    `{"errors":[{"msg":"Request body should contain 'proxy' field","body":"{}"}]}`,
    {
      message: "Request body should contain 'proxy' field",
      complaints: ["Request body should contain 'proxy' field"],
    },
  ],
  ["no entries in {errors}", '{"errors":[],"message":"something"}', { message: "something" }],
  ["no entries and no words", '{"errors":[]}', { message: '{"errors":[]}' }],
  [
    "an Express page",
    "<!DOCTYPE html><html><body>\n<pre>Cannot PUT /api/x</pre></body></html>",
    { message: "an HTML page (Cannot PUT /api/x)" },
  ],
  [
    "an Express page of several lines",
    "<html><pre>Error: no<br> &nbsp;at x</pre></html>",
    { message: "an HTML page (Error: no  &nbsp;at x)" },
  ],
  [
    "a page with a title",
    "<html><head><title> 502 Bad Gateway </title></head></html>",
    { message: "an HTML page (502 Bad Gateway)" },
  ],
  ["a page without either", "<html></html>", { message: "an HTML page" }],
])("the service's own words in %s", (_, body, words) => {
  expect(serviceWords(body, asIs)).toEqual(words);
});

test("of many complaints the first hundred are read, each as far as a message goes", () => {
  const errors = [
    { msg: "x".repeat(2 ** 16) },
    ...Array.from({ length: 2 ** 16 }, (_, index) => ({ msg: `no ${index}` })),
  ];
  const { message, complaints = [] } = serviceWords(JSON.stringify({ errors }), asIs);
  expect(message).toHaveLength(501);
  expect(complaints).toHaveLength(100);
  expect(complaints[0]).toHaveLength(501);
  expect(complaints[99]).toBe("no 98");
});

test.each([
  ["beginnings of words", "<pre>"],
  ["beginnings of a title", "<title>"],
  ["beginnings of tags", "<pre>".padEnd(2 ** 16, "<").concat("</pre>")],
])("a page of nothing but %s is read in time that grows with its length alone", (_, piece) => {
  const began = performance.now();
  serviceWords(piece.repeat(2 ** 18 / piece.length), asIs);
  expect(performance.now() - began).toBeLessThan(500);
});

test("the service's own words of any kind are read without failing, and stay short and well-formed", () => {
  const body = fc.oneof(fc.string({ unit: "binary", maxLength: 2000 }), fc.json());
  fc.assert(
    fc.property(body, (text) => {
      const { message } = serviceWords(text, asIs);
      expect(message.length).toBeLessThanOrEqual(501);
    }),
  );
  const { message } = serviceWords(`${"x".repeat(499)}😀 and more`, asIs);
  expect(message).toBe(`${"x".repeat(499)}…`);
});

test("the service's own words are hidden before they are cut, taken out of a page or out of JSON", () => {
  const hide = (text: string) => text.replaceAll("hun<b>ter22", "[secret]");
  const long = `${"x".repeat(495)}hun<b>ter22`;
  expect(serviceWords(long, hide).message).toBe(`${"x".repeat(495)}[secr…`);
  expect(serviceWords("<pre>no hun<b>ter22</pre>", hide).message).toBe("an HTML page (no [secret])");
  expect(serviceWords('{"error":{"code":"hun<b>ter22","message":"h\\u0075n<b>ter22"}}', hide)).toEqual({
    message: "[secret]",
    code: "[secret]",
  });
});
