import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type { Ending } from "../../scripts/process.mts";
import { type Scene, scene } from "../engine/harness";
import { nativeScene } from "../engine/nativeScene";

/** Folder of the installed pack. */
export const PACK = inject("policyPack");

/** The name of a zone of the program. */
export const nameOf = (zone: string): object => ({ $output: [zone, "name"] });

/** Levels and options with which every policy is mandatory, and the stack a production stack. */
export const STRICT = {
  all: "mandatory",
  "protected-zones": { stacks: "demo" },
  "port-allowlists": { own: true },
  "allowed-products": { allowed: ["datacenter-*"] },
  "max-ips": { ips: 5 },
  "monthly-cost": { dollars: 10, prices: { "datacenter-dedicated-ip": 2 }, askAccount: true },
  "name-patterns": { port: "^shop$", resource: "^[a-z]+$" },
};

/** @param form of the program */
export async function policyScene(
  form: "dynamic" | "native" = "dynamic",
): Promise<Scene & { configured(config: object): Promise<string[]> }> {
  const made = await (form === "native" ? nativeScene : scene)({ manager: { dropin: false } });
  const { stack, simulator } = made;
  const managers = { berlin: { url: simulator.environment().BRIGHTDATA_PROXY_MANAGER_URL } };
  stack.setEnvironment({ PATH: inject("policyPath"), BRIGHTDATA_MANAGERS: JSON.stringify(managers) });
  return {
    ...made,
    async configured(config) {
      const file = join(stack.folder, "policies.json");
      await writeFile(file, JSON.stringify(config));
      return ["--policy-pack", PACK, "--policy-pack-config", file];
    },
  };
}

const REPORTED = /^ +- \[(\w+)\] \[severity: \w+\] {2}(\S+) {2}\(\S+: (\S+)\)\n.*\n +(.*)$/gm;

/** What the CLI printed of policies: the level, the policy, the resource, and what is wrong with it. */
export const reported = ({ stdout }: Ending): string[][] =>
  [...stdout.matchAll(REPORTED)]
    .map(([, ...parts]) => parts.map((part) => part.replace(/Web_[a-z0-9]+|web_[a-z0-9]+/g, "ZONE")))
    .sort();
