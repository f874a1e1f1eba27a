import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ServerError } from "../../../src/base/errors";
import { FORGES } from "../../../src/cli/commands/forge";
import { Api, tooMany } from "../../../src/cli/pipeline/api";
import type { Forge } from "../../../src/cli/pipeline/forge";
import { postComment, postIssue } from "../../../src/cli/pipeline/post";
import { FakeForge } from "./fakeForge";

let fake: FakeForge;

beforeEach(async () => {
  fake = await FakeForge.start();
});

afterEach(() => fake.close());

const noon = new Date("2026-05-01T12:00:00Z");
const later = new Date("2026-05-01T13:00:00Z");
const marker = (at: Date, use = "comment") => ({ use, stack: "shop/demo", at });
const changes = () => fake.requests.filter((request) => !request.startsWith("GET ") && !request.endsWith("/graphql"));

test("a 403 for too many requests is told by its words, too, and asks for a minute then", () => {
  const context = {
    service: "remote",
    operation: "ask",
    method: "POST",
    url: "https://api.github.com/graphql",
  } as const;
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  expect(tooMany({ status: 403, message }, context)).toMatchObject({ name: "RateLimitError", retryAfter: 60 });
  expect(tooMany({ status: 403, message, retryAfter: 5 }, context)).toMatchObject({ retryAfter: 5 });
  expect(tooMany({ status: 403, message: "Resource not accessible by integration" }, context)).toBeUndefined();
});

