import { randomUUID } from "node:crypto";
import { z } from "zod";
import { unless } from "../base/cause";
import { ConnectionError, PermissionError, ServerError, TimeoutError } from "../base/errors";
import type { Call, CallOptions } from "../http/call";
import { type Meaning, meaning } from "../http/meaning";
import { json, type Operation } from "../http/operation";
import { pause } from "../http/pause";
import type { Reply } from "../http/reply";
import { ANYTHING } from "../http/success";
import type { Transport } from "../http/transport";
import { leftIn } from "../http/windows";
import { latest, runningShape } from "./versions";

/** What became of an upgrade. */
export interface Upgrade {
  /** `false` when the newest version ran already. */
  upgraded: boolean;
  /** The newest version; it runs from the next start of the manager on. */
  version: string;
}

export interface RestartOptions extends CallOptions {
  /** Seconds to wait until the manager answers again; 0 for not at all. Default 120. */
  wait?: number;
}

// It installs an npm package.
const UPGRADE_SECONDS = 600;
const DEFAULT_WAIT_SECONDS = 120;
const PROBE_SECONDS = 5;
const PROBE_PAUSE_MS = 250;
// Below the minute after which the manager counts from the beginning.
const LONGEST_STOP_SECONDS = 50;

const doneShape = z.object({ result: z.literal("ok") }).transform(() => {});

/**
 * Installs the newest version, where there is one; {@link restart} makes it run. Asks for the newest version first: with
 * nothing to do, the manager would never answer. Nor does it while another upgrade is under way. May take minutes.
 * `GET /api/last_version`, `POST /api/upgrade`.
 *
 * @throws {ServerError} when the manager cannot reach its vendor, or could not install the version
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 *
 * @example
 * const { upgraded } = await client.process.upgrade();
 * if (upgraded) await client.process.restart();
 */
export const upgrade =
  (options?: CallOptions): Operation<Upgrade> =>
  async (transport) => {
    const { version, newer } = await latest(options)(transport);
    if (newer) await upgradeUnasked(options)(transport);
    return { upgraded: newer, version };
  };

/**
 * Installs the newest version without asking first whether there is one: for a manager that reaches the package registry but
 * not its vendor. With nothing to do it is never answered. May take minutes. `POST /api/upgrade`.
 *
 * @throws {ServerError} when the manager could not install the version
 * @throws {TimeoutError} when there is nothing to do, after ten minutes or more
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 */
export const upgradeUnasked = (options?: CallOptions): Operation<void> =>
  json(doneShape, {
    operation: "upgrade the Proxy Manager",
    request: "POST /api/upgrade",
    leastTimeout: UPGRADE_SECONDS,
    onRefusal: meaning(NOT_IN_CLOUD, NOT_INSTALLED),
    ...options,
  });

/**
 * Restarts the manager, and waits until it answers again: about seven seconds. Sessions, banned IPs and ports that are not
 * of the type `persist` are lost, and connections through the ports are cut. `POST /api/restart`, then `GET /api/version`.
 *
 * @throws {TimeoutError} when the manager has not stopped, or has not come back in time
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 *
 * @example
 * await client.process.restart({ wait: 60 });
 */
export const restart =
  (options: RestartOptions = {}): Operation<void> =>
  async (transport) => {
    const { wait = DEFAULT_WAIT_SECONDS, ...rest } = options;
    const call: Call = {
      operation: "restart the Proxy Manager",
      request: "POST /api/restart",
      onRefusal: meaning(NOT_IN_CLOUD),
      ...rest,
    };
    if (wait === 0) return transport.json(call, doneShape);
    const probe: Call = {
      operation: "see whether the Proxy Manager is back from its restart",
      request: "GET /api/version",
      query: { probe: randomUUID() },
      timeout: PROBE_SECONDS,
      ...rest,
    };
    const before = requestsLeft(await answer(transport, { ...probe, operation: call.operation }));
    await transport.json(call, doneShape).catch((error: unknown) => {
      // When the answer was lost, what comes next tells whether it was done.
      const isOfProxy = error instanceof ServerError && error.status > 500;
      const isLost = error instanceof ConnectionError || error instanceof TimeoutError || isOfProxy;
      if (!isLost || error.settled || call.signal?.aborted) throw error;
    });
    await untilBack(transport, probe, before, wait);
  };

/**
 * Ends the manager, and with it every port. Nothing can be asked of it until somebody starts it again on its machine.
 * `POST /api/shutdown`.
 *
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 */
export const shutdown = (options?: CallOptions): Operation<void> =>
  json(doneShape, {
    operation: "shut the Proxy Manager down",
    request: "POST /api/shutdown",
    onRefusal: meaning(NOT_IN_CLOUD),
    ...options,
  });

/**
 * Asks until another process answers than before. No answer names the process, and the transport bridges short outages; but
 * the manager counts, in memory, the requests to each URL with its query, and tells how many are left: fewer each time,
 * until a new process begins to count. A manager that does not count is taken to be back when it answers.
 */
async function untilBack(
  transport: Transport,
  probe: Call,
  before: number | undefined,
  seconds: number,
): Promise<void> {
  const started = performance.now();
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = probe.signal === undefined ? limit : AbortSignal.any([probe.signal, limit]);
  const gaveUp = (what: string, after: number) => new TimeoutError(transport.context(probe), after, what);
  let least = before;
  try {
    for (;;) {
      const reply = await answer(transport, { ...probe, signal }).catch(whileDown);
      if (reply !== undefined) {
        const left = requestsLeft(reply);
        if (left === undefined || least === undefined || left >= least) return;
        if (performance.now() - started > LONGEST_STOP_SECONDS * 1000) {
          throw gaveUp("the manager's process to end", LONGEST_STOP_SECONDS);
        }
        least = left;
      }
      await pause(PROBE_PAUSE_MS, signal);
    }
  } catch (error) {
    if (limit.aborted && !probe.signal?.aborted) throw gaveUp("the restarted manager's first answer", seconds);
    throw error;
  }
}

/** The answer to a probe, which is the manager's and no other program's. */
async function answer(transport: Transport, probe: Call): Promise<Reply> {
  const reply = await transport.send(probe, ANYTHING);
  transport.read(probe, reply, runningShape);
  return reply;
}

/** While the manager is down, or not quite up, there is no answer. */
const whileDown = unless(ConnectionError, TimeoutError, ServerError);

const requestsLeft = ({ headers }: Reply): number | undefined => leftIn(String(headers.ratelimit ?? ""));

const NOT_IN_CLOUD: Meaning = {
  says: /not allowed in cloud/i,
  error: PermissionError,
  remedy: "A manager in the vendor's cloud is started, stopped and upgraded by the vendor.",
};

const NOT_INSTALLED: Meaning = {
  statuses: [403],
  // The manager says with the same status that the caller may not call it.
  says: /^(?!.*(connection from your ip|sign in|auth failed))/is,
  error: ServerError,
  remedy: "The manager could not install the version: see its log (`logs.tail`), or install it by hand with npm.",
};
