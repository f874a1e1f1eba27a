import { isObject, type JsonObject, objectOf } from "../../base/json";
import { canonicalJson } from "../../declaration/values";
import { placeAt } from "../../pulumi/place";
import { placeOf } from "../../pulumi/properties";
import { kindIn, nameIn } from "../../pulumi/types";
import { isSecret } from "../../pulumi/values";

/** A resource of which nobody knows whether it is there: the engine was killed while it was created. */
export interface PendingCreation {
  readonly urn: string;
  readonly kind: string;
  /** In words, with what it is called at the service where the program says so. */
  readonly title: string;
  /** Where it may stand in the program; none for a resource of another package. */
  readonly places: readonly string[];
}

/** What Pulumi calls the organization where a backend has none. */
export const OF_NOBODY = "organization";

/**
 * What a state, as `pulumi stack export` writes it, has begun to create and does not have.
 *
 * @param organization of the stack
 */
export function pendingCreations(state: unknown, organization = OF_NOBODY): PendingCreation[] {
  const deployment = objectOf(objectOf(state).deployment);
  const there = objectsIn(deployment.resources);
  // The engine keeps what was pending also where a later update has created it, with the same inputs.
  const isThere = ({ urn, inputs }: JsonObject) =>
    there.some((other) => other.urn === urn && legible(other.inputs) === legible(inputs));
  return objectsIn(deployment.pending_operations).flatMap(({ type, resource }) =>
    type === "creating" && isObject(resource) && !isThere(resource) ? [creationOf(resource, organization)] : [],
  );
}

/** A secret is encrypted anew each time. */
function legible(inputs: unknown): string {
  const shown = (_: string, value: unknown) => (isSecret(value) ? "secret" : value);
  return canonicalJson(JSON.parse(JSON.stringify(inputs ?? null, shown)));
}

const objectsIn = (values: unknown): JsonObject[] => (Array.isArray(values) ? values.filter(isObject) : []);

function creationOf(pending: JsonObject, organization: string): PendingCreation {
  const { urn, type, inputs } = pending;
  const declared = objectOf(inputs);
  const kind = kindIn(type) ?? String(type).split(":").at(-1) ?? "";
  const [called] = [declared.name, declared.port, declared.zone].filter((text) =>
    /^(string|number)$/.test(typeof text),
  );
  const title = `${kind} ${nameIn(urn)}${called === undefined ? "" : ` (${called})`}`;
  const place = placeOf(declared);
  return { urn: String(urn), kind, title, places: place === undefined ? placesOf(pending, organization) : [place] };
}

/** Of a native resource, whose state does not say it: beside the stack, which is its parent, or below a resource that it names. */
function placesOf({ urn, type, parent }: JsonObject, organization: string): string[] {
  const kind = kindIn(type);
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(String(urn)) ?? [];
  if (kind === undefined || stack === undefined || project === undefined) return [];
  const site = { organization, project, stack, kind, name: nameIn(urn) };
  return [placeAt(site), ...(typeof parent === "string" ? [placeAt({ ...site, parent })] : [])];
}
