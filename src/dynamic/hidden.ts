import { joinedPaths, PLACE_KEY, PROGRAM_KEY, PROVIDER_KEY, REPLACE_KEY } from "../pulumi/keys";
import { providerText } from "./type";

/** What a class tells of a resource besides its inputs; what is not known yet may be a promise. */
export interface Besides {
  place?: unknown;
  name?: string;
  run?: unknown;
  preview?: unknown;
  replaceOnChanges?: readonly string[] | undefined;
  /** Paths of what is a secret, where anything may be. */
  secrets?: Promise<readonly string[]> | undefined;
}

/** The inputs that stand for that, and for the text that a dynamic resource's provider consists of: it is handed nothing else. */
export function hiddenInputs(
  kind: string,
  { place, replaceOnChanges = [], secrets, ...told }: Besides,
): Record<string, unknown> {
  const paths = secrets?.then((given) => (given.length === 0 ? undefined : joinedPaths(given)));
  const hidden = {
    [PLACE_KEY]: place,
    [PROGRAM_KEY]: toldToProvider({ ...told, secrets: paths }),
    [REPLACE_KEY]: replaceOnChanges.length === 0 ? undefined : replaceOnChanges,
    [PROVIDER_KEY]: providerText(kind),
  };
  // For each that there is, the SDK makes an output.
  return Object.fromEntries(Object.entries(hidden).filter(([, value]) => value !== undefined));
}

/** What a class tells in one input, where it tells anything. */
export const toldToProvider = (told: object): object | undefined =>
  Object.values(told).every((value) => value === undefined) ? undefined : told;
