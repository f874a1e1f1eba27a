// What holds of the lists of a zone beyond what holds of every kind.
import { describe, test } from "vitest";
import { claim, claimMatch } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";

const ACCESS = SAMPLES.ZoneAccess?.[0] as Sample;

describe("a domain that the service refuses, beside another change,", () => {
  test.each(["gone back", "destroyed"])("is not in the way when it is %s", (then) =>
    onScene(ACCESS, async (scene) => {
      const program = await scene.program();
      await scene.up(program);
      const { faults } = scene.simulator.remote.service;
      for (const method of ["POST", "DELETE"]) {
        const times = Number.POSITIVE_INFINITY;
        faults.add({
          method,
          path: "/zone/domain_perm",
          containing: "bad_domain",
          kind: "respond",
          status: 400,
          times,
        });
      }
      const bad = { allowedIps: ["203.0.113.8"], allowedDomains: ["example.com", "bad_domain"] };
      for (const _ of ["refused", "refused again"]) {
        claimMatch(
          "errors of up",
          (await scene.engine.up(await scene.program(bad))).errors.join(),
          /domain_perm answered 400/,
        );
      }
      if (then === "gone back") {
        await scene.up(program);
        await scene.isCalm(program);
      }
      claim("domains in the state", scene.entry.outputs.allowedDomains, ["example.com"]);
      await scene.ends();
    }),
  );
});
