import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { inTurn } from "../turn";
import { endsBySweep, untilClosed } from "./environment";
import { GitlabCi } from "./gitlab";
import { commentAt, ending, mergesWhatWasReviewed, NUMBER, type Pipeline, succeeded, web } from "./pipeline";
import { PASSPHRASE, type Scene, scene } from "./scene";

const it = inTurn(2);

/** What a pipeline knows of a merge request from that project to this one. */
const request = (from = "7", to = "7") => ({
  CI_PIPELINE_SOURCE: "merge_request_event",
  CI_MERGE_REQUEST_IID: String(NUMBER),
  CI_MERGE_REQUEST_PROJECT_ID: to,
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from,
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "more-ips",
});

function onGitlab({ machine, forge, simulator, backend }: Scene, own: Record<string, string> = {}): Pipeline {
  const runner = forge.environment("gitlab");
  const ci = new GitlabCi(machine, {
    BRIGHTDATA_API_TOKEN: simulator.token,
    PULUMI_BACKEND_URL: backend,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    CI_PROJECT_DIR: machine.folder,
    CI_COMMIT_SHA: "0123abc",
    CI_JOB_URL: "https://forge.test/jobs/1",
    ...runner,
    ...own,
  });
  const requested = request(runner.CI_PROJECT_ID, runner.CI_PROJECT_ID);
  const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  const schedule = { CI_PIPELINE_SOURCE: "schedule" };
  // A pipeline of a merge request has both jobs: what each has done shows in the services.
  return {
    preview: async () => ending(await ci.run(requested, [], "preview"), "preview"),
    previewByHand: async () => ending(await ci.run(push, ["preview"]), "preview"),
    update: async () => ending(await ci.run(push), "update"),
    drift: async () => ending(await ci.run(schedule), "drift"),
    review: async () => ending(await ci.run(requested), "review"),
    endReview: async () => ending(await ci.run(requested, ["review-stop"]), "review-stop"),
    sweep: async () => ending(await ci.run(schedule), "sweep"),
  };
}

