import { AlreadyExistsError, ArgumentError } from "../../base/errors";
import type { Step } from "../../lifecycle/lifecycle";
import type { PortFields } from "../../manager/portFields";
import { HIGHEST_PORT, lastPort } from "../../model/portRange";

/** From which on the manager gives numbers to ports that have none. */
const FIRST_AUTOMATIC_PORT = 24_000;

const CLOSE_TRIES = 20;

/** A number beyond those that the program declares and the manager would give away; `undefined` where there are none. */
export async function afterExpected({ context, deadline }: Step): Promise<number | undefined> {
  const { claims, manager } = context;
  const expected = claims.highest("port", "expected");
  // Beyond what the manager has given away in this run it goes on by itself.
  if (expected === undefined || expected <= (claims.highest("port", "made") ?? 0)) return undefined;
  const listed = (await manager.ports.list(deadline)).map(({ port }) => port);
  const offered = 1 + Math.max(FIRST_AUTOMATIC_PORT - 1, ...listed);
  return expected >= offered && expected < HIGHEST_PORT ? expected + 1 : undefined;
}

/** The manager offers the number after its highest port, though others may have it, or be about to get it: go on from there. */
export async function createAnywhere(
  wanted: PortFields,
  first: number | undefined,
  signal: AbortSignal,
  step: Step,
): Promise<number> {
  const { ports } = step.context.manager;
  const createAt = (port: number | undefined): Promise<number | AlreadyExistsError> =>
    ports.create(port === undefined ? wanted : { ...wanted, port }, { signal }).catch((error: unknown) => {
      if (!(error instanceof AlreadyExistsError)) throw error;
      return error;
    });
  const taken = await createAt(first);
  if (!(taken instanceof AlreadyExistsError)) return taken;
  const refused = first ?? Number(/(?:\bport |:)(\d+)\b/i.exec(taken.serviceMessage)?.[1]);
  const tried: number[] = [];
  for (const number of numbersAfter(refused, wanted)) {
    const created = await createAt(number);
    if (!(created instanceof AlreadyExistsError)) return created;
    tried.push(number);
    if (!/another proxy|already exists/i.test(created.serviceMessage)) continue;
    // What the manager offers is beyond that one now. Others may be at the same numbers, and leave none of them.
    const offered = await createAt(undefined);
    if (!(offered instanceof AlreadyExistsError)) return offered;
  }
  const others =
    tried.length === 0
      ? "there is none after it"
      : `neither is any of the ${tried.length} after it that were tried, up to ${tried.at(-1)}`;
  throw new ArgumentError(
    `No free port was found: ${taken.serviceMessage}, and ${others}. Choose one that is free with \`port\`.`,
    { cause: taken },
  );
}

/** The manager's own ports are all before the taken one. What other programs hold is often a range: the steps grow. */
function* numbersAfter(taken: number, wanted: PortFields): Generator<number> {
  let step = 1;
  for (let port = taken + 1, tries = 1; lastPort({ ...wanted, port }) <= HIGHEST_PORT; port += step, tries++) {
    yield port;
    if (tries >= CLOSE_TRIES) step *= 2;
  }
}
