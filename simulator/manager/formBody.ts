import { isDecodable } from "../service";

interface FormObject {
  [name: string]: FormValue;
}
type FormValue = string | true | FormValue[] | FormObject;

/** A form as Express reads it: `a[b]=1` is an object, `a[]=1`, `a[0]=1` and a name that comes twice are lists. */
export function parseForm(form: string): FormObject {
  const result: FormObject = {};
  for (const pair of form.split("&")) {
    const [name = "", ...value] = pair.split("=");
    if (name !== "") put(result, pathOf(decoded(name)), decoded(value.join("=")));
  }
  return withLists(result);
}

/** With a broken escape anywhere in it, none of the others is decoded either. */
function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  return isDecodable(spaced) ? decodeURIComponent(spaced) : spaced;
}

/** `a[b][]` is `a`, `b` and the empty name, which stands for the next place of a list. */
function pathOf(name: string): string[] {
  const [, first = name, brackets = ""] = /^([^[]+)((?:\[[^[\]]*\])+)/.exec(name) ?? [];
  return [first, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = ""]) => inner)];
}

function put(into: FormObject, [name = "", ...rest]: string[], value: string): void {
  const key = name === "" ? String(Object.keys(into).length) : name;
  const present = Object.hasOwn(into, key) ? into[key] : undefined;
  if (rest.length > 0) {
    const inner = isObject(present) ? present : {};
    into[key] = inner;
    put(inner, rest, value);
  } else if (isObject(present)) present[value] = true;
  else into[key] = present === undefined ? value : [present, value].flat();
}

const isObject = (value: FormValue | undefined): value is FormObject =>
  typeof value === "object" && !Array.isArray(value);

function withLists(object: FormObject): FormObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, isObject(value) ? listOr(value) : value]),
  );
}

/** Objects of which every key is a number are lists; places that were left out are not kept. */
function listOr(object: FormObject): FormValue {
  const inner = withLists(object);
  return Object.keys(inner).every((key) => /^\d+$/.test(key)) ? Object.values(inner) : inner;
}
