import { joinedPaths, NAME_KEY, PLACE_KEY, PREVIEW_KEY, PROVIDER_KEY, REPLACE_KEY, RUN_KEY } from "../pulumi/keys";
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
  { place, name, run, preview, replaceOnChanges = [], secrets }: Besides,
): Record<string, unknown> {
  const hidden = {
    [PLACE_KEY]: place,
    [NAME_KEY]: secrets?.then((told) => (told.length === 0 ? name : { name, secrets: joinedPaths(told) })) ?? name,
    [RUN_KEY]: run,
    [REPLACE_KEY]: replaceOnChanges.length === 0 ? undefined : replaceOnChanges,
    [PREVIEW_KEY]: preview,
    [PROVIDER_KEY]: providerText(kind),
  };
  // For each that there is, the SDK makes an output.
  return Object.fromEntries(Object.entries(hidden).filter(([, value]) => value !== undefined));
}
