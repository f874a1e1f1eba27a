import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A comment or an issue at the forge, whichever forge it is. */
export interface FakePost {
  id: number;
  author: string;
  body: string;
  title?: string;
  labels?: unknown;
  isOpen: boolean;
  /** Of an issue: the comments on it. */
  comments: string[];
  /** Whether it is a pull request, which GitHub lists among the issues. */
  isPullRequest?: boolean;
}

type Body = Record<string, unknown>;

/** Stands in for GitHub and GitLab: as much of their APIs as comments and issues need, in memory. */
export class FakeForge {
  /** By the number of the pull request. */
  readonly comments = new Map<number, FakePost[]>();
  readonly issues: FakePost[] = [];
  /** The pull requests that there are, and whether they are closed. */
  readonly closed = new Map<number, boolean>();
  /** All requests: method and path, without the query. */
  readonly requests: string[] = [];
  /** What the next requests are answered with instead. */
  readonly faults: { status: number; body?: string; retryAfter?: string; headers?: Record<string, string> }[] = [];
  /** The method of requests that are refused. */
  refused: string | undefined;
  readonly token = "forge-token";
  /** Of a job on GitLab, which may write packages, and no notes. */
  readonly jobToken = "job-token";
  /** GitLab's generic packages, by their paths. */
  readonly packages = new Map<string, Body>();
  /** Login of whoever has the token. */
  login = "robot";
  readonly #server: Server;
  #nextId = 100;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeForge> {
    const forge = new FakeForge();
    await new Promise<void>((resolve) => forge.#server.listen(0, "127.0.0.1", resolve));
    return forge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** What a job's environment says of it. */
  environment(kind: "github" | "gitlab", number?: number): Record<string, string> {
    if (kind === "gitlab") {
      const own = number === undefined ? {} : { CI_MERGE_REQUEST_IID: String(number) };
      return {
        GITLAB_TOKEN: this.token,
        CI_PROJECT_ID: "7",
        CI_API_V4_URL: `${this.url}/api/v4`,
        CI_JOB_TOKEN: this.jobToken,
        ...own,
      };
    }
    const own = number === undefined ? {} : { GITHUB_REF: `refs/pull/${number}/merge` };
    return { GITHUB_TOKEN: this.token, GITHUB_REPOSITORY: "shop/proxies", GITHUB_API_URL: this.url, ...own };
  }

  add(body: string, { number, author = "somebody" }: { number?: number; author?: string } = {}): FakePost {
    const post = { id: this.#nextId++, author, body, isOpen: true, comments: [] };
    if (number === undefined) this.issues.push(post);
    else this.comments.set(number, [...(this.comments.get(number) ?? []), post]);
    return post;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const { pathname, searchParams } = new URL(url, "http://forge");
    this.requests.push(`${method} ${pathname}`);
    const body = JSON.parse((await text(request)) || "{}") as Body;
    const fault = this.faults.shift();
    for (const [name, value] of Object.entries(fault?.headers ?? {})) response.setHeader(name, value);
    const isKnown = this.#knows(headers, pathname);
    const isRefused = method === this.refused;
    const found = isKnown && !isRefused ? this.#route(method, pathname, body) : undefined;
    const refusal = isRefused ? [403, { message: "Forbidden" }] : [404, { message: "Not Found" }];
    const [status, answered] = !isKnown ? [401, { message: "Bad credentials" }] : (found ?? refusal);
    if (fault?.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter);
    response.statusCode = fault?.status ?? (status as number);
    response.setHeader("content-type", "application/json");
    const page = Number(searchParams.get("page") ?? 1);
    const size = Number(searchParams.get("per_page") ?? 20);
    const shown = Array.isArray(answered) ? answered.slice((page - 1) * size, page * size) : answered;
    response.end(fault?.body ?? JSON.stringify(shown));
  }

  #knows({ authorization, ...headers }: IncomingMessage["headers"], path: string): boolean {
    if (path.startsWith("/api/v4/projects/7/packages/")) return headers["job-token"] === this.jobToken;
    return authorization === `Bearer ${this.token}` || headers["private-token"] === this.token;
  }

  #route(method: string, path: string, body: Body): [number, unknown] | undefined {
    return path.startsWith("/api/v4") ? this.#gitlab(method, path.slice(7), body) : this.#github(method, path, body);
  }

