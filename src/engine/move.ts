import { ArgumentError } from "../errors";
import type { JsonObject } from "../json";
import { HOME_KEY } from "./values";

/** The name of the explicit provider that a state is with; `undefined` for the default one. */
export function homeOf(props: JsonObject): string | undefined {
  const home = props[HOME_KEY];
  return typeof home === "string" ? home : undefined;
}

/**
 * A resource that has another provider now, which leads to another service. The engine asks nobody whether a resource can go
 * from one provider to another: it takes the state over as it is.
 */
export class MoveError extends ArgumentError {
  /**
   * @param thing kind and id
   * @param isThere whether the new provider finds something in its place
   */
  constructor(thing: string, from: string | undefined, to: string | undefined, isThere: boolean) {
    const [former, current] = [inWords(from), inWords(to)];
    const found = isThere ? "another one, or it has changed" : "no such thing";
    super(
      `${thing} has moved from ${former} to ${current}, where there is ${found}. Nothing was done. If both are the same service, run \`pulumi refresh\` before the move. To delete it with ${former} and make it with ${current}, run \`pulumi up --replace <its URN>\`.`,
    );
  }
}

const inWords = (home: string | undefined): string =>
  home === undefined ? "the default provider" : `the provider ${JSON.stringify(home)}`;
