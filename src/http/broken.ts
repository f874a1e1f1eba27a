import { codeOf, isError, SILENT } from "../base/cause";

/** What has broken a connection. */
interface Broken {
  /** What the system says, such as `ECONNRESET`. */
  code: string;
  words: string;
  /** The error, where that tells nothing of what was sent. */
  cause: unknown;
}

/** @param seconds after which nothing more was waited for */
export function brokenBy(error: unknown, seconds: number): Broken {
  const { message, name, cause } = isError(error) ? error : new Error(String(error));
  const code = codeOf(error) ?? codeOf(cause) ?? "UNKNOWN";
  const silence = code === SILENT && `nothing more came for ${seconds} s`;
  const words = silence || message.replace(OF_TLS, "$1") || code;
  // The parser's error holds the bytes that it could not read.
  return { code, words, cause: name === "HTTPParserError" ? undefined : error };
}

/** What TLS says, among where in its library it says so, and the advice of Node.js to whoever starts it. */
const OF_TLS = /^.*:SSL routines:[^:]*:([^:]*):.*|; if the root CA is installed.*$/s;
