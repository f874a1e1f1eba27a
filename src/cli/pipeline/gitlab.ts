import { isObject, type JsonObject } from "../../base/json";
import { Api } from "./api";
import type { Forge, Post } from "./forge";
import { numberIn, required, requiredToken, urlIn } from "./variables";

const post = ({ id, iid, author, body, description, web_url: url }: JsonObject): Post => {
  const text = body ?? description;
  return {
    id: Number(iid ?? id),
    author: isObject(author) ? String(author.username) : "",
    body: typeof text === "string" ? text : "",
    url: typeof url === "string" ? url : "",
  };
};

export function gitlab(environment: NodeJS.ProcessEnv): Forge {
  const token = requiredToken(
    environment,
    ["GITLAB_TOKEN"],
    "an access token with the scope `api`; GitLab's CI_JOB_TOKEN may not write notes",
  );
  const project = required(environment, ["CI_PROJECT_ID"], "the id of the project");
  const url = urlIn(environment, "CI_API_V4_URL", "https://gitlab.com/api/v4");
  const api = new Api({
    url,
    variable: "CI_API_V4_URL",
    headers: { "private-token": token },
    remedy: "GITLAB_TOKEN needs the scope `api`, and the role Reporter or higher in the project.",
  });
  const path = `/projects/${encodeURIComponent(project)}`;
  const home = environment.CI_PROJECT_URL ?? "";
  const note = (number: number, each: JsonObject): Post => {
    const written = post(each);
    return { ...written, url: home === "" ? "" : `${home}/-/merge_requests/${number}#note_${written.id}` };
  };
  return {
    number: numberIn(environment.CI_MERGE_REQUEST_IID),
    // The one that is checked out may be merged already: the first is empty where it is not.
    commit: environment.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || environment.CI_COMMIT_SHA || undefined,
    async author() {
      const { username } = await api.ask("GET", "/user");
      return String(username);
    },
    comments: (number) =>
      api.list(`${path}/merge_requests/${number}/notes`, { sort: "asc" }, (each) => note(number, each)),
    comment: async (number, body) =>
      note(number, await api.ask("POST", `${path}/merge_requests/${number}/notes`, { body })),
    editComment: async (number, id, body) =>
      note(number, await api.ask("PUT", `${path}/merge_requests/${number}/notes/${id}`, { body })),
    issues: () => api.list(`${path}/issues`, { state: "opened", order_by: "created_at", sort: "asc" }, post),
    openIssue: async (title, description, labels) =>
      post(await api.ask("POST", `${path}/issues`, { title, description, labels: labels.join(",") })),
    editIssue: async (id, description) => post(await api.ask("PUT", `${path}/issues/${id}`, { description })),
    async closeIssue(id, body) {
      await api.ask("PUT", `${path}/issues/${id}`, { state_event: "close" });
      await api.ask("POST", `${path}/issues/${id}/notes`, { body });
    },
    async isClosed(number) {
      const found = await api.find(`${path}/merge_requests/${number}`);
      return found && ["closed", "merged"].includes(String(found.state));
    },
  };
}