describe.each(["github", "gitlab"] as const)("at %s", (kind) => {
  const forge = (number?: number): Forge => FORGES[kind](fake.environment(kind, number));
  const issue = (body: string | undefined) => ({
    title: "Drift in shop/demo",
    body,
    labels: ["drift"],
    farewell: "Gone.",
  });

  test("a pull request has one comment, which is updated, and left alone while it says the same", async () => {
    expect(forge(5).number).toBe(5);
    const written = await postComment(forge(), 5, marker(noon), "first\n");
    expect(written.done).toBe("written");
    expect((await postComment(forge(), 5, marker(noon), "first\n")).done).toBe("unchanged");
    expect((await postComment(forge(), 5, marker(later), "second\n")).done).toBe("updated");
    expect(fake.comments.get(5)?.map(({ body }) => body)).toEqual([
      "<!-- pulumi-brightdata:comment shop/demo 2026-05-01T13:00:00.000Z -->\nsecond\n",
    ]);
    expect(changes()).toHaveLength(2);
  });

  test("an older comment never takes the place of a newer one", async () => {
    await postComment(forge(), 5, marker(later), "new");
    expect((await postComment(forge(), 5, marker(noon), "old")).done).toBe("outdated");
    expect(fake.comments.get(5)).toMatchObject([{ body: expect.stringMatching(/\nnew$/) }]);
  });

  test("a text that is still true has a newer time, so that an older one does not take its place", async () => {
    await postComment(forge(), 5, marker(new Date("2026-05-01T11:00:00Z")), "same");
    expect((await postComment(forge(), 5, marker(later), "same")).done).toBe("updated");
    expect((await postComment(forge(), 5, marker(noon), "old")).done).toBe("outdated");
    expect(fake.comments.get(5)).toMatchObject([{ body: expect.stringMatching(/ 2026-05-01T13:\S+ -->\nsame$/) }]);
  });

  test("a comment is found on a later page, and neither another author's nor another stack's is taken for it", async () => {
    await postComment(forge(), 4, marker(noon), "copied");
    const { body = "" } = fake.comments.get(4)?.[0] ?? {};
    fake.add(body, { number: 5, author: "mallory" });
    fake.add(body.replace("shop/demo", "shop/demo2"), { number: 5, author: fake.login });
    for (let n = 0; n < 150; n += 1) fake.add(`comment ${n}`, { number: 5 });
    const own = fake.add(body, { number: 5, author: fake.login });
    expect((await postComment(forge(), 5, marker(later), "mine")).done).toBe("updated");
    expect(own.body).toMatch(/\nmine$/);
    expect(fake.comments.get(5)).toHaveLength(153);
    expect(fake.comments.get(5)?.filter((post) => post.body.endsWith("mine"))).toEqual([own]);
  });

  test("an issue is opened, updated and closed, and another one opened when there is drift again", async () => {
    expect((await postIssue(forge(), marker(noon, "drift"), issue(undefined))).done).toBe("none");
    fake.issues.push({
      id: 90,
      author: fake.login,
      body: "<!-- pulumi-brightdata:drift shop/demo ",
      isOpen: false,
      comments: [],
    });
    expect((await postIssue(forge(), marker(noon, "drift"), issue("a"))).done).toBe("written");
    expect((await postIssue(forge(), marker(later, "drift"), issue("b"))).done).toBe("updated");
    expect((await postIssue(forge(), marker(noon, "drift"), issue(undefined))).done).toBe("outdated");
    expect((await postIssue(forge(), marker(later, "drift"), issue(undefined))).done).toBe("closed");
    expect((await postIssue(forge(), marker(later, "drift"), issue("c"))).done).toBe("written");
    const [, first, second] = fake.issues;
    expect(first).toMatchObject({
      title: "Drift in shop/demo",
      labels: kind === "github" ? ["drift"] : "drift",
      body: "<!-- pulumi-brightdata:drift shop/demo 2026-05-01T13:00:00.000Z -->\nb",
      comments: ["Gone."],
      isOpen: false,
    });
    expect(second).toMatchObject({ isOpen: true, comments: [] });
  });

  test("an issue that could not be closed has no farewell for each attempt", async () => {
    await postIssue(forge(), marker(noon, "drift"), issue("a"));
    fake.refused = kind === "github" ? "PATCH" : "PUT";
    for (let n = 0; n < 2; n += 1) {
      await expect(postIssue(forge(), marker(later, "drift"), issue(undefined))).rejects.toThrow("403");
    }
    fake.refused = undefined;
    expect((await postIssue(forge(), marker(later, "drift"), issue(undefined))).done).toBe("closed");
    expect(fake.issues).toMatchObject([{ isOpen: false, comments: ["Gone."] }]);
  });

  test("a forge says which pull requests are closed, and that there is none", async () => {
    fake.closed.set(1, true).set(2, false);
    expect(await Promise.all([1, 2, 3].map((number) => forge().isClosed(number)))).toEqual([true, false, undefined]);
  });

  test("what may be sent twice is sent again when the forge is busy or fails", async () => {
    await postComment(forge(), 5, marker(noon), "first");
    fake.faults.push({ status: 429, retryAfter: "0" }, { status: 503, retryAfter: "0" });
    expect((await postComment(forge(), 5, marker(later), "second")).done).toBe("updated");
  });

  test("a comment is not sent twice when nobody knows whether it has arrived", async () => {
    await forge().comment(5, "text");
    fake.faults.push({ status: 502, body: "<html>" });
    await expect(forge().comment(5, "text")).rejects.toThrow(/answered 502: an HTML page\.$/);
    expect(fake.comments.get(5)).toHaveLength(2);
  });

  test("a comment that is not there after the forge has failed is written again, and one that is there is not", async () => {
    const ask = forge();
    const { comment } = ask;
    const broken = async (number: number, text: string, isArrived: boolean) => {
      if (isArrived) await comment(number, text);
      throw new ServerError(
        { service: "remote", operation: "ask", method: "POST", url: fake.url },
        { status: 500, message: "" },
      );
    };
    for (const [number, isArrived] of [
      [5, false],
      [6, true],
    ] as const) {
      let times = 0;
      ask.comment = (each, text) => (++times === 1 ? broken(each, text, isArrived) : comment(each, text));
      expect((await postComment(ask, number, marker(noon), "text")).done).toBe("written");
      expect(fake.comments.get(number)).toHaveLength(1);
    }
  });

  test("a text that is dated in the future does not stay for ever", async () => {
    const future = new Date(Date.now() + 400 * 86_400_000);
    await postComment(forge(), 5, marker(future), "frozen");
    expect((await postComment(forge(), 5, marker(later), "new")).done).toBe("updated");
    await postIssue(forge(), marker(future, "drift"), issue("frozen"));
    expect((await postIssue(forge(), marker(later, "drift"), issue(undefined))).done).toBe("closed");
  });

  test("too many requests are waited for, however the forge says so, and a refusal has its reasons", async () => {
    await postComment(forge(), 5, marker(noon), "first");
    const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" };
    fake.faults.push({ status: 403, headers: spent });
    expect((await postComment(forge(), 5, marker(later), "second")).done).toBe("updated");
    const errors = [{ resource: "Issue", field: "labels", code: "invalid" }, { message: "body is too long" }];
    fake.faults.push({ status: 422, body: JSON.stringify({ message: "Validation Failed", errors }) });
    await expect(forge().comment(5, "text")).rejects.toThrow("422: labels: invalid; body is too long.");
  });

  test("a token that is refused is named, and what it needs", async () => {
    const environment = { ...fake.environment(kind), GITHUB_TOKEN: "wrong", GITLAB_TOKEN: "wrong" };
    await expect(postComment(FORGES[kind](environment), 5, marker(noon), "text")).rejects.toThrow(
      /answered 401: Bad credentials\. .*(`pull-requests: write`|scope `api`)/,
    );
  });

  test.each(["forge-\ntoken", "forge-\u0001token", "forge-\u2026"])(
    "the token %j, which no header can have, is refused by the name of its variable",
    (token) => {
      const environment = { ...fake.environment(kind), GITHUB_TOKEN: token, GITLAB_TOKEN: token };
      expect(() => FORGES[kind](environment)).toThrow(
        `${kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN"} cannot be used: expected printable ASCII characters without blanks or line breaks. Copy the token again.`,
      );
    },
  );

  test("a line break after a token is none of it", async () => {
    const token = `${fake.token}\n`;
    const forge = FORGES[kind]({ ...fake.environment(kind), GITHUB_TOKEN: token, GITLAB_TOKEN: token });
    expect(await forge.author()).toBe("robot");
  });

  test("an empty variable, which a pipeline makes of what it does not have, is none", async () => {
    const names = ["GITHUB_EVENT_PATH", "GITHUB_GRAPHQL_URL", "GITHUB_SHA", "CI_COMMIT_SHA"];
    const empty = Object.fromEntries(names.map((name) => [name, ""]));
    const forge = FORGES[kind]({ ...fake.environment(kind, 5), ...empty });
    expect([forge.number, forge.commit, await forge.author()]).toEqual([5, undefined, "robot"]);
  });

  test("a URL that is none is named with its variable, before anything is asked", () => {
    const [name, otherwise] =
      kind === "github" ? ["GITHUB_API_URL", "https://api.github.com"] : ["CI_API_V4_URL", "https://gitlab.com/api/v4"];
    for (const url of ["api.example.com", "https://"])
      expect(() => FORGES[kind]({ ...fake.environment(kind), [name]: url })).toThrow(
        `${name} is "${url}": expected a URL such as ${otherwise}.`,
      );
  });

  test("without its variables, the one that is missing is named", () => {
    expect(() => FORGES[kind]({})).toThrow(
      kind === "github" ? /^GITHUB_TOKEN or GH_TOKEN is not set/ : /^GITLAB_TOKEN is not set/,
    );
  });
});

