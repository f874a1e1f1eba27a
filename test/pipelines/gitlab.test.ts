import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitlabCi } from "./gitlab";
import { commentAt, ending, NUMBER, type Pipeline, succeeded, web } from "./pipeline";
import { PASSPHRASE, type Scene, scene } from "./scene";

function onGitlab({ machine, forge, simulator, backend }: Scene): Pipeline {
  const { CI_MERGE_REQUEST_IID = "", ...runner } = forge.environment("gitlab", NUMBER);
  const ci = new GitlabCi(machine, {
    BRIGHTDATA_API_TOKEN: simulator.token,
    PULUMI_BACKEND_URL: backend,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    CI_PROJECT_DIR: machine.folder,
    CI_COMMIT_SHA: "0123abc",
    ...runner,
  });
  const request = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID };
  const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
  const schedule = { CI_PIPELINE_SOURCE: "schedule" };
  // A pipeline of a merge request has both jobs: what each has done shows in the services.
  return {
    preview: async () => ending(await ci.run(request), "preview"),
    update: async () => ending(await ci.run(push), "update"),
    drift: async () => ending(await ci.run(schedule), "drift"),
    review: async () => ending(await ci.run(request), "review"),
    endReview: async () => ending(await ci.run(request, ["review-stop"]), "review-stop"),
    sweep: async () => ending(await ci.run(schedule), "sweep"),
  };
}

test("on GitLab, a change is commented on, has an environment, is merged and watched", async () => {
  const here = await scene();
  const { forge, simulator } = here;
  await here.pulumi("stack", "init", "demo");
  writeFileSync(
    join(here.machine.folder, ".gitlab-ci.yml"),
    readFileSync(join(here.machine.folder, ".gitlab-ci.yml"), "utf8").replace("STACK: production", "STACK: demo"),
  );
  const pipeline = onGitlab(here);
  here.declare(web(2));
  await succeeded(pipeline.review());
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
