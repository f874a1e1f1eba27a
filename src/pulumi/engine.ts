import { connect } from "node:net";
import { addressIn } from "../run/runFiles";

/** How long what is under way may still take when the engine is gone. */
export const LAST_SECONDS = 2;

/** The event of a plugin's process that its engine is about to kill. */
export const BEFORE_KILL = "brightdata:before-kill";

/** The engine's address, which it gives to the processes that it starts. */
export const engineAddress = (): string | undefined =>
  process.argv.map(addressIn).find((address) => address !== undefined);

/** How a connection fails to a process that is not there, or is just going. */
const NOBODY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET"]);

/** A connection that is closed while nothing is under way may only have been idle for long: an engine that lives listens. */
export function endWithoutEngine(): void {
  const address = engineAddress();
  if (address === undefined) return;
  const question = connect(Number(address.split(":")[1]), "127.0.0.1");
  question.once("data", () => question.destroy());
  question.once("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (NOBODY.has(code)) process.exit(1);
  });
}
