import { type SimulatedResponse, text } from "../service";

interface Window {
  used: number;
  endsAt: number;
}

/** How often one kind of request may be made; the kind is who asks for what. */
export class RateLimiter {
  readonly #limit: number;
  readonly #seconds: number;
  readonly #span: string;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  /** @param span the length of a window in the words of the refusal */
  constructor(limit: number, seconds: number, span: string, now: () => number) {
    this.#limit = limit;
    this.#seconds = seconds;
    this.#span = span;
    this.#now = now;
  }

  take(kind: string): { headers: Record<string, string>; refusal: SimulatedResponse | undefined } {
    const window = this.#window(kind);
    window.used++;
    const reset = Math.max(0, Math.ceil((window.endsAt - this.#now()) / 1000));
    const remaining = Math.max(0, this.#limit - window.used);
    const headers = {
      "ratelimit-policy": `${this.#limit};w=${this.#seconds}`,
      ratelimit: `limit=${this.#limit}, remaining=${remaining}, reset=${reset}`,
    };
    if (window.used <= this.#limit) return { headers, refusal: undefined };
    const refusal = text(`You have exceeded the ${this.#limit} requests in ${this.#span} limit.`, 429);
    return { headers: { ...headers, "retry-after": String(reset) }, refusal };
  }

  /** Uncounts a request: those that failed are free. */
  giveBack(kind: string): void {
    this.#window(kind).used--;
  }

  reset(): void {
    this.#windows.clear();
  }

  #window(kind: string): Window {
    const current = this.#windows.get(kind);
    if (current !== undefined && current.endsAt > this.#now()) return current;
    const fresh = { used: 0, endsAt: this.#now() + this.#seconds * 1000 };
    this.#windows.set(kind, fresh);
    return fresh;
  }
}
