import { ArgumentError } from "../../base/errors";
import { instantOf } from "../../lifecycle/verdict";

interface Dated {
  created?: string | undefined;
}

/** Finer than that, one moment may be written in more ways than one. */
const SECOND_MS = 1000;

/**
 * Whether a zone is another than the one that a state tells of: somebody has deleted that, and made one under its name later.
 * Nothing but the time of its creation tells; where either does not say it, they are one.
 */
export function isAnother({ created }: Dated, state: Dated): boolean {
  const [live, known] = [instantOf(created), instantOf(state.created)];
  return live !== undefined && known !== undefined && live - known >= SECOND_MS;
}

export const refusal = (name: string, { created }: Dated): ArgumentError =>
  new ArgumentError(
    `Zone ${JSON.stringify(name)} is not the one that this resource has made: it was created at ${created}, so somebody has deleted the former one, and made another. Nothing was changed. Set \`adopt: true\` to take it over, or choose another name.`,
  );

export const keptAsAnothers = (name: string, { created }: Dated): string =>
  `Zone ${name} is not the one that this resource had: it was created at ${created}, by somebody else. It is kept; if it is not needed, delete it in the control panel.`;
