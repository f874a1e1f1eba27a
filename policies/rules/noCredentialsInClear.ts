import { isObject, type Properties } from "../declared";
import { option, PATTERN, policy } from "../policy";

/** Properties that the package itself makes secret, wherever they stand. */
export const SECRETS: readonly string[] = [
  "apiKey",
  "authHeader",
  "extProxies",
  "extProxyPassword",
  "logsSettings",
  "password",
  "passwords",
  "target",
  "userPassword",
];

/** What looks like a credential whatever it is called: a password in a URL, and what an Authorization header holds. */
const CREDENTIAL = /\b[a-z][\w+.-]*:\/\/[^\s/:@]*:[^\s/@]+@|\b(Bearer|Basic)\s+[\w+/=.~-]{8,}/i;

interface Place {
  readonly path: string;
  /** The property that has to be a secret. */
  readonly property: string;
}

interface Search {
  readonly named: RegExp;
  readonly secrets: readonly string[];
}

/** Where credentials stand in a value, without what they are. */
function placesIn(value: unknown, place: Place, search: Search): readonly Place[] {
  if (typeof value === "string") return CREDENTIAL.test(value) ? [place] : [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => placesIn(item, { ...place, path: `${place.path}[${index}]` }, search));
  }
  if (!isObject(value)) return [];
  if (isHeader(value, search.named)) return [{ ...place, path: `${place.path}.value` }];
  return Object.entries(value).flatMap(([key, item]) => {
    if (search.secrets.includes(key)) return [];
    const inner = { path: pathTo(key, place.path), property: key };
    return search.named.test(key) && isText(item) ? [inner] : placesIn(item, inner, search);
  });
}

const isHeader = ({ name, value }: Properties, named: RegExp): boolean =>
  typeof name === "string" && named.test(name) && isText(value);

function pathTo(key: string, path: string): string {
  if (!/^\w+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

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
  ofResource({ props, secrets }, { names }) {
    const search = { named: new RegExp(names, "i"), secrets: [...SECRETS, ...secrets] };
    return placesIn(props, { path: "", property: "" }, search).map(
      ({ path, property }) =>
        `\`${path}\` holds a credential: wrap it in \`pulumi.secret\`, and add "${property}" to the resource option \`additionalSecretOutputs\`.`,
    );
  },
});
