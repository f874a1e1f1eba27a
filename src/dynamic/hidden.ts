import { NAME_KEY, PLACE_KEY, PREVIEW_KEY, PROVIDER_KEY, REPLACE_KEY, RUN_KEY } from "../pulumi/keys";
import { providerText } from "./type";

/** What a class tells of a resource besides its inputs; what is not known yet may be a promise. */
export interface Besides {
  place?: unknown;
  name?: string;
  run?: unknown;
  preview?: unknown;
  replaceOnChanges?: readonly string[] | undefined;
}

/** The inputs that stand for that: the engine hands nothing else to a provider. */
export function toldInputs({ place, name, run, preview, replaceOnChanges = [] }: Besides): Record<string, unknown> {
  const told = {
    [PLACE_KEY]: place,
    [NAME_KEY]: name,
    [RUN_KEY]: run,
    [REPLACE_KEY]: replaceOnChanges.length === 0 ? undefined : replaceOnChanges,
    [PREVIEW_KEY]: preview,
  };
  // For each that there is, the SDK makes an output.
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** The same with the text that a dynamic resource's provider consists of. */
export const hiddenInputs = (kind: string, besides: Besides): Record<string, unknown> => ({
  ...toldInputs(besides),
  [PROVIDER_KEY]: providerText(kind),
});
