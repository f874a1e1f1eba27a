import { FAULT_KINDS, type Fault } from "./fault";
import type { SimulatedManager } from "./manager";
import { checkManagerState, putManagerState, stateOfManager } from "./managerState";
import { type Fields, requireOnly } from "./merge";
import type { SimulatedRemote } from "./remote";
import { mergeBehaviour } from "./remote/behaviourRules";
import { isObject, jsonBody } from "./remote/call";
import { Refused, refuse } from "./remote/refusal";
import { json, type SimulatedRequest, type SimulatedResponse, type SimulatedService } from "./service";
import { addZone, checkState, mergeZone, putDataset, putSnapshot, putState, stateOf } from "./state";

/** What answers a method and a path under the prefix. It may throw a `Refused`. */
type Controls = Readonly<Record<string, (request: SimulatedRequest) => SimulatedResponse | Promise<SimulatedResponse>>>;

/** What there is in all of the simulator, which the first account's service tells. */
export interface Whole {
  /** Whether everything listens, and is as it is to be at the start. */
  readonly isUp: boolean;
  state(): object;
  put(state: Fields): Promise<void>;
  /** Back to what there was at the start. */
  reset(): Promise<void>;
}

/** Lets other processes read a service's log and put faults in its way, over HTTP. */
const serviceControls = (service: SimulatedService, whole: Whole): Controls => ({
  "GET /health": () => (whole.isUp ? json({ status: "ok" }) : json({ status: "starting" }, 503)),
  "POST /reset": async () => {
    await whole.reset();
    return DONE;
  },
  "GET /requests": () => json(service.requests),
  "DELETE /requests": () => {
    service.requests.length = 0;
    return DONE;
  },
  "POST /faults": (request) => {
    service.faults.add(readFault(objectOf(request)));
    return DONE;
  },
  "DELETE /faults": () => {
    service.faults.clear();
    return DONE;
  },
});

/**
 * Lets other processes read and edit what the remote service answers from, as a person with a dashboard would. The first
 * account's service tells of the whole simulator.
 */
export function addRemoteControl(remote: SimulatedRemote, whole: Whole, isFirst: boolean): void {
  const { account, behaviour, service } = remote;
  addControls(service, {
    ...serviceControls(service, whole),
    "GET /state": () => json(isFirst ? whole.state() : stateOf(remote)),
    "PATCH /state": async (request) => {
      const state = objectOf(request);
      if (isFirst) {
        await whole.put(state);
        return DONE;
      }
      checkState(remote, state);
      putState(remote, state);
      return DONE;
    },
    "GET /behaviour": () => json(behaviour),
    "PATCH /behaviour": (request) => json(mergeBehaviour(behaviour, objectOf(request))),
    "POST /zones": (request) => {
      const zone = objectOf(request);
      requireOnly(zone, ["name", "plan"]);
      return json(addZone(account, zone), 201);
    },
    "PATCH /zones/:name": ({ params, ...request }) => {
      const zone = account.zones.get(params.name ?? "");
      if (zone === undefined) throw refuse(404, "no such zone");
      const { name, ...changes } = objectOf(request);
      if (name !== undefined) throw refuse(400, "a zone cannot be renamed");
      return json(mergeZone(zone, changes));
    },
    "DELETE /zones/:name": ({ params }) => {
      if (!account.removeZone(params.name ?? "")) throw refuse(404, "no such zone");
      return DONE;
    },
    "POST /datasets": (request) => json(putDataset(account, objectOf(request)), 201),
    "POST /snapshots": (request) => json(putSnapshot(account, objectOf(request)), 201),
  });
}

/** The same for a manager, as a person at its machine would. */
export function addManagerControl(manager: SimulatedManager, whole: Whole): void {
  addControls(manager.service, {
    ...serviceControls(manager.service, whole),
    "GET /state": () => json(stateOfManager(manager)),
    "PATCH /state": async (request) => {
      const state = objectOf(request);
      checkManagerState(manager, state);
      await putManagerState(manager, state);
      return DONE;
    },
  });
}

function addControls(service: SimulatedService, controls: Controls): void {
  for (const [line, control] of Object.entries(controls)) {
    const [method = "", path = ""] = line.split(" ");
    service.control(method, path, async (request) => {
      try {
        return await control(request);
      } catch (error) {
        if (error instanceof Refused) return error.response;
        throw error;
      }
    });
  }
}

const DONE: SimulatedResponse = { status: 204 };

function objectOf({ text }: Pick<SimulatedRequest, "text">): Record<string, unknown> {
  const body = jsonBody({ text, headers: { "content-type": "application/json" } });
  if (!isObject(body)) throw refuse(400, "the body should be a JSON object");
  return body;
}

const FAULT_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  method: isText,
  path: isText,
  pathPattern: isText,
  containing: isText,
  after: isCount,
  times: (value) => value === "always" || isCount(value),
  delayMs: isCount,
  kind: (value) => FAULT_KINDS.some((kind) => kind === value),
  status: isFinalStatus,
  headers: (value) => isObject(value) && Object.values(value).every(isText),
  body: isText,
  dripMs: isCount,
  items: isCount,
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isFinalStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600;
}

/** JSON has neither expressions nor infinity: `pathPattern` is the first, `"times": "always"` the second. */
function readFault(body: Record<string, unknown>): Fault {
  for (const [field, value] of Object.entries(body)) {
    if (FAULT_FIELDS[field]?.(value) !== true) throw refuse(400, `a fault has no such ${field}`);
  }
  const { pathPattern, times, ...rest } = body;
  return {
    ...(rest as Fault),
    ...(typeof pathPattern === "string" ? { path: expressionOf(pathPattern) } : {}),
    ...(times === undefined ? {} : { times: times === "always" ? Number.POSITIVE_INFINITY : Number(times) }),
  };
}

function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw refuse(400, "pathPattern is not a regular expression");
  }
}
