// Preloaded into every process of the manager: whatever the vendor's program tries, it neither reaches another machine
// nor can be reached from one. What is refused is also written down, one line each, for tests to read.
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const loopback = new net.BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

function isHere(host: unknown): boolean {
  if (host === undefined || host === null || host === "" || host === "localhost") return true;
  if (typeof host !== "string") return false;
  const family = net.isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}

function refusal(action: string, host: unknown): Error {
  const log = process.env.REAL_MANAGER_REFUSED;
  if (log) appendFileSync(log, `${action} ${String(host)}\n`);
  return Object.assign(new Error(`${action} ${String(host)}: refused, the manager runs offline`), {
    code: "ENETUNREACH",
  });
}

/** Replaces a method; `wrap` gets the original and answers the replacement. */
function replace<T extends object>(target: T, name: string, wrap: (original: AnyFunction) => AnyFunction): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original === "function") Reflect.set(target, name, wrap(original as AnyFunction));
}

/** The options object that `connect` and `listen` take; Node's own callers wrap it in an array. */
function optionsOf(first: unknown): { host?: unknown; path?: unknown; port?: unknown } | undefined {
  const options: unknown = Array.isArray(first) ? first[0] : first;
  return typeof options === "object" && options !== null ? options : undefined;
}

const isPort = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));

replace(
  net.Socket.prototype,
  "connect",
  (connect) =>
    function (...args) {
      const options = optionsOf(args[0]);
      const isPipe = options ? Boolean(options.path) : !isPort(args[0]);
      const host = options ? options.host : typeof args[1] === "string" ? args[1] : undefined;
      if (isPipe || isHere(host)) return connect.apply(this, args);
      const socket = this as net.Socket;
      const error = refusal("connect", host);
      process.nextTick(() => socket.destroy(error));
      return socket;
    },
);

const EVERYWHERE = ["0.0.0.0", "::", "", undefined, null] as const;
const isEverywhere = (host: unknown): boolean => EVERYWHERE.some((address) => address === host);

replace(
  net.Server.prototype,
  "listen",
  (listen) =>
    function (first, ...rest) {
      const options = optionsOf(first);
      if (options && options.port !== undefined && isEverywhere(options.host)) {
        return listen.call(this, { ...options, host: "127.0.0.1" }, ...rest);
      }
      if (!options && isPort(first)) {
        if (typeof rest[0] !== "string") return listen.call(this, first, "127.0.0.1", ...rest);
        if (isEverywhere(rest[0])) return listen.call(this, first, "127.0.0.1", ...rest.slice(1));
      }
      return listen.call(this, first, ...rest);
    },
);

for (const action of ["send", "connect"]) {
  replace(
    dgram.Socket.prototype,
    action,
    (original) =>
      function (...args) {
        // The message of `send` may be a string too, and comes first.
        const host = args.slice(1).find((arg) => typeof arg === "string");
        if (isHere(host)) return original.apply(this, args);
        const error = refusal(`udp ${action}`, host);
        const callback = args.at(-1);
        if (typeof callback === "function") process.nextTick(callback as AnyFunction, error);
        return undefined;
      },
  );
}

const isQuery = (name: string): boolean => /^(lookup|resolve|reverse)/.test(name);

function guardQueries(
  target: object,
  names: readonly string[],
  fail: (error: Error, args: unknown[]) => unknown,
): void {
  for (const name of names.filter(isQuery)) {
    replace(
      target,
      name,
      (query) =>
        function (...args) {
          const needsNoServer = name === "lookup" && (isHere(args[0]) || net.isIP(String(args[0])) !== 0);
          return needsNoServer ? query.apply(this, args) : fail(refusal(`dns ${name}`, args[0]), args);
        },
    );
  }
}

const toCallback = (error: Error, args: unknown[]): void => {
  process.nextTick(args.at(-1) as AnyFunction, error);
};
guardQueries(dns, Object.keys(dns), toCallback);
guardQueries(dns.Resolver.prototype, Object.keys(dns), toCallback);
guardQueries(dns.promises, Object.keys(dns), (error) => Promise.reject(error));
guardQueries(dns.promises.Resolver.prototype, Object.keys(dns), (error) => Promise.reject(error));
