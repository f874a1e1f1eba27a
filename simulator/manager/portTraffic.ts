import { LOOPBACK } from "../service";
import { hostOf } from "./address";
import { turnedAway } from "./admission";
import { externalProxyOf } from "./externalProxy";
import type { Fields } from "./fields";
import { addedHeaders, areReadable, refusedHeader, sentHeaders } from "./headers";
import { badGateway, CUT, isNone, NULL, TIMED_OUT, UNANSWERED, UNAUTHORISED } from "./ownAnswers";
import { type Caller, credentials, givenPassword, ownSession, wishesOf } from "./portAccess";
import { addressed, isSuccess, keptBody, kindOf, type RequestLog } from "./requestLog";
import { applies, breakdownOf, type Phase, type Rule, retriesOf, rulesOf, timeOf } from "./rules";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";
import { domainOf } from "./throttle";
import { exitHeaders, exitIp, type Outgoing, type Page, pageOf, tookMs } from "./upstream";
import { usernameOf, type Wishes } from "./username";

/** A request to a port. The address of CONNECT is `host:port`. */
export interface PortRequest extends Outgoing, Caller {
  /** The names of its headers as the client has written them. */
  names?: readonly string[];
}

/** What became of a request to a port. */
export interface Carried {
  answer: Page;
  /** By which it would have gone upstream; `undefined` where it would not. */
  username: string | undefined;
  /** Writes it into the logs, once its bytes are counted. */
  log(inBw: number, outBw: number): void;
}

/** Answers a request as the port does: itself, or with what the vendor's proxy would answer. */
export function carry(state: ManagerState, number: number, request: PortRequest): Carried {
  const unlogged = (answer: Page): Carried => ({ answer, username: undefined, log: () => undefined });
  const port = state.running.get(String(number));
  if (port === undefined) return unlogged(badGateway("the port is being stopped"));
  const wishes = wishesOf(state, port, request);
  // It makes a user name before anything else, of which it wants to read the letters.
  if (wishes !== undefined && Array.isArray(port.config.city) && port.config.city.length > 0)
    return unlogged(badGateway("input.split is not a function"));
  if (wishes !== undefined) return new Trip(state, port, request, wishes).make();
  state.pendingIps.add(request.remoteAddress);
  return unlogged(UNAUTHORISED);
}

/** One request on its way, however often it is sent. */
class Trip {
  readonly #state: ManagerState;
  readonly #request: PortRequest;
  readonly #wishes: Wishes;
  readonly #started: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isCheck: boolean;
  readonly #executed = new Set<Rule>();
  readonly #sessions: string[] = [];
  readonly #first: RunningPort;
  #port: RunningPort;
  #rules: Rule[];
  #hasRenewed = false;
  #retries = 0;
  #isDirect = false;
  #isBypassing = false;
  /** The rule that is followed if the answer takes its time. */
  #timed: Rule | undefined;
  #username: string | undefined;

  constructor(state: ManagerState, port: RunningPort, request: PortRequest, wishes: Wishes) {
    this.#state = state;
    this.#first = port;
    this.#port = port;
    this.#request = request;
    this.#wishes = wishes;
    this.#started = state.clock().getTime();
    this.#isCheck = request.headers["x-hola-context"] === "STATUS CHECK";
    this.#rules = this.#isCheck ? [] : rulesOf(port.config);
    this.#headers = sentHeaders(request.headers, request.names ?? [], addedHeaders(port.config));
  }

