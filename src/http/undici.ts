import type * as undici from "undici";
import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";

// Of undici, what sends a request. All of it has `fetch`, WebSockets and mocks, too, for which Node.js loads its own copy: that takes a
// process three times as long. Minor versions of undici may move these files, so package.json allows none.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent };

/** Sends a request over connections of a dispatcher. */
export const request = (
  { origin, pathname, search }: URL,
  { dispatcher, ...options }: Omit<undici.Dispatcher.RequestOptions, "path"> & { dispatcher: undici.Dispatcher },
): Promise<undici.Dispatcher.ResponseData> => dispatcher.request({ ...options, origin, path: `${pathname}${search}` });