it("on GitLab, a change is commented on, has an environment, is merged and watched", async () => {
  const here = await scene();
  const { forge, simulator } = here;
  await here.pulumi("stack", "init", "demo");
  writeFileSync(
    join(here.machine.folder, ".gitlab-ci.yml"),
    readFileSync(join(here.machine.folder, ".gitlab-ci.yml"), "utf8").replace("STACK: production", "STACK: demo"),
  );
  const pipeline = onGitlab(here);
  here.declare(web(2));
  expect((await pipeline.review()).link).toBe("https://forge.test/jobs/1");
  expect(commentAt(here)).toMatch(/^### `declared\/demo`: 1 to create\n.*\nCommit 0123abc\.\n$/s);
  expect(simulator.account.liveZones()).toHaveLength(1);
  await succeeded(pipeline.endReview());
  expect(simulator.account.liveZones()).toEqual([]);

  await succeeded(pipeline.update());
  expect(simulator.account.liveZones()).toHaveLength(1);
  simulator.account.addZone("stray", { type: "static" });
  await succeeded(pipeline.drift());
  expect(forge.issues).toMatchObject([{ body: expect.stringContaining("- `Zone stray (account)`"), isOpen: true }]);
  simulator.account.removeZone("stray");
  await succeeded(pipeline.drift());
  expect(forge.issues).toMatchObject([{ isOpen: false }]);
});

it("on GitLab, a merge does what was reviewed, and asks for a new preview where that does not fit any more", async () => {
  const here = await scene();
  await here.pulumi("stack", "init", "demo");
  await mergesWhatWasReviewed(here, onGitlab(here, { STACK: "demo", SAVED_PLANS: "true" }));
  const kept = JSON.stringify([...here.forge.packages.values()]);
  expect(kept).toContain('"resourcePlans"');
  for (const secret of ["hunter2-password", here.simulator.token, PASSPHRASE]) expect(kept).not.toContain(secret);
});

it("on GitLab, one pipeline previews, updates and unlocks several stacks", async () => {
  const here = await scene();
  const refused = "cancel --yes acme/east";
  const calls = here.replaceCli(refused);
  here.declare();
  // In the pipeline of the branch, where `update` runs by itself.
  await succeeded(onGitlab(here, { STACK: "acme/east acme/west", SAVED_PLANS: "true" }).previewByHand());
  const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  const ci = new GitlabCi(here.machine, { STACK: "acme/east acme/west" });
  const unlocked = async () => ending(await ci.run(push, ["unlock"], "unlock"), "unlock").status;
  expect(await unlocked()).toBe(1);
  here.replaceCli(refused, "error: [409] Conflict: The Update has already completed");
  expect(await unlocked()).toBe(0);
  expect(calls().filter((call) => /^(preview|up|cancel) /.test(call))).toEqual([
    expect.stringMatching(/^preview --stack acme\/east .* --save-plan plans\/east\.json$/),
    expect.stringMatching(/^preview --stack acme\/west .* --save-plan plans\/west\.json$/),
    "up --yes --non-interactive --stack acme/east --plan plans/east.json",
    "up --yes --non-interactive --stack acme/west --plan plans/west.json",
    ...["cancel --yes acme/east", "cancel --yes acme/west"],
    ...["cancel --yes acme/east", "cancel --yes acme/west"],
  ]);
});

it("on GitLab, no plan is saved, nor asked for, where SAVED_PLANS is anything but `true`", async () => {
  const here = await scene();
  const calls = here.replaceCli();
  here.declare();
  await succeeded(onGitlab(here, { STACK: "demo", SAVED_PLANS: "false" }).previewByHand());
  expect(
    calls()
      .filter((call) => /^(preview|up) /.test(call))
      .join("\n"),
  ).toMatch(/^preview ((?!plan).)*\nup ((?!plan).)*$/);
});

it("on GitLab, an environment is opened, changed, killed while it buys, closed without its job, and swept: nothing billed is left", async () => {
  const here = await scene();
  const pipeline = onGitlab(here);
  await untilClosed(here, pipeline);
  await endsBySweep(here, pipeline);
});

it("on GitLab, an environment has a stack of its own, also where the project names one, and the policies", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const ci = new GitlabCi(machine, { STACK: "prod", POLICY_PACK: "policies", CI_PROJECT_ID: "7" });
  const endings = await ci.run(request(), ["review-stop"]);
  for (const name of ["review", "review-stop"]) expect(ending(endings, name), name).toMatchObject({ status: 0 });
  expect(calls().filter((call) => /^(stack|up|destroy|login) /.test(call))).toEqual([
    "stack select --create pr-5",
    "up --yes --non-interactive --stack pr-5 --policy-pack policies",
    "stack output url --stack pr-5",
    "destroy --stack pr-5 --yes --non-interactive --remove",
  ]);
  expect(ci.sharing(request())).toEqual({
    preview: { group: "preview-5" },
    test: {},
    update: { group: "prod", cache: "notes-update" },
    unlock: { group: "prod" },
    drift: { group: "drift" },
    review: { group: "pr-5", cache: "notes-pr-5" },
    "review-stop": { group: "pr-5", cache: "notes-pr-5" },
    sweep: {},
    renovate: { group: "renovate" },
  });
});

it("on GitLab, an environment whose passwords anybody with the backend could read is not begun", async () => {
  const { machine, backend, replaceCli } = await scene();
  const calls = replaceCli();
  const ci = new GitlabCi(machine, { PULUMI_BACKEND_URL: backend, CI_PROJECT_ID: "7" });
  const { status, log } = ending(await ci.run(request()), "review");
  expect(status).not.toBe(0);
  expect(log).toContain("PULUMI_CONFIG_PASSPHRASE: is not set");
  expect(existsSync(join(machine.scratch, "calls")) ? calls() : []).not.toContain("stack select --create pr-5");
});

it("on GitLab, a Pulumi Cloud of one's own asks for no passphrase", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const own = {
    PULUMI_BACKEND_URL: "https://pulumi.example.com",
    CI_PROJECT_ID: "7",
    CI_JOB_URL: "https://forge.test/1",
  };
  const ci = new GitlabCi(machine, { ...own, SAVED_PLANS: "true" });
  const endings = await ci.run(request());
  await succeeded(Promise.resolve(ending(endings, "review")));
  expect(calls()).toContain("stack select --create pr-5");
  expect(ending(endings, "preview").log).not.toContain("PULUMI_CONFIG_PASSPHRASE: is not set");
});