test("the commit of a merge request is that of its branch, and not the one that a merged result is made of", () => {
  const environment = { ...fake.environment("gitlab", 5), CI_COMMIT_SHA: "0merged" };
  expect(FORGES.gitlab({ ...environment, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "0branch" }).commit).toBe("0branch");
  expect(FORGES.gitlab({ ...environment, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "" }).commit).toBe("0merged");
});

test("an empty URL of GitHub's API is that of github.com", async () => {
  const ask = vi.spyOn(Api.prototype, "ask").mockResolvedValue({ data: { viewer: { login: "robot" } } });
  onTestFinished(() => ask.mockRestore());
  expect(await FORGES.github({ ...fake.environment("github"), GITHUB_API_URL: "" }).author()).toBe("robot");
});

test("what GitHub says of a query in an answer that looks well is told", async () => {
  fake.faults.push({
    status: 200,
    body: JSON.stringify({ data: null, errors: [{ message: "Resource not accessible" }] }),
  });
  await expect(FORGES.github(fake.environment("github")).author()).rejects.toThrow(
    "does not say whose the token is: Resource not accessible.",
  );
});

test("a pull request is no issue, though GitHub lists it as one", async () => {
  const forge = FORGES.github(fake.environment("github"));
  fake.add("<!-- pulumi-brightdata:drift shop/demo ", { author: fake.login }).isPullRequest = true;
  expect(
    (await postIssue(forge, marker(noon, "drift"), { title: "t", body: "a", labels: [], farewell: "" })).done,
  ).toBe("written");
});
