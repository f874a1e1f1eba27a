import { SILENT, TUNNEL_REFUSED } from "./cause";
import { printable } from "./printable";

/** The two interfaces this package speaks to. */
export type Service = "remote" | "manager";

/** The base of every error that this package throws on purpose; anything else is a defect of it. */
export class BrightDataError extends Error {
  /** Makes Pulumi print the message alone when a program ends with it, without a stack. */
  get __pulumiRunError(): boolean {
    return true;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** A setting is missing or unusable. Nothing was sent. */
export class ConfigurationError extends BrightDataError {}

/** An argument cannot be used as given. Nothing was sent. */
export class ArgumentError extends BrightDataError {}

/** What an error came of; programs that are compiled for ES2020 have no name for it. */
export interface Caused {
  cause?: unknown;
}

/** What was being done when a request failed. */
export interface RequestContext {
  service: Service;
  /** The operation in words, such as `create zone "web"`. */
  operation: string;
  method: string;
  /** Scheme, host and path; the query string, which may hold credentials, is left out. */
  url: string;
  /** What the setting with the service's address is called; absent where it is the service's own. */
  urlSetting?: string;
}

/** A request that did not succeed. */
export class RequestError extends BrightDataError {
  readonly service: Service;
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /**
   * What is known of the effect. `true`: the service certainly did not carry the request out, because it never left this
   * machine or was refused with 4xx. `false`: it may have. No answer came, or 5xx, or one that cannot be used, or something
   * that is neither success nor refusal, such as a redirect, or an error's header beside a 2xx status.
   */
  readonly settled: boolean;

  constructor(context: RequestContext, problem: string, remedy: string, settled: boolean, options?: Caused) {
    super(printable(`Could not ${context.operation}: ${sentence(problem)} ${remedy}`.trimEnd()), options);
    this.service = context.service;
    this.operation = context.operation;
    this.method = context.method;
    this.url = context.url;
    this.settled = settled;
  }
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends RequestError {
  /** The system's code, such as `ECONNREFUSED`. */
  readonly code: string;
  /** The same text for all errors of one outage: the service, where it is, and the code. */
  readonly outage: string;

  constructor(context: RequestContext, code: string, detail: string, options?: Caused) {
    const settled = NEVER_SENT.has(code);
    const problem = settled
      ? `${context.url} cannot be reached (${detail})`
      : `the connection to ${context.url} broke before an answer came (${detail})`;
    super(context, problem, ofConnection(code, context), settled, options);
    this.code = code;
    this.outage = outageOf(context, code);
  }
}

/** No answer within the time allowed. */
export class TimeoutError extends RequestError {
  /** The time allowed, in seconds. */
  readonly seconds: number;

  constructor(context: RequestContext, seconds: number, waitedFor = "an answer", options?: Caused) {
    super(
      context,
      `gave up waiting for ${waitedFor} from ${context.url} after ${seconds} s`,
      `Try again, or allow more time (the resource's \`timeouts\`, or ${REQUEST_TIMEOUT}, in seconds).`,
      false,
      options,
    );
    this.seconds = seconds;
  }
}

/**
 * The answer cannot be used: an HTML page, JSON cut short, more than is read, or not what a success of the operation looks
 * like.
 */
export class ResponseFormatError extends RequestError {
  constructor(context: RequestContext, problem: string, options?: Caused) {
    super(
      context,
      `${context.method} ${context.url} answered something that cannot be used: ${problem}`,
      `Check that ${context.urlSetting ?? urlSetting(context.service)} names the right service.`,
      false,
      options,
    );
  }
}

/** What a service answered when it refused. */
export interface Refusal {
  status: number;
  /** The service's own words, without secrets. */
  message: string;
  /** A machine-readable code, where the service gives one. */
  code?: string;
  /** What the thing asked for is doing, where the service says it. */
  state?: string;
  /** The single complaints of a list, where the message is made of one. */
  complaints?: string[];
  /** From `Retry-After`, in seconds. */
  retryAfter?: number;
  /** What the person can do, where the caller knows better than the status does. */
  remedy?: string;
}

/** The service answered with an error. */
export class ServiceError extends RequestError {
  /** What the person can do, where the refusal does not say. */
  protected static readonly remedy: string = "";

  readonly status: number;
  /** The service's own words, without secrets. */
  readonly serviceMessage: string;
  readonly code: string | undefined;
  /** Seconds after which the service wants to be asked again, where it says so. */
  readonly retryAfter: number | undefined;

  /** @param options `problem`: what happened, where it is not that this request was answered so */
  constructor(context: RequestContext, refusal: Refusal, options: Caused & { problem?: string } = {}) {
    const { problem, ...cause } = options;
    const words = refusal.message === "" ? "" : `: ${refusal.message}`;
    super(
      context,
      problem ?? `${context.method} ${context.url} answered ${refusal.status}${words}`,
      refusal.remedy ?? new.target.remedy,
      refusal.status >= 400 && refusal.status < 500,
      cause,
    );
    this.status = refusal.status;
    this.serviceMessage = refusal.message;
    this.code = refusal.code;
    this.retryAfter = refusal.retryAfter;
  }
}

/** 401: the token is missing, wrong or expired. */
export class AuthenticationError extends ServiceError {}

/** 403: the token, the account or the caller's address is not allowed to do this. */
export class PermissionError extends ServiceError {}

/** 404, or the service's own way of saying that the thing does not exist. */
export class NotFoundError extends ServiceError {}

/** 409, or the service's own way of saying that the thing exists already. */
export class AlreadyExistsError extends ServiceError {}

/** 400 or 422: the service does not accept what was sent. */
export class InvalidRequestError extends ServiceError {}

/**
 * 429: too many requests. Either the answer to this request, or the reason for which it was not sent: after a 429 the whole
 * service is held back, and nothing is sent to it any more when it asks for a long pause or goes on answering so.
 */
export class RateLimitError extends ServiceError {
  /** The same text for all errors of one outage: the service, where it is, and the status. */
  readonly outage: string;

  constructor(context: RequestContext, refusal: Refusal, options: Caused & { problem?: string } = {}) {
    const wait = refusal.retryAfter ? `${refusal.retryAfter} s` : "a while";
    const remedy = `Wait ${wait} and try again, or send fewer requests (brightdata:requestsPerMinute / BRIGHTDATA_REQUESTS_PER_MINUTE).`;
    super(context, { remedy, ...refusal }, options);
    this.outage = outageOf(context, "429");
  }
}

/** 5xx: the service failed. */
export class ServerError extends ServiceError {}

const NO_TLS = ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"];

const UNTRUSTED = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/** What to do about a connection that has failed with a code. */
function ofConnection(code: string, context: RequestContext): string {
  if (code === TUNNEL_REFUSED) return "Check the proxy that HTTPS_PROXY or HTTP_PROXY names, and its credentials.";
  if (code === SILENT) return `Try again, or allow more time (${REQUEST_TIMEOUT}, in seconds).`;
  const setting = context.urlSetting ?? urlSetting(context.service);
  if (NO_TLS.includes(code))
    return `What answers there does not use TLS: check ${setting}, where its URL may have to begin with http://.`;
  if (UNTRUSTED.includes(code))
    return "If you trust that certificate, set the environment variable NODE_EXTRA_CA_CERTS to the full path of a file with it, or with that of its issuer.";
  const isHungUp = code === CLOSED && context.url.startsWith("http:");
  return isHungUp
    ? `${unreachable(context)} If the service uses TLS, the URL has to begin with https://.`
    : unreachable(context);
}

const REQUEST_TIMEOUT = "brightdata:requestTimeout / BRIGHTDATA_REQUEST_TIMEOUT";

/** The connection was closed before an answer, as what expects TLS does when it reads HTTP. */
const CLOSED = "UND_ERR_SOCKET";

// Errors of connecting, and of the arguments before it: the request cannot have left this machine.
const NEVER_SENT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EADDRNOTAVAIL",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  TUNNEL_REFUSED,
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
  "ERR_INVALID_URL",
  ...NO_TLS,
  ...UNTRUSTED,
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
]);

/** The setting that holds the service's address, named both ways. */
export const urlSetting = (service: Service): string =>
  service === "remote"
    ? "brightdata:baseUrl / BRIGHTDATA_BASE_URL"
    : "brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL";

/** Scheme, host and port of a URL; the text itself where it is none. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

const outageOf = ({ service, url }: RequestContext, code: string): string => `${service} ${originOf(url)} ${code}`;

const unreachable = ({ service, urlSetting: setting = urlSetting(service) }: RequestContext): string =>
  service === "remote"
    ? `Check the network and ${setting}.`
    : `Check that the Proxy Manager is running and that ${setting} names it.`;

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);
