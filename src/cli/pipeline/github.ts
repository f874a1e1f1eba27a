import { readFileSync } from "node:fs";
import { BrightDataError } from "../../base/errors";
import { isObject, type JsonObject, objectOf } from "../../base/json";
import { Api } from "./api";
import type { Forge, Post } from "./forge";
import { numberIn, required, requiredToken, urlIn } from "./variables";

/** Logins of apps end so in one of GitHub's APIs and not in the other. */
const plainLogin = (login: unknown): string => String(login).replace(/\[bot\]$/, "");

const post = ({ id, number, user, body, html_url: url }: JsonObject): Post => ({
  id: Number(number ?? id),
  author: plainLogin(isObject(user) ? user.login : ""),
  body: typeof body === "string" ? body : "",
  url: String(url),
});

export function github(environment: NodeJS.ProcessEnv): Forge {
  const token = requiredToken(
    environment,
    ["GITHUB_TOKEN", "GH_TOKEN"],
    "the token that comments and issues are written with",
  );
  const repository = required(environment, ["GITHUB_REPOSITORY"], "the repository, as owner/name");
  const url = urlIn(environment, "GITHUB_API_URL", "https://api.github.com");
  const graphql = urlIn(environment, "GITHUB_GRAPHQL_URL", `${url}/graphql`);
  const access = {
    headers: {
      ...{ authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
      "x-github-api-version": "2022-11-28",
    },
    remedy: "The job needs the permissions `pull-requests: write` for comments, and `issues: write` for issues.",
  };
  const api = new Api({ ...access, url, variable: "GITHUB_API_URL" });
  const path = `/repos/${repository}`;
  return {
    ...pullRequest(environment),
    // Unlike the endpoint for users, this one answers the token of a job, too.
    async author() {
      const { origin, pathname } = new URL(graphql);
      const queries = new Api({ ...access, url: origin, variable: "GITHUB_GRAPHQL_URL" });
      const { data, errors } = await queries.ask("POST", pathname, { query: "query { viewer { login } }" }, true);
      const viewer = isObject(data) ? data.viewer : undefined;
      if (isObject(viewer)) return plainLogin(viewer.login);
      const why = (Array.isArray(errors) ? errors : []).map((each) => (isObject(each) ? each.message : each));
      throw new BrightDataError(
        `POST ${graphql} does not say whose the token is: ${why.join("; ") || "no reason given"}.`,
      );
    },
    comments: (number) => api.list(`${path}/issues/${number}/comments`, {}, post),
    comment: async (number, body) => post(await api.ask("POST", `${path}/issues/${number}/comments`, { body })),
    editComment: async (_, id, body) => post(await api.ask("PATCH", `${path}/issues/comments/${id}`, { body })),
    issues() {
      // A pull request is an issue to this endpoint.
      const read = (entry: JsonObject) => (entry.pull_request === undefined ? post(entry) : undefined);
      return api.list(`${path}/issues`, { state: "open", sort: "created", direction: "asc" }, read);
    },
    openIssue: async (title, body, labels) => post(await api.ask("POST", `${path}/issues`, { title, body, labels })),
    editIssue: async (id, body) => post(await api.ask("PATCH", `${path}/issues/${id}`, { body })),
    async closeIssue(id, body) {
      await api.ask("PATCH", `${path}/issues/${id}`, { state: "closed", state_reason: "completed" });
      await api.ask("POST", `${path}/issues/${id}/comments`, { body });
    },
    async isClosed(number) {
      const found = await api.find(`${path}/pulls/${number}`);
      return found && found.state === "closed";
    },
  };
}

/** The pull request that the job is about, and its commit, which is not the one that is checked out: that is merged already. */
function pullRequest({ GITHUB_EVENT_PATH: file, GITHUB_REF: ref = "", GITHUB_SHA: sha }: NodeJS.ProcessEnv) {
  const event: unknown = file ? JSON.parse(readFileSync(file, "utf8")) : {};
  const { pull_request: request = {} } = objectOf(event);
  const { number, head } = objectOf(request);
  return {
    number: numberIn(String(number)) ?? numberIn(/^refs\/pull\/(\d+)\//.exec(ref)?.[1]),
    commit: isObject(head) ? String(head.sha) : sha || undefined,
  };
}
