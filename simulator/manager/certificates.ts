import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { createSecureContext, type SecureContext } from "node:tls";

const DAY_MS = 86_400_000;

/** An authority of the manager's own, made when it is first needed, and what it signs: Node has no certificates to make. */
export class Certificates {
  readonly #signed = new Map<string, SecureContext>();
  #authority: Authority | undefined;

  /** The authority's certificate, which clients have to trust. */
  get pem(): string {
    return pem(this.#made.certificate);
  }

  /** What the manager presents to who names no host: it is for the addresses of its machine. */
  get own(): SecureContext {
    return this.context("localhost", addressesOfMachine());
  }

  /** What a server presents as the host of that name, and of those below it. */
  context(host: string, names = namesOf(host)): SecureContext {
    const { certificate, keys } = this.#made;
    const key = names.join();
    const context =
      this.#signed.get(key) ??
      createSecureContext({
        key: keys.privateKey.export({ type: "pkcs8", format: "pem" }),
        cert: [certificateOf({ host, names, keys, issuer: this.#made }), certificate].map(pem).join(""),
      });
    this.#signed.set(key, context);
    return context;
  }

  get #made(): Authority {
    if (this.#authority === undefined) {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const self = { name: "Simulated Proxy Manager", keys };
      this.#authority = { ...self, certificate: certificateOf({ keys, issuer: self }) };
    }
    return this.#authority;
  }
}

interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface Issuer {
  name: string;
  keys: Keys;
}

interface Subject {
  host?: string;
  /** Of the host: the names and addresses that it has besides. */
  names?: readonly string[];
  keys: Keys;
  issuer: Issuer;
}

interface Authority extends Issuer {
  certificate: Buffer;
}

const pem = (certificate: Buffer): string =>
  ["-----BEGIN CERTIFICATE-----", ...lines(certificate.toString("base64")), "-----END CERTIFICATE-----", ""].join("\n");

const lines = (base64: string): string[] => base64.match(/.{1,64}/g) ?? [];

/** In DER: the certificate of a host or, without one, of the authority that issues it. */
function certificateOf({ host, names = [], keys, issuer }: Subject): Buffer {
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(2, Buffer.of(2))),
    der(2, Buffer.of(1), randomBytes(15)),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(time(now - DAY_MS), time(now + 365 * DAY_MS)),
    nameOf(host ?? issuer.name),
    keys.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...(host === undefined ? AUTHORITY : [alternativeNames(names)]), ...keyIds(keys, issuer))),
  );
  const signature = sign("sha256", body, issuer.keys.privateKey);
  return sequence(body, ECDSA_WITH_SHA256, der(3, Buffer.of(0), signature));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = [length >> 16, length >> 8, length].slice(length < 0x100 ? 2 : length < 0x10000 ? 1 : 0);
  const size = length < 0x80 ? bytes : [0x80 + bytes.length, ...bytes];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const id = (hex: string): Buffer => der(6, Buffer.from(hex, "hex"));
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value));
const time = (ms: number): Buffer => text(0x17, `${new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`);
const nameOf = (value: string): Buffer => sequence(der(0x31, sequence(id("550403"), text(0x0c, value))));

/** Of the group 2.5.29. */
const extension = (number: number, ...value: Buffer[]): Buffer =>
  sequence(der(6, Buffer.of(0x55, 0x1d, number)), der(4, ...value));

const ECDSA_WITH_SHA256 = sequence(id("2a8648ce3d040302"));

/** That it may sign certificates. */
const AUTHORITY = [extension(19, sequence(der(1, Buffer.of(0xff)))), extension(15, der(3, Buffer.of(1, 0x06)))];

function alternativeNames(names: readonly string[]): Buffer {
  const written = names.map((name) =>
    isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : text(0x82, name),
  );
  return extension(17, sequence(...written));
}

const namesOf = (host: string): string[] => (isIP(host) === 4 ? [host] : [host, `*.${host}`]);

const addressesOfMachine = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ family, address }) => (family === "IPv4" ? [address] : []));

/** Strict clients, such as Python's, want to know by which key a certificate is signed. */
function keyIds({ publicKey }: Keys, issuer: Issuer): Buffer[] {
  const idOf = (key: KeyObject): Buffer =>
    createHash("sha1")
      .update(key.export({ type: "spki", format: "der" }))
      .digest();
  return [extension(14, der(4, idOf(publicKey))), extension(35, sequence(der(0x80, idOf(issuer.keys.publicKey))))];
}
