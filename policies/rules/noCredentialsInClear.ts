import { isObject, type Properties } from "../declared";
import { option, PATTERN, policy } from "../policy";

/** Properties that the package itself makes secret, of a resource or of a port in a set. */
export const SECRETS: readonly string[] = [
  "apiKey",
  "authHeader",
  "bwLimitWebhookUrl",
  "bwThWebhookUrl",
  "extProxies",
  "extProxyPassword",
  "logsSettings",
  "password",
  "passwords",
  "target",
  "userPassword",
];

/** What looks like a credential whatever it is called: a password in a URL, and what an Authorization header holds. */
const CREDENTIAL = /\b[a-z][\w+.-]*:\/\/[^\s/:@]*:[^\s/@]+@|\bBearer\s+[\w+/=.~-]{8,}/i;
const BASIC = /\bBasic\s+([\w+/-]+)/gi;

/** A word behind `basic` is a credential where it stands for a user and a password, and no name such as `basic scraping`. */
const isCredential = (text: string): boolean =>
  CREDENTIAL.test(text) || [...text.matchAll(BASIC)].some(([, word = ""]) => isUserInfo(Buffer.from(word, "base64")));

const isUserInfo = (bytes: Buffer): boolean => /^[^\p{Cc}\ufffd]*:[^\p{Cc}\ufffd]*$/u.test(bytes.toString());

/** Where something stands: the keys that lead to it. */
type Path = readonly (string | number)[];

/** Whether the keys there are the package's own, of a resource or of a port in a set, and nobody else's. */
const isDeclared = (kind: string, [first, ...others]: Path): boolean =>
  first === undefined || (kind === "ProxyPorts" && others.length === (first === "ports" ? 1 : 0));

/** Where credentials stand in a value, without what they are. */
function pathsIn(value: unknown, path: Path, search: { kind: string; named: RegExp }): readonly Path[] {
  if (typeof value === "string") return isCredential(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsIn(item, [...path, index], search));
  if (!isObject(value)) return [];
  const { kind, named } = search;
  if (isHeader(value, named)) return [[...path, "value"]];
  return Object.entries(value).flatMap(([key, item]) => {
    if (isDeclared(kind, path) && SECRETS.includes(key)) return [];
    const inner = [...path, key];
    return named.test(key) && isText(item) ? [inner] : pathsIn(item, inner, search);
  });
}

const isHeader = ({ name, value }: Properties, named: RegExp): boolean =>
  typeof name === "string" && named.test(name) && isText(value);

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const written = (path: Path): string =>
  path
    .map((key) => (/^[a-z_]\w*$/i.test(String(key)) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join("")
    .replace(/^\./, "");

export const noCredentialsInClear = policy({
  name: "no-credentials-in-clear",
  title: "No credential stands in clear",
  says: "No credential stands in clear: a header or key whose name says so, a password in a URL, what an `Authorization` header holds.",
  level: "advisory",
  severity: "critical",
  remedy: "Wrap the value in `pulumi.secret`, and name the property in the resource option `additionalSecretOutputs`.",
  options: {
    names: option(
      "Names of headers and keys that hold credentials, in any case.",
      PATTERN,
      "authorization|cookie|token|secret|passw|api[-_]?key",
    ),
  },
  ofResource({ kind, props, secrets }, { names }) {
    const search = { kind, named: new RegExp(names, "i") };
    return pathsIn(props, [], search).flatMap((path) => {
      const [property] = path.map(String);
      if (property === undefined || secrets.includes(property)) return [];
      return `\`${written(path)}\` holds a credential: wrap it in \`pulumi.secret\`, and add "${property}" to the resource option \`additionalSecretOutputs\`.`;
    });
  },
});
