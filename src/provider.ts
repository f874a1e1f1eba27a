import { Adapter } from "./dynamic/adapter";
import { Cancellation } from "./dynamic/cancellation";
import { LIFECYCLES } from "./generated/lifecycles";
import type { Lifecycle } from "./lifecycle/lifecycle";
import { engineAddress } from "./pulumi/engine";
import { Session } from "./run/session";

/** Names of all kinds of resources. */
export const KINDS: readonly string[] = Object.keys(LIFECYCLES);

const lifecycleOf = (kind: string): Lifecycle | undefined =>
  Object.hasOwn(LIFECYCLES, kind) ? LIFECYCLES[kind] : undefined;

/** Those of the process: the engine starts one for each run. */
const cancellation = new Cancellation();
const session = new Session({
  lifecycleOf,
  engine: engineAddress(),
  cancelled: cancellation.signal,
  folder: process.cwd(),
  say: (words) => console.log(`brightdata: ${words}`),
});

/**
 * What the provider text of a resource calls. The text lives in people's state files: kinds and protocol numbers that were
 * once given out are answered for ever.
 *
 * @internal for programs, which have no use for it
 *
 * @param kind name of the resource's class
 * @param protocol number of the agreement between that text and this function, which version 0.1.0 has written out
 */
export function resource(kind: string, protocol = 1): Adapter {
  const lifecycle = lifecycleOf(kind);
  if (lifecycle === undefined || protocol !== 1) {
    throw new Error(
      `This version of pulumi-brightdata does not know ${kind} (protocol ${protocol}). The stack was made with a newer one: install that, or a later one, in the project.`,
    );
  }
  return new Adapter(kind, lifecycle, session, cancellation);
}
