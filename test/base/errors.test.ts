import { expect, test } from "vitest";
import * as errors from "../../src/base/errors";

const context: errors.RequestContext = {
  service: "manager",
  operation: 'create proxy port "24000"',
  method: "POST",
  url: "http://127.0.0.1:22999/api/proxies",
};
const refusal: errors.Refusal = { status: 400, message: "Wrong format" };

const made: Record<string, Error> = {
  BrightDataError: new errors.BrightDataError("words"),
  ConfigurationError: new errors.ConfigurationError("words"),
  ArgumentError: new errors.ArgumentError("words"),
  RequestError: new errors.RequestError(context, "it failed", "Do this.", true),
  ConnectionError: new errors.ConnectionError(context, "ECONNRESET", "read ECONNRESET"),
  TimeoutError: new errors.TimeoutError(context, 30),
  ResponseFormatError: new errors.ResponseFormatError(context, "text that is not JSON"),
  ServiceError: new errors.ServiceError(context, refusal),
  AuthenticationError: new errors.AuthenticationError(context, refusal),
  PermissionError: new errors.PermissionError(context, refusal),
  NotFoundError: new errors.NotFoundError(context, refusal),
  AlreadyExistsError: new errors.AlreadyExistsError(context, refusal),
  InvalidRequestError: new errors.InvalidRequestError(context, refusal),
  RateLimitError: new errors.RateLimitError(context, refusal),
  ServerError: new errors.ServerError(context, { status: 500, message: "" }),
};

test("every class is tried here", () => {
  const classes = Object.entries(errors).filter(([, value]) => value.prototype instanceof Error);
  expect(Object.keys(made).sort()).toEqual(classes.map(([name]) => name).sort());
});

test.each(Object.entries(made))("%s has its name, and is one of ours", (name, error) => {
  expect(error.name).toBe(name);
  expect(error).toBeInstanceOf(errors.BrightDataError);
  expect(String(error)).toBe(`${name}: ${error.message}`);
});

test.each([
  ["it failed", "Do this.", 'Could not create proxy port "24000": it failed. Do this.'],
  ["it failed!", "", 'Could not create proxy port "24000": it failed!'],
  ["did it fail?", "Yes.", 'Could not create proxy port "24000": did it fail? Yes.'],
])("a message is made of sentences (%s)", (problem, remedy, message) => {
  expect(new errors.RequestError(context, problem, remedy, true).message).toBe(message);
});

test("a message is one line, and has nothing that a terminal or a pipeline would obey", () => {
  const { message } = new errors.ServiceError(context, { status: 400, message: "no\u001b[2J\r\n::add-mask::a\u202eb" });
  expect(message).toBe(
    'Could not create proxy port "24000": POST http://127.0.0.1:22999/api/proxies answered 400: no\ufffd[2J ::add-mask::a\ufffdb.',
  );
});

test("a message of a refusal holds status, words and remedy", () => {
  const error = new errors.ServiceError(context, { ...refusal, code: "c", remedy: "Do this.", retryAfter: 5 });
  expect(error.message).toBe(
    'Could not create proxy port "24000": POST http://127.0.0.1:22999/api/proxies answered 400: Wrong format. Do this.',
  );
  expect(error).toMatchObject({ status: 400, serviceMessage: "Wrong format", code: "c", retryAfter: 5 });
});

test("a message of a refusal without words holds the status alone", () => {
  expect(made.ServerError?.message).toBe(
    'Could not create proxy port "24000": POST http://127.0.0.1:22999/api/proxies answered 500.',
  );
});

test.each([
  [undefined, "Wait a while and try again"],
  [7, "Wait 7 s and try again"],
  [0, "Wait a while and try again"],
])("about the rate says how long to wait (%j)", (retryAfter, words) => {
  const error = new errors.RateLimitError(context, {
    ...refusal,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  expect(error.message).toContain(words);
  expect(error.retryAfter).toBe(retryAfter);
});

test("about the rate leaves a better remedy", () => {
  const error = new errors.RateLimitError(context, { ...refusal, remedy: "Combine the inputs." });
  expect(error.message).toMatch(/Wrong format\. Combine the inputs\.$/);
});

test("about a wait says what was waited for", () => {
  expect(new errors.TimeoutError(context, 5, "the zone").message).toContain("gave up waiting for the zone from");
});

test.each([
  "ECONNREFUSED",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("%s: nothing was sent", (code) => {
  const error = new errors.ConnectionError(context, code, "details");
  expect(error).toMatchObject({ settled: true, code });
  expect(error.message).toContain("/api/proxies cannot be reached (details).");
});

test.each([
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    /If you trust that certificate, set the environment variable NODE_EXTRA_CA_CERTS to /,
  ],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /If you trust that certificate/],
  ["ERR_SSL_WRONG_VERSION_NUMBER", /What answers there does not use TLS: .* http:\/\//],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /names it\.$/],
  ["ECONNREFUSED", /Check that the Proxy Manager is running .* names it\.$/],
  ["UND_ERR_SOCKET", /names it\. If the service uses TLS, the URL has to begin with https:\/\/\.$/],
])("%s: the message says what helps", (code, remedy) => {
  expect(new errors.ConnectionError(context, code, "details").message).toMatch(remedy);
});

test("a connection over TLS that is closed says nothing of TLS", () => {
  const overTls = { ...context, url: context.url.replace("http:", "https:") };
  expect(new errors.ConnectionError(overTls, "UND_ERR_SOCKET", "details").message).toMatch(/names it\.$/);
});

test.each(["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_BODY_TIMEOUT", "UNKNOWN"])(
  "%s: it may have arrived",
  (code) => {
    const error = new errors.ConnectionError(context, code, "details");
    expect(error).toMatchObject({ settled: false, code });
    expect(error.message).toContain("broke before an answer came (details).");
  },
);

test.each([
  [
    new errors.ConnectionError(
      { ...context, operation: "list", url: "http://127.0.0.1:22999/api/x" },
      "ECONNREFUSED",
      "a",
    ),
    true,
  ],
  [new errors.ConnectionError(context, "ECONNRESET", "a"), false],
  [new errors.ConnectionError({ ...context, url: "http://127.0.0.1:23000/api" }, "ECONNREFUSED", "a"), false],
  [new errors.ConnectionError({ ...context, service: "remote" }, "ECONNREFUSED", "a"), false],
])("an outage has one name, whatever was attempted (%#)", (error, same) => {
  const { outage } = new errors.ConnectionError(context, "ECONNREFUSED", "details");
  expect(error.outage === outage).toBe(same);
});

test.each([
  ["TimeoutError", false],
  ["ResponseFormatError", false],
  ["InvalidRequestError", true],
  ["RateLimitError", true],
  ["ServerError", false],
])("%s: settled is %s", (name, settled) => {
  expect(made[name]).toMatchObject({ settled });
});

test("a cause is kept", () => {
  const cause = new Error("below");
  expect(new errors.ConnectionError(context, "X", "d", { cause }).cause).toBe(cause);
  expect(new errors.ResponseFormatError(context, "d", { cause }).cause).toBe(cause);
  expect(new errors.TimeoutError(context, 5, "an answer", { cause }).cause).toBe(cause);
});
