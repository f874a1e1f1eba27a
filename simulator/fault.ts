/** Something that goes wrong on purpose, for the requests it matches. */
export interface Fault {
  /** Only requests with this method; any when absent. */
  method?: string;
  /** Only requests whose path is this string (exactly) or matches this expression; any when absent. */
  path?: string | RegExp;
  /** Only requests whose query string (percent-decoded) or body holds this text, a zone's name say. */
  containing?: string;
  /** How many matching requests go through before the fault begins. Default 0. */
  after?: number;
  /** How many requests it strikes. Default 1; `Infinity` for all. */
  times?: number;
  /** Milliseconds to wait before anything else happens. */
  delayMs?: number;
  /**
   * - `respond`: answer with {@link status}, {@link headers} and {@link body}; the service does nothing
   * - `hang`: never answer; the service does nothing
   * - `reset`: cut the connection; the service does nothing
   * - `respond-after`, `hang-after`, `reset-after`: the same, but the service does what was asked first
   * - `truncate`: the service does what was asked, and half of the answer's body is sent
   * - `drip`: the service does what was asked, and the answer's body is sent a byte at a time, one every {@link dripMs}
   * - `shorten`: the service does what was asked, and of the list in its answer only the first {@link items} are sent
   * - absent: only the delay and the headers
   */
  kind?: FaultKind;
  /** Of a canned answer. Default 500. */
  status?: number;
  /** Added to the answer, canned or not; a name in lower case takes the place of the answer's own. */
  headers?: Record<string, string>;
  /** Of a canned answer. Default empty. */
  body?: string;
  /** Milliseconds between two bytes of a dripping answer. Default 100. */
  dripMs?: number;
  /** How many items a shortened list has: the answer's JSON, or the first list in it. Default none. */
  items?: number;
}

export const FAULT_KINDS = [
  "respond",
  "respond-after",
  "hang",
  "hang-after",
  "reset",
  "reset-after",
  "truncate",
  "drip",
  "shorten",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What a fault looks at to tell whether a request is meant. */
export interface FaultTarget {
  method: string;
  path: string;
  query: URLSearchParams;
  text: string;
}

/** The faults that are still to strike, in the order in which they were added. */
export class FaultPlan {
  #faults: (Fault & { after: number; times: number })[] = [];

  add(fault: Fault): void {
    this.#faults.push({ ...fault, after: fault.after ?? 0, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault that strikes this request, if any; uses one of its times up. */
  take(request: FaultTarget): Fault | undefined {
    for (const fault of this.#faults) {
      if (fault.times <= 0 || !matches(fault, request)) continue;
      if (fault.after > 0) {
        fault.after--;
        continue;
      }
      fault.times--;
      return fault;
    }
    return undefined;
  }
}

function matches({ method, path, containing }: Fault, request: FaultTarget): boolean {
  if (method !== undefined && method !== request.method) return false;
  // `search` pays no heed to the `lastIndex` of a global expression, `test` would.
  if (path instanceof RegExp && request.path.search(path) === -1) return false;
  if (typeof path === "string" && path !== request.path) return false;
  return containing === undefined || request.text.includes(containing) || queryText(request.query).includes(containing);
}

const queryText = (query: URLSearchParams): string => [...query].map(([name, value]) => `${name}=${value}`).join("&");
