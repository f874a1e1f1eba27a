import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Contexts, evaluate, filled } from "./expression";
import { type JobEnding, type Machine, pathOn, runScript } from "./job";
import { readYaml, type Yaml } from "./yaml";

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Yaml;
  env?: Yaml;
}

interface Job {
  if?: string;
  env?: Yaml;
  environment?: string | { name: string; url?: string };
  steps: Step[];
}

/** What starts a workflow. */
export interface Event {
  name: string;
  /** The webhook's body. */
  body: Yaml;
}

/** What does nothing else on a machine that is prepared already. */
const PREPARING = ["actions/checkout", "actions/setup-node", "pulumi/actions", "pulumi/auth-actions"];

/** The token that Pulumi Cloud gives for that of OpenID Connect. */
export const EXCHANGED = "pul-exchanged";

/** Runs the jobs of workflows step by step, as they stand in their files. */
export class Actions {
  readonly #machine: Machine;
  readonly #contexts: Contexts;
  readonly #variables: Readonly<Record<string, string>>;

  /** @param variables what the runner sets, such as GITHUB_API_URL */
  constructor(machine: Machine, contexts: { vars: Yaml; secrets: Yaml }, variables: Readonly<Record<string, string>>) {
    this.#machine = machine;
    this.#contexts = contexts;
    this.#variables = variables;
  }

  /** @returns how each job that was not skipped has ended */
  async run(workflow: string, { name, body }: Event): Promise<Record<string, JobEnding>> {
    const { jobs } = readYaml(join(this.#machine.folder, ".github/workflows", workflow)) as {
      jobs: Record<string, Job>;
    };
    const file = join(this.#machine.scratch, "event.json");
    writeFileSync(file, JSON.stringify(body));
    const github = {
      event_name: name,
      event: body,
      ref: "refs/heads/main",
      server_url: "https://forge.test",
      repository: "shop/proxies",
      token: this.#variables.GITHUB_TOKEN,
      run_id: "1",
      run_attempt: "1",
    };
    const contexts = { ...this.#contexts, github };
    const endings: Record<string, JobEnding> = {};
    for (const [id, job] of Object.entries(jobs)) {
      if (job.if !== undefined && !evaluate(job.if, contexts)) continue;
      const { GITHUB_TOKEN: _, ...known } = this.#variables;
      const steps = {};
      // Steps may add to them.
      const variables = { ...known, GITHUB_EVENT_PATH: file, ...filledAll(job.env, contexts) };
      const ending = await this.#steps(job.steps, { ...contexts, steps }, variables);
      const link = typeof job.environment === "object" ? filled(job.environment.url, { ...contexts, steps }) : "";
      endings[id] = { ...ending, ...(link !== "" && { link }) };
    }
    return endings;
  }

  async #steps(steps: readonly Step[], outer: Contexts, variables: Record<string, string>): Promise<JobEnding> {
    const contexts: Contexts = { ...outer, env: variables };
    let ending: JobEnding = { status: 0, log: "" };
    for (const step of steps) {
      const condition = step.if ?? "";
      if (ending.status !== 0 && !condition.includes("always()")) continue;
      if (condition !== "" && !evaluate(condition, contexts)) continue;
      const output = join(this.#machine.scratch, "output");
      writeFileSync(output, "");
      const own = { GITHUB_OUTPUT: output, ...variables, ...filledAll(step.env, contexts) };
      const done = await this.#step(step, contexts, own, variables);
      if (step.id !== undefined) {
        Object.assign(contexts.steps as Yaml, { [step.id]: { outputs: parseEnv(readFileSync(output, "utf8")) } });
      }
      ending = { status: ending.status || done.status, log: `${ending.log}${done.log}\n` };
    }
    return ending;
  }

  async #step(
    step: Step,
    contexts: Contexts,
    own: Readonly<Record<string, string>>,
    variables: Record<string, string>,
  ): Promise<JobEnding> {
    if (step.run !== undefined) return runScript(filled(step.run, contexts), this.#machine, own);
    const [action = ""] = (step.uses ?? "").split("@");
    if (action.startsWith("./")) {
      const { inputs = {}, runs } = readYaml(join(this.#machine.folder, action, "action.yml")) as {
        inputs?: Record<string, { default?: string }>;
        runs: { steps: Step[] };
      };
      const initial = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default ?? ""]));
      const given = filledAll(step.with, contexts);
      const { secrets: _, vars: __, ...seen } = contexts;
      return this.#steps(runs.steps, { ...seen, steps: {}, inputs: { ...initial, ...given } }, variables);
    }
    if (action === "actions/cache/restore" || action === "actions/cache/save") {
      return this.#cache(action.endsWith("save"), filledAll(step.with, contexts));
    }
    if (action === "pulumi/auth-actions") variables.PULUMI_ACCESS_TOKEN = EXCHANGED;
    if (action === "actions/upload-artifact") return this.#upload(filledAll(step.with, contexts));
    if (!PREPARING.includes(action)) throw new Error(`What ${action} does is not known here.`);
    return { status: 0, log: `${action}\n` };
  }

  /** The folder of a job is gone after it; what it has uploaded stays. */
  #upload({ name = "", path = "" }: Record<string, string>): JobEnding {
    const from = pathOn(this.#machine, path);
    cpSync(from, join(this.#machine.artifacts, name), { recursive: true });
    rmSync(from, { recursive: true });
    return { status: 0, log: `uploaded ${name}\n` };
  }

  /** A cache is found by the beginning of its key, which the templates name as `restore-keys`. */
  #cache(isSaved: boolean, { path = "", key = "", "restore-keys": prefix }: Record<string, string>): JobEnding {
    const [inside, outside] = [
      pathOn(this.#machine, path),
      join(this.#machine.caches, (prefix ?? key.replace(/1-1$/, "")).trim()),
    ];
    const [from, to] = isSaved ? [inside, outside] : [outside, inside];
    if (existsSync(from)) {
      mkdirSync(to, { recursive: true });
      cpSync(from, to, { recursive: true });
    }
    return { status: 0, log: `cache ${isSaved ? "saved" : "restored"}\n` };
  }
}

const filledAll = (values: Yaml | undefined, contexts: Contexts): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, filled(value, contexts)]));