  #github(method: string, path: string, body: Body): [number, unknown] | undefined {
    const shown = (post: FakePost, key: "id" | "number") => ({
      [key]: post.id,
      user: { login: `${post.author}[bot]` },
      body: post.body,
      html_url: `${this.url}/${post.id}`,
      ...(post.isPullRequest && { pull_request: {} }),
    });
    if (path === "/graphql") return [200, { data: { viewer: { login: `${this.login}[bot]` } } }];
    const pull = /^\/repos\/shop\/proxies\/pulls\/(\d+)$/.exec(path)?.[1];
    if (pull !== undefined) return this.#pull(Number(pull), { true: { state: "closed" }, false: { state: "open" } });
    const number = Number(/^\/repos\/shop\/proxies\/issues\/(\d+)\/comments$/.exec(path)?.[1] ?? 0);
    if (number > 0) return this.#onComments(method, number, body.body, (post) => shown(post, "id"));
    const comment = this.#commentOf(/^\/repos\/shop\/proxies\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
    if (comment !== undefined && method === "PATCH") {
      comment.body = String(body.body);
      return [200, shown(comment, "id")];
    }
    return this.#onIssues(method, path.replace("/repos/shop/proxies", ""), body, (post) => shown(post, "number"));
  }

  #gitlab(method: string, path: string, body: Body): [number, unknown] | undefined {
    const shown = (post: FakePost, key: "id" | "iid") => ({
      [key]: post.id,
      author: { username: post.author },
      [key === "id" ? "body" : "description"]: post.body,
      ...(key === "iid" && { web_url: `${this.url}/${post.id}` }),
    });
    if (path.startsWith("/projects/7/packages/generic/")) return this.#package(method, path, body);
    if (path === "/user") return [200, { username: this.login }];
    const [, request, rest = ""] = /^\/projects\/7\/merge_requests\/(\d+)(.*)$/.exec(path) ?? [];
    if (request !== undefined && rest === "") {
      return this.#pull(Number(request), { true: { state: "merged" }, false: { state: "opened" } });
    }
    if (rest === "/notes") return this.#onComments(method, Number(request), body.body, (post) => shown(post, "id"));
    const note = this.#commentOf(/^\/notes\/(\d+)$/.exec(rest)?.[1]);
    if (note !== undefined && method === "PUT") {
      note.body = String(body.body);
      return [200, shown(note, "id")];
    }
    const { description, state_event: event, ...others } = body;
    const named = { ...others, ...(description !== undefined && { body: description }) };
    const state = event === "close" ? { state: "closed" } : {};
    return this.#onIssues(
      method,
      path.replace("/projects/7", "").replace("/notes", "/comments"),
      { ...named, ...state },
      (post) => shown(post, "iid"),
    );
  }

  #package(method: string, path: string, body: Body): [number, unknown] | undefined {
    if (method === "PUT") this.packages.set(path, body);
    const found = this.packages.get(path);
    return found && [method === "PUT" ? 201 : 200, found];
  }

  #pull(number: number, states: { true: unknown; false: unknown }): [number, unknown] | undefined {
    const closed = this.closed.get(number);
    return closed === undefined ? undefined : [200, states[`${closed}`]];
  }

  #commentOf(id: string | undefined): FakePost | undefined {
    return [...this.comments.values()].flat().find((post) => String(post.id) === id);
  }

  #onComments(method: string, number: number, body: unknown, shown: (post: FakePost) => unknown): [number, unknown] {
    const issue = this.issues.find(({ id }) => id === number);
    if (method === "POST" && issue !== undefined) {
      issue.comments.push(String(body));
      return [201, { id: 1 }];
    }
    if (method === "POST") return [201, shown(this.add(String(body), { number, author: this.login }))];
    return [200, (this.comments.get(number) ?? []).map(shown)];
  }

  #onIssues(
    method: string,
    path: string,
    body: Body,
    shown: (post: FakePost) => unknown,
  ): [number, unknown] | undefined {
    if (path === "/issues" && method === "GET") return [200, this.issues.filter(({ isOpen }) => isOpen).map(shown)];
    if (path === "/issues") {
      const issue = this.add(String(body.body), { author: this.login });
      Object.assign(issue, { title: body.title, labels: body.labels });
      return [201, shown(issue)];
    }
    const [, id, rest] = /^\/issues\/(\d+)(\/comments)?$/.exec(path) ?? [];
    const issue = this.issues.find((each) => String(each.id) === id);
    if (issue === undefined) return undefined;
    if (rest !== undefined) issue.comments.push(String(body.body));
    else if (body.state === "closed") issue.isOpen = false;
    else issue.body = String(body.body);
    return [200, shown(issue)];
  }
}
