import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type JobEnding, type Machine, runScript } from "./job";
import { readYaml, type Yaml } from "./yaml";

type Variables = Readonly<Record<string, string>>;

interface Job {
  extends?: string;
  rules?: { if: string; when?: string }[];
  variables?: Variables;
  script?: string[];
  before_script?: string[];
  inherit?: { default: string[] };
  resource_group?: string;
  cache?: { key?: string };
  environment?: string | { url?: string };
  artifacts?: { reports: { dotenv: string } };
}

interface Defaults {
  before_script?: string[];
  id_tokens?: object;
}

/** What jobs share: those of one group run one after the other, those of one cache find what others have left. */
interface Sharing {
  group?: string;
  cache?: string;
}

/** What is no job. */
const GLOBAL = ["image", "variables", "default", "workflow", "stages"];

/** Runs the jobs of `.gitlab-ci.yml`, as they stand there. */
export class GitlabCi {
  readonly #machine: Machine;
  readonly #file: Yaml;
  readonly #variables: Variables;

  /** @param variables those of the project, and what the runner sets */
  constructor(machine: Machine, variables: Variables) {
    this.#machine = machine;
    this.#file = readYaml(join(machine.folder, ".gitlab-ci.yml"));
    this.#variables = variables;
  }

  /**
   * Runs the jobs whose rules fit.
   *
   * @param manual the jobs that somebody, or the forge, starts by hand
   * @param only the one job that counts, where it is one
   * @returns how each has ended
   */
  async run(given: Variables, manual: readonly string[] = [], only?: string): Promise<Record<string, JobEnding>> {
    const endings: Record<string, JobEnding> = {};
    for (const name of this.#names().filter((each) => only === undefined || each === only)) {
      const job = this.#job(name);
      const variables = expanded(this.#sources(job, given));
      const rule = job.rules?.find(({ if: condition }) => holds(condition, variables));
      if (rule === undefined || (rule.when === "manual") !== manual.includes(name)) continue;
      const { before_script: before = [], id_tokens: tokens = {} } = this.#defaults(job);
      for (const token of Object.keys((this.#file.default as Defaults).id_tokens ?? {}))
        if (!(token in tokens)) delete variables[token];
      const lines = [...(job.before_script ?? before), ...(job.script ?? [])];
      const ending = await runScript(lines.join("\n"), this.#machine, variables);
      endings[name] = { ...ending, ...this.#link(job, ending) };
    }
    return endings;
  }

  /** What each job shares, by its name. */
  sharing(given: Variables): Record<string, Sharing> {
    const entries = this.#names().map((name) => {
      const job = this.#job(name);
      const { resource_group: group, cache } = job;
      const sources = [
        ...this.#sources(job, given),
        { ...(group && { group }), ...(cache?.key && { key: cache.key }) },
      ];
      const { group: ofGroup, key } = expanded(sources);
      return [name, { ...(ofGroup && { group: ofGroup }), ...(key && { cache: key }) }] as const;
    });
    return Object.fromEntries(entries);
  }

  #link({ environment, artifacts }: Job, { status }: JobEnding): { link?: string } {
    if (status !== 0 || artifacts === undefined || typeof environment !== "object") return {};
    const told = parseEnv(readFileSync(join(this.#machine.folder, artifacts.reports.dotenv), "utf8"));
    const { url } = expanded([told as Variables, { url: environment.url ?? "" }]);
    return url === undefined ? {} : { link: url };
  }

  /** What a job has of what the file says of all. */
  #defaults({ inherit }: Job): Defaults {
    const all = Object.entries(this.#file.default as Defaults);
    return Object.fromEntries(all.filter(([key]) => inherit?.default.includes(key) ?? true));
  }

  #names(): string[] {
    return Object.keys(this.#file).filter((key) => !key.startsWith(".") && !GLOBAL.includes(key));
  }

  /** Where variables are of several places, the project's win, then those of the job. */
  #sources(job: Job, given: Variables): Variables[] {
    return [this.#file.variables as Variables, given, job.variables ?? {}, this.#variables];
  }

  #job(name: string): Job {
    const own = this.#file[name] as Job;
    if (own.extends === undefined) return own;
    const base = this.#job(own.extends);
    return {
      ...base,
      ...own,
      variables: { ...base.variables, ...own.variables },
      cache: { ...base.cache, ...own.cache },
    };
  }
}

/** Values refer to other variables. */
function expanded(sources: readonly Variables[]): Record<string, string> {
  const all: Record<string, string> = Object.assign({}, ...sources);
  const value = (text: string): string => text.replace(/\$(\w+)/g, (_, name: string) => value(all[name] ?? ""));
  return Object.fromEntries(Object.entries(all).map(([name, text]) => [name, value(text)]));
}

/** Conditions are comparisons, joined by `&&`. */
function holds(condition: string, variables: Variables): boolean {
  return condition.split("&&").every((part) => {
    const [, name, pattern] = /^\s*\$(\w+) !~ \/(.+)\/\s*$/.exec(part) ?? [];
    if (name !== undefined && pattern !== undefined) return !new RegExp(pattern).test(variables[name] ?? "");
    const [, left = "", right = ""] = /^\s*\$(\w+) == (\$\w+|"[^"]*")\s*$/.exec(part) ?? [];
    if (left === "") throw new Error(`${part}: not a condition of the kind that these jobs have`);
    const expected = right.startsWith("$") ? variables[right.slice(1)] : right.slice(1, -1);
    return (variables[left] ?? "") === expected;
  });
}
