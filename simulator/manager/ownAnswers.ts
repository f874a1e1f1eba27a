import type { Page } from "./upstream";

/** Of a request that the manager never answers. */
export const UNANSWERED: Page = { status: 0, reason: "", headers: {}, body: "" };

/** Of a request over which the manager's process ends. */
export const CUT: Page = { status: 0, reason: "", headers: {}, body: "" };

export const isNone = (answer: Page): boolean => answer === UNANSWERED || answer === CUT;

const TIMEOUT = "Timeout rule triggered";

export const TIMED_OUT: Page = {
  status: 504,
  reason: "Proxy manager tunnel timeout",
  headers: { "content-type": "text/html", "content-length": String(TIMEOUT.length) },
  body: TIMEOUT,
};

export const NULL: Page = { status: 200, reason: "NULL", headers: {}, body: "" };

export const UNAUTHORISED: Page = {
  status: 407,
  reason: "Proxy Authentication Required",
  headers: { Connection: "keep-alive", "Proxy-Authenticate": 'Basic realm="Proxy Manager"' },
  body: "",
};

export const badGateway = (why: string): Page => ({
  status: 502,
  reason: "Proxy Manager - Bad Gateway",
  headers: { Connection: "close", "x-lpm-error": why },
  body: "",
});
