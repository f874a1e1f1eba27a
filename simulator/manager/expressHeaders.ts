import { createHash } from "node:crypto";
import type { Answer } from "../service";

/** The headers by which the manager protects its API: those of the module helmet. */
export const HELMET = {
  "content-security-policy":
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** Those of the page of an address that does not exist. */
export const NOT_FOUND = { "content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff" };

/** Adds what Express says of each body. */
export function expressed(answer: Answer): Answer {
  if (typeof answer === "symbol" || typeof answer.body !== "string") return answer;
  const { headers = {}, body } = answer;
  const isText = /text|json/.test(headers["content-type"] ?? "");
  const vary = isText ? { vary: "Accept-Encoding" } : {};
  const isPage = headers["content-security-policy"] === NOT_FOUND["content-security-policy"];
  return { ...answer, headers: { ...vary, ...(isPage ? {} : { etag: etagOf(body) }), ...headers } };
}

const etagOf = (body: string): string => {
  const hash = createHash("sha1").update(body).digest("base64").slice(0, 27);
  return `W/"${Buffer.byteLength(body).toString(16)}-${hash}"`;
};