it("on GitLab, the token that logs in is no argument", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const ci = new GitlabCi(machine, { PULUMI_ORGANIZATION: "acme", PULUMI_OIDC_TOKEN: "oidc-s3cret" });
  const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  await succeeded(ci.run(push).then((endings) => ending(endings, "update")));
  const [login = "", update] = calls();
  const [, file = ""] = /^login --oidc-token file:\/\/(\S+) --oidc-org acme, which has oidc-s3cret$/.exec(login) ?? [];
  expect(file).not.toBe("");
  expect(existsSync(file)).toBe(false);
  expect(update).toBe("up --yes --non-interactive --stack production");
});

it("on GitLab, the tests of a merge request run without a login, and without the token for one", async () => {
  const { machine, replaceCli } = await scene();
  const calls = replaceCli();
  const ci = new GitlabCi(machine, {
    PULUMI_ORGANIZATION: "acme",
    PULUMI_OIDC_TOKEN: "oidc-s3cret",
    CI_PROJECT_ID: "7",
  });
  await succeeded(ci.run(request(), [], "test").then((endings) => ending(endings, "test")));
  expect(readFileSync(join(machine.environment.HOME ?? "", "npm-saw"), "utf8")).not.toContain("oidc-s3cret");
  expect(existsSync(join(machine.scratch, "calls")) ? calls() : []).toEqual([]);
});

it("on GitLab, a cache is also found for stacks of an organization: its key may have no slash", async () => {
  const { machine } = await scene();
  const sharing = new GitlabCi(machine, { STACK: "acme/prod acme/eu" }).sharing(request());
  expect(Object.values(sharing).flatMap(({ cache }) => cache ?? [])).toEqual([
    "notes-update",
    "notes-pr-5",
    "notes-pr-5",
  ]);
});

it("on GitLab, the pipeline of a fork runs the tests alone, and here its merge request starts nothing", async () => {
  const { machine } = await scene();
  const [fork, here] = ["8", "7"].map((id) => new GitlabCi(machine, { CI_PROJECT_ID: id }));
  expect(Object.keys((await fork?.run(request("8"), ["review-stop"])) ?? {})).toEqual(["test"]);
  expect(await here?.run(request("8"))).toEqual({});
  expect(await here?.run(request("8"), ["review-stop"])).toEqual({});
});

it("on GitLab, new versions of dependencies are never run with a token", async () => {
  const { machine } = await scene();
  const ci = new GitlabCi(machine, { CI_PROJECT_ID: "7" });
  const updated = { ...request(), CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "renovate/pulumi" };
  expect(Object.keys(await ci.run(updated, ["review-stop"]))).toEqual(["test"]);
});

it("on GitLab, dependencies are updated where that is wanted, by the project's schedule", async () => {
  const { machine, replaceCli } = await scene();
  replaceCli();
  writeFileSync(join(machine.scratch, "bin/renovate"), "#!/bin/sh\nenv\n", { mode: 0o755 });
  const schedule = { CI_PIPELINE_SOURCE: "schedule" };
  const variables = { CI_PROJECT_ID: "7", CI_PROJECT_PATH: "shop/proxies", CI_API_V4_URL: "https://forge.test/api/v4" };
  expect(Object.keys(await new GitlabCi(machine, variables).run(schedule, [], "renovate"))).toEqual([]);
  const ci = new GitlabCi(machine, { ...variables, RENOVATE: "true", PULUMI_OIDC_TOKEN: "oidc-s3cret" });
  const { status, log } = ending(await ci.run(schedule, [], "renovate"), "renovate");
  expect(status).toBe(0);
  for (const line of ["PLATFORM=gitlab", "ENDPOINT=https://forge.test/api/v4", "REPOSITORIES=shop/proxies"])
    expect(log).toContain(`RENOVATE_${line}\n`);
  expect(log).not.toContain("oidc-s3cret");
});
