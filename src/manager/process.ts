import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  ConnectionError,
  PermissionError,
  type Refusal,
  type RequestContext,
  ServerError,
  TimeoutError,
} from "../base/errors";
import { pause } from "../http/pause";
import { ANYTHING } from "../http/success";
import type { Call, CallOptions, Reply, Transport } from "../http/transport";
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

const doneShape = z.object({ result: z.literal("ok") });

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
export async function upgrade(transport: Transport, options: CallOptions = {}): Promise<Upgrade> {
  const { version, newer } = await latest(transport, options);
  if (newer) await upgradeUnasked(transport, options);
  return { upgraded: newer, version };
}

/**
 * Installs the newest version without asking first whether there is one: for a manager that reaches the package registry but
 * not its vendor. With nothing to do it is never answered. May take minutes. `POST /api/upgrade`.
 *
 * @throws {ServerError} when the manager could not install the version
 * @throws {TimeoutError} when there is nothing to do, after ten minutes
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 */
export async function upgradeUnasked(transport: Transport, options: CallOptions = {}): Promise<void> {
  await transport.json(
    {
      operation: "upgrade the Proxy Manager",
      method: "POST",
      path: "/api/upgrade",
      timeout: UPGRADE_SECONDS,
      onRefusal: notUpgraded,
      ...options,
    },
    doneShape,
  );
}

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
export async function restart(transport: Transport, options: RestartOptions = {}): Promise<void> {
  const { wait = DEFAULT_WAIT_SECONDS, ...rest } = options;
  const call: Call = {
    operation: "restart the Proxy Manager",
    method: "POST",
    path: "/api/restart",
    onRefusal: notInCloud,
    ...rest,
  };
  if (wait === 0) {
    await transport.json(call, doneShape);
    return;
  }
  const probe: Call = {
    operation: "see whether the Proxy Manager is back from its restart",
    method: "GET",
    path: "/api/version",
    query: { probe: randomUUID() },
    timeout: PROBE_SECONDS,
    ...rest,
  };
  const before = requestsLeft(await answer(transport, probe));
  await transport.json(call, doneShape).catch((error: unknown) => {
    // When the answer was lost, what comes next tells whether it was done.
    const isLost = error instanceof ConnectionError || error instanceof TimeoutError;
    if (!isLost || error.settled || call.signal?.aborted) throw error;
  });
  await untilBack(transport, probe, before, wait);
}

/**
 * Ends the manager, and with it every port. Nothing can be asked of it until somebody starts it again on its machine.
 * `POST /api/shutdown`.
 *
 * @throws {PermissionError} when the manager is one in the vendor's cloud
 */
export async function shutdown(transport: Transport, options: CallOptions = {}): Promise<void> {
  await transport.json(
    {
      operation: "shut the Proxy Manager down",
      method: "POST",
      path: "/api/shutdown",
      onRefusal: notInCloud,
      ...options,
    },
    doneShape,
  );
}

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
      const reply = await answerOf(transport, { ...probe, signal });
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

/** `undefined` while the manager is down, or not quite up. */
async function answerOf(transport: Transport, probe: Call): Promise<Reply | undefined> {
  try {
    return await answer(transport, probe);
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError)
      return undefined;
    throw error;
  }
}

// `limit=2000, remaining=1999, reset=60`, and since version 1.597 `"2000-in-1min"; r=1999; t=60`.
function requestsLeft({ headers }: Reply): number | undefined {
  const left = /\b(?:remaining|r)=(\d+)/.exec(String(headers.ratelimit ?? ""))?.[1];
  return left === undefined ? undefined : Number(left);
}

const notInCloud = (refusal: Refusal, context: RequestContext) =>
  /not allowed in cloud/i.test(refusal.message)
    ? new PermissionError(context, {
        ...refusal,
        remedy: "A manager in the vendor's cloud is started, stopped and upgraded by the vendor.",
      })
    : undefined;

// The manager says with the same status that the caller may not call it.
const ACCESS = /connection from your ip|sign in|auth failed/i;

const notUpgraded = (refusal: Refusal, context: RequestContext) =>
  notInCloud(refusal, context) ??
  (refusal.status === 403 && !ACCESS.test(refusal.message)
    ? new ServerError(context, {
        ...refusal,
        remedy: "The manager could not install the version: see its log (`logs.tail`), or install it by hand with npm.",
      })
    : undefined);
