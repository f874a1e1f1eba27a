// Node.js 22.0 to 22.16 tell nobody of the requests that reach their HTTP/2 servers: a provider hears nothing of its engine's end.
const channels = require("node:diagnostics_channel");

const { subscribe } = channels;
channels.subscribe = (name, listener) => {
  if (name !== "http2.server.stream.start") subscribe(name, listener);
};
