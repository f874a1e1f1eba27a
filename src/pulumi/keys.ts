/** The constant text that a resource's provider consists of; the engine's side of the protocol owns the key. */
export const PROVIDER_KEY = "__provider";

/**
 * Paths of the declared inputs, kept with the outputs: `diff`, `read` and `delete` get to see outputs alone. One text, for it is
 * in the state of every resource; until version 0.1.0 it was a list.
 */
export const DECLARED_KEY = "__declared";

/** Paths as one text: a comma in a path is written `\,`. */
export const joinedPaths = (paths: readonly string[]): string =>
  paths.map((path) => path.replaceAll(",", "\\,")).join(",");

/** The paths that {@link joinedPaths} has joined. */
export const splitPaths = (text: string): string[] =>
  [...text.matchAll(/(?:\\.|[^\\,])+/gs)].map(([path]) => path.replaceAll("\\,", ","));

/** Marks, under {@link DECLARED_KEY}, what was looked up by its id and is not managed. */
export const LOOKED_UP = "looked up";

/** Stands for a resource's place in its program, the same in every run: its class puts it among the inputs. */
export const PLACE_KEY = "__key";

/** The resource option `replaceOnChanges`, which the engine cannot apply to a dynamic resource: its class puts it there. */
export const REPLACE_KEY = "__replaceOnChanges";

/** In the outputs: the name of the explicit provider that the resource is with; of the default one, nothing. */
export const HOME_KEY = "__with";

/**
 * In the outputs: a hash of the account, or of where the Proxy Manager is, unless what that has bears a mark. By it, a move to
 * another provider, or another account's token, is known to lead elsewhere.
 */
export const AT_KEY = "__at";

/** In the outputs: the resource's mark, which says who it is wherever it stands in its program. */
export const MARK_KEY = "__mark";

/** In the outputs, `true` where the operation that has written them was not finished. */
export const UNFINISHED_KEY = "__unfinished";

/**
 * In the inputs and outputs of a dynamic resource: the paths of what its program gave as a secret, of which the engine does not tell its
 * process. By them, a copy of a secret, or a former one, is kept as one.
 */
export const SECRETS_KEY = "__secrets";

/**
 * Among the inputs that a class registers, in one, for the SDK makes an output of each: the file in which the program announces what it
 * takes over, how many take-overs there are, and why some could not be written (`run`); that a preview is to read (`preview`); of a
 * dynamic resource, its logical name and the paths of the secrets among its arguments; of a native one, its place and
 * `replaceOnChanges`. It does not get into the state.
 */
export const PROGRAM_KEY = "__program";

/** All that stands among properties and is the protocol's own. */
export const PROTOCOL_KEYS = [
  PROVIDER_KEY,
  DECLARED_KEY,
  PLACE_KEY,
  REPLACE_KEY,
  HOME_KEY,
  AT_KEY,
  MARK_KEY,
  UNFINISHED_KEY,
  SECRETS_KEY,
  PROGRAM_KEY,
];
