import type { RequestLog } from "./requestLog";

/** An entry of an HTTP archive. No time passes on the way of a simulated request. */
export function harEntry(log: RequestLog): object {
  const {
    request_headers: sent = {},
    response_headers: received = {},
    request_body: body = "",
    super_proxy,
    username,
  } = log;
  const type = sent["content-type"] ?? sent["Content-Type"] ?? "";
  return {
    uuid: log.uuid,
    details: {
      context: log.context ?? "RESPONSE",
      out_bw: log.out_bw,
      in_bw: log.in_bw,
      bw: log.out_bw + log.in_bw,
      proxy_peer: log.proxy_peer,
      protocol: log.protocol,
      port: log.port,
      timestamp: log.timestamp,
      content_type: log.content_type,
      success: log.success,
      timeline: (log.sessions ?? []).map((session) => ({ ...NO_TIME, port: log.port, session })),
      super_proxy,
      username,
      password: log.password,
      remote_address: log.remote_address,
      rules: log.rules,
    },
    startedDateTime: new Date(log.timestamp).toISOString(),
    time: 0,
    request: {
      method: log.method,
      url: log.url,
      host: log.hostname,
      ...UNKNOWN,
      headers: named(sent),
      postData: { mimeType: type, text: body },
      bodySize: body.length,
      queryString: [],
    },
    response: {
      status: log.status_code,
      statusText: log.status_message ?? "",
      ...UNKNOWN,
      headers: named(received).sort((a, b) => (a.name < b.name ? -1 : 1)),
      content: {
        size: log.content_size ?? 0,
        mimeType: received["content-type"] ?? "unknown",
        text: log.response_body ?? "",
      },
      bodySize: log.content_size ?? 0,
      redirectURL: "",
    },
    cache: {},
    timings: { blocked: 0, dns: 0, ssl: 0, connect: 0, send: 0, wait: 0, receive: 0 },
    serverIPAddress: super_proxy,
    comment: username,
  };
}

const NO_TIME = { blocked: 0, wait: 0, ttfb: 0, receive: 0, end: 0 };

const UNKNOWN = { httpVersion: "unknown", cookies: [], headersSize: -1 };

const named = (headers: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));