  make(): Carried {
    let page: Page | undefined;
    while (page === undefined) page = this.#attempt();
    const received = page;
    this.#hearNumber();
    return {
      answer: isNone(page) ? page : { ...page, headers: this.#shown(page.headers) },
      username: this.#username,
      // A port goes by the setting as it was when the port was made.
      log: (inBw, outBw) => {
        const entry = this.#entry(received, inBw, outBw);
        // What fails after it was sent again is written twice.
        for (const each of hasFailed(received) && this.#retries > 0 ? [entry, entry] : [entry]) {
          this.#state.logRequest(each);
          if (Number(this.#first.config.logs)) this.#state.addRequest(each);
        }
      },
    };
  }

  /** The port counts on by itself until it is told the number, which takes as long as an answer at most. */
  #hearNumber(): void {
    if (this.#hasRenewed) this.#port.session.renew(this.#port.sessions);
    this.#hasRenewed = false;
  }

  /** @returns nothing where it is sent again */
  #attempt(): Page | undefined {
    const own = ownSession(this.#first, this.#request);
    if (own) this.#port.session.leave();
    const session = own || this.#port.session.name(this.#port, this.#request.remoteAddress);
    this.#sessions.push(String(session));
    const breakdown = this.#breakdown();
    if (breakdown !== undefined) return badGateway(breakdown);
    const early = this.#follow("before_send");
    if (early !== undefined) return early === AGAIN ? undefined : early;
    const page = this.#sent(session);
    if (page === undefined || isNone(page)) return page;
    this.#port.session.leftBy(session, page.headers["x-brd-ip"]);
    const late = this.#late(page);
    return late === undefined ? this.#answered(page) : late === AGAIN ? undefined : late;
  }

  /** What comes of the rule that does not wait for the answer. */
  #late(page: Page): Page | typeof AGAIN | undefined {
    const afterMs = timeOf(this.#timed ?? {});
    if (this.#timed === undefined || hasFailed(page) || !(afterMs <= tookMs(page))) return undefined;
    const end = this.#act(this.#timed, undefined);
    return end === undefined || end === AGAIN ? end : { ...end, afterMs };
  }

  /** What the rules make of an answer. A tunnel that was opened once is not opened again. */
  #answered(page: Page): Page | undefined {
    for (const phase of ["after_hdr", "after_body"] as const) {
      const end = this.#follow(phase, page);
      if (end === AGAIN) return this.#request.method === "CONNECT" ? UNANSWERED : undefined;
      if (end !== undefined) return end;
    }
    return page;
  }

  /** What goes wrong with the rules before the first that ends it. */
  #breakdown(): string | undefined {
    for (const rule of this.#rules) {
      const isMet = rule.type === "before_send" && applies(rule, { url: this.#request.url });
      const breakdown = breakdownOf(rule, isMet);
      if (breakdown !== undefined || isMet) return breakdown;
    }
    return undefined;
  }

  #sent(session: unknown): Page | undefined {
    const { method, url } = this.#request;
    const { config, health } = this.#port;
    const { account, zones } = this.#state;
    const plan = zones.find(config.zone)?.plan;
    const { customer: _, zone: __, ...again } = this.#wishes;
    const wishes = this.#retries === 0 ? this.#wishes : again;
    const customer = config.customer_id ?? config.account_id ?? config.customer;
    const own = { customer, unblocker: config.unblock, direct: this.#isDirect || undefined };
    this.#username = this.#isBypassing
      ? undefined
      : usernameOf(config, plan, {
          ...own,
          ...this.#port.session.ofPool(config, ownSession(this.#first, this.#request)),
          session,
          ...wishes,
        });
    this.#hearNumber();
    const obstacle = this.#obstacle() ?? (health === "ok" ? this.#turnedAway() : badGateway(health));
    if (obstacle !== undefined) return obstacle;
    const username = this.#ownCredentials()?.[0] ?? this.#username ?? "";
    const exit = this.#username === undefined ? {} : exitHeaders(account, username);
    if (method === "CONNECT") return { status: 200, reason: "OK", headers: exit, body: "" };
    if (this.#username !== undefined && this.#isBanned(exitIp(account, username))) {
      if (!(this.#retries < Number(config.max_ban_retries))) return badGateway("Too many banned IPs");
      this.#renewSession(2);
      return void this.#retries++;
    }
    const page = pageOf(account, username, { ...this.#request, url: this.#asked(), headers: this.#headers });
    // Of a tunnel that is read, the exit IP is told before the site is asked.
    return { ...page, headers: { ...(url.startsWith("https:") ? this.#shown(exit) : exit), ...page.headers } };
  }

  /** What a header of the port itself has instead of the zone's user name and password. */
  #ownCredentials(): string[] | undefined {
    const [, own] = Object.entries(this.#headers).find(([name]) => name.toLowerCase() === "proxy-authorization") ?? [];
    return this.#request.url.startsWith("https:") ? undefined : own === undefined ? undefined : credentials(own);
  }

  /** What the site is asked for. Of a tunnel that is read, the client's own header names the host. */
  #asked(): string {
    const { url } = this.#request;
    const [, host] = Object.entries(this.#headers).find(([name]) => name.toLowerCase() === "host") ?? [];
    return url.startsWith("https:") ? url.replace(/^https:\/\/[^/]*/, `https://${host}`) : url;
  }

  /** What a request comes to that cannot be sent. Through a proxy of another vendor's, it goes by that one's user name. */
  #obstacle(): Page | undefined {
    const { config, session } = this.#port;
    const refused = refusedHeader(this.#headers);
    if (refused !== undefined) return badGateway(refused);
    if (!areReadable(config)) return badGateway("Cannot set properties of undefined (setting 'status_code')");
    if (Number(config.throttle) < 0) return UNANSWERED;
    const added = Object.keys(addedHeaders(config)).map((name) => name.toLowerCase());
    if (added.includes("trailer")) return CUT;
    if (this.#request.method !== "CONNECT" && added.includes("content-length")) return UNANSWERED;
    const external = externalProxyOf(config, session.next - 1);
    if (external === undefined) return undefined;
    this.#username = external.username;
    return external.refusal === undefined ? undefined : badGateway(external.refusal);
  }

  #turnedAway(): Page | undefined {
    const { url } = this.#request;
    const given = this.#retries === 0 ? givenPassword(this.#first, this.#request) : undefined;
    // A colon in the user name ends it.
    const sent = `${this.#username ?? ""}:${given ?? this.#port.config.password}`;
    const [username = "", password = ""] = this.#ownCredentials() ?? sent.split(":");
    const comer = { username, password, url, address: LOOPBACK };
    const answer = turnedAway(this.#state.account, comer);
    // Of a tunnel that is read, the manager asks for the site all the same.
    return answer !== undefined && url.startsWith("https:") ? badGateway("socket hang up") : answer;
  }

  #isBanned(ip: string): boolean {
    const { url } = this.#request;
    const host = hostOf(url) ?? "";
    return this.#port.bans.has(ip, url.startsWith("http:") ? host.replace(/^www\./, "") : host);
  }

  /** Follows the rules of that moment until one ends it. */
  #follow(phase: Phase, page?: Page): Page | typeof AGAIN | undefined {
    const { url } = this.#request;
    const subject = page === undefined ? { url } : { url, tookMs: tookMs(page), status: page.status, body: page.body };
    this.#timed = undefined;
    for (const rule of this.#rules) {
      if (phase === "before_send" && rule.type === "timeout" && applies(rule, subject)) {
        this.#timed = rule;
        return undefined;
      }
      const isDone = phase !== "before_send" && this.#executed.has(rule) && !rule.action?.retry;
      if (rule.type !== phase || isDone || !applies(rule, subject)) continue;
      this.#executed.add(rule);
      const end = this.#act(rule, page);
      if (end !== undefined || phase === "before_send") return end;
    }
    return undefined;
  }

  #act({ action = {} }: Rule, page: Page | undefined): Page | typeof AGAIN | undefined {
    if (action.timeout_response) return TIMED_OUT;
    if (action.null_response) return this.#request.method === "CONNECT" ? { ...NULL, status: 501 } : NULL;
    if (action.bypass_proxy) this.#isBypassing = true;
    if (action.direct) this.#isDirect = true;
    if (action.bypass_proxy || action.direct) return undefined;
    this.#ban(action, page?.headers["x-brd-ip"]);
    if (action.request_url || !(this.#retries < retriesOf(action))) return undefined;
    const other = this.#state.running.get(String(action.retry_port));
    if (action.retry_port && other === undefined) return UNANSWERED;
    if (other !== undefined) this.#port = other;
    else if (!action.retry_same) this.#renewSession();
    if (other !== undefined) this.#rules = rulesOf(other.config);
    this.#retries++;
    return AGAIN;
  }

  #ban(action: Fields, ip: string | undefined): void {
    // It bans on no port.
    if (action.ban_ip_global !== undefined) this.#port.session.replace();
    const domains = { ban_ip: "", ban_ip_domain: domainOf(this.#request.url) };
    for (const [name, domain] of Object.entries(domains)) {
      if (action[name] === undefined || ip === undefined) continue;
      this.#port.bans.add(ip, domain, Number(action[name]));
      this.#port.session.replace();
    }
  }

  #renewSession(times = 1): void {
    const { session } = this.#port;
    this.#hasRenewed = true;
    this.#port.sessions += times;
    session.advance(times);
    for (let time = 0; time < times; time++) this.#state.log("", "Refreshing sessions");
  }

  /** What the port's `debug` leaves of the headers. */
  #shown(headers: Record<string, string>): Record<string, string> {
    const { debug, lpm_auth, port } = this.#port.config;
    const own = String(debug) === "full" ? { "x-lpm-port": String(port) } : {};
    const auth =
      String(lpm_auth) === "full" && this.#username !== undefined ? { "x-lpm-authorization": this.#username } : {};
    const isHidden = (name: string): boolean =>
      String(debug) === "none" && /x-(luminati|hola|lpm)/.test(name) && !name.includes("-error");
    return { ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isHidden(name))), ...own, ...auth };
  }

  #entry(page: Page, inBw: number, outBw: number): RequestLog {
    const { status, reason, headers, body } = page;
    const failed = hasFailed(page);
    const { method, url, remoteAddress, body: request } = this.#request;
    const { config } = this.#first;
    const isTunnel = url.endsWith(":443") && status === 200;
    const statusCode = isTunnel ? ("unknown" as const) : status;
    const type = headers["content-type"];
    const ip = headers["x-brd-ip"];
    return {
      uuid: this.#state.account.generate(12),
      port: config.port,
      url: url.slice(0, 1024),
      method,
      ...addressed(url),
      status_code: statusCode,
      content_type: isTunnel ? "unknown" : kindOf(type),
      timestamp: this.#started,
      // Of what has failed, the manager does not wait for the bytes.
      in_bw: failed ? 0 : inBw,
      out_bw: failed ? 0 : outBw,
      success: isSuccess(statusCode),
      lum_traffic: this.#username !== undefined,
      ...(this.#username === undefined
        ? {}
        : {
            username: this.#username,
            password: String(config.password),
            super_proxy: `${[config.hosts].flat()[0]}:${config.proxy_port}`,
          }),
      ...(ip === undefined ? {} : { proxy_peer: ip }),
      remote_address: remoteAddress,
      context: this.#isCheck ? "STATUS CHECK" : "RESPONSE",
      rules: [...this.#executed],
      sessions: this.#sessions,
      request_headers: this.#headers,
      request_body: request,
      status_message: failed ? "" : reason,
      response_headers: headers,
      response_body: isTunnel ? "unknown" : keptBody(method === "HEAD" ? "" : body, type, config.har_limit),
      content_size: method === "CONNECT" ? inBw : method === "HEAD" ? 0 : Buffer.byteLength(body),
    };
  }
}

const hasFailed = ({ headers }: Page): boolean => headers["x-lpm-error"] !== undefined;

const AGAIN = Symbol("sent again");
