import { gunzipSync, inflateSync } from "node:zlib";
import type { SimulatedRequest } from "../service";
import { isFields } from "./fields";
import { parseForm } from "./formBody";

const BODY_LIMIT = 2 * 1024 * 1024;

const FORM = "application/x-www-form-urlencoded";

/**
 * The body as Express parses it: `{}` when there is none or when its content type is not known.
 *
 * @returns `undefined` for a body that Express cannot parse
 */
export function parseBody({ headers, bytes }: SimulatedRequest): Record<string, unknown> | undefined {
  const hasBody = headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined;
  const { type, charset = "utf-8" } = contentType(headers["content-type"] ?? "");
  if (!hasBody || (type !== FORM && type !== "application/json")) return {};
  if (type === FORM ? charset !== "utf-8" : !charset.startsWith("utf-")) return undefined;
  try {
    const content = new TextDecoder(charset).decode(decompressed(bytes, headers["content-encoding"]));
    return type === FORM ? parseForm(content) : parseJson(content);
  } catch {
    return undefined;
  }
}

/** Both in lower case; nothing of a header that is not well-formed, as with a `;` that nothing follows. */
function contentType(header: string): { type?: string; charset?: string } {
  const [, type, parameters = ""] =
    /^\s*([^\s;,/]+\/[^\s;,/]+)\s*((?:;\s*[^\s;=]+=(?:"[^"]*"|[^\s;"]+)\s*)*)$/.exec(header.toLowerCase()) ?? [];
  const charset = /;\s*charset="?([^\s;"]+)/.exec(parameters)?.[1];
  return { ...(type === undefined ? {} : { type }), ...(charset === undefined ? {} : { charset }) };
}

function decompressed(bytes: Buffer, encoding = "identity"): Buffer {
  const limit = { maxOutputLength: BODY_LIMIT };
  switch (encoding.toLowerCase()) {
    case "gzip":
      return gunzipSync(bytes, limit);
    case "deflate":
      return inflateSync(bytes, limit);
    case "identity":
      if (bytes.length <= BODY_LIMIT) return bytes;
      throw new RangeError("request entity too large");
    default:
      throw new TypeError(`unsupported content encoding "${encoding}"`);
  }
}

function parseJson(content: string): Record<string, unknown> | undefined {
  if (content === "") return {};
  // What the manager copies of it becomes the prototype of the copy.
  const value: unknown = JSON.parse(content, (name, member) => (name === "__proto__" ? undefined : member));
  return isFields(value) ? value : undefined;
}
