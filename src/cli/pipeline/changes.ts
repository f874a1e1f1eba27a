import { isObject, type JsonObject, ownIn } from "../../base/json";
import { isSecret } from "../../pulumi/values";

/** A property that differs, with its values as texts; `undefined` where there is none. */
export interface PropertyChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const SECRET = "[secret]";
const UNKNOWN = "known after the update";
const LONGEST = 200;

/** Keys of the protocol: nobody has declared them. */
const isOwn = (key: string): boolean => key.startsWith("__");

/**
 * What differs between the inputs of a resource, property by property. Whether a secret differs cannot be seen: the engine may say so, and
 * where nothing else differs, it must be one of them.
 *
 * @param said the paths that differ by what the engine says
 */
export function changesBetween(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  hide: (text: string) => string,
  said: readonly string[] = [],
): PropertyChange[] {
  const all = pairs(before, after, "").map(({ path, left, right }) => ({
    path,
    before: shown(left, hide),
    after: shown(right, hide),
    isSame: JSON.stringify(comparable(left)) === JSON.stringify(comparable(right)),
    isSecret: isSecret(left) && isSecret(right),
    isSaid: said.some((each) => each === path || /^[.[]/.test(each.startsWith(path) ? each.slice(path.length) : "")),
  }));
  const different = all.filter(({ isSame, isSecret, isSaid }) => !isSame || (isSecret && isSaid));
  const meant = different.length > 0 ? different : all.filter(({ isSecret }) => isSecret);
  return meant.map(({ path, before, after }) => ({ path, before, after }));
}

interface Pair {
  path: string;
  left: unknown;
  right: unknown;
}

function pairs(left: unknown, right: unknown, path: string): Pair[] {
  const isLeaf = (value: unknown) => !isObject(value) || isSecret(value) || Object.keys(value).length === 0;
  const isValue = [left, right].some((value) => value !== undefined && !isObject(value));
  if (path !== "" && (isValue || (isLeaf(left) && isLeaf(right)))) {
    return left === undefined && right === undefined ? [] : [{ path, left, right }];
  }
  const within = (value: unknown) => (isObject(value) && !isSecret(value) ? value : {});
  const [from, to] = [within(left), within(right)];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((key) => !isOwn(key));
  return keys.flatMap((key) => pairs(ownIn(from, key), ownIn(to, key), path === "" ? key : `${path}.${key}`));
}

/** Symbols stand for what is not known yet, which is always a change. */
const comparable = (value: unknown): unknown => (typeof value === "symbol" ? UNKNOWN : (value ?? null));

function shown(value: unknown, hide: (text: string) => string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "symbol") return UNKNOWN;
  if (isSecret(value)) return SECRET;
  const plain = (_: string, item: unknown) => {
    if (typeof item === "symbol") return UNKNOWN;
    return isSecret(item) ? SECRET : item;
  };
  // Before it is cut: half a secret is not recognised any more.
  const text = hide(JSON.stringify(value, plain));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
