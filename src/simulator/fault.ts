/** Something that goes wrong on purpose, for the requests it matches. */
export interface Fault {
  /** Only requests with this method; any when absent. */
  method?: string;
  /** Only requests whose path is this string (exactly) or matches this expression; any when absent. */
  path?: string | RegExp;
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
   * - `reset-after`: the service does what was asked, then the connection is cut before the answer
   * - `truncate`: the service does what was asked, and half of the answer's body is sent
   * - absent: only the delay
   */
  kind?: "respond" | "hang" | "reset" | "reset-after" | "truncate";
  status?: number;
  headers?: Record<string, string>;
  body?: string;
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
  take(request: { method: string; path: string }): Fault | undefined {
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

function matches(fault: Fault, request: { method: string; path: string }): boolean {
  if (fault.method !== undefined && fault.method !== request.method) return false;
  if (fault.path === undefined) return true;
  return typeof fault.path === "string" ? fault.path === request.path : fault.path.test(request.path);
}
