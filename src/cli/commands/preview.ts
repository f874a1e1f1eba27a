import { quietly } from "../../base/disk";
import { redact, secretsIn } from "../../http/redact";
import { credentialsIn } from "../../settings/credentials";
import { readSettings, type Settings } from "../../settings/settings";
import { parsed } from "../../settings/values";
import { type Hide, planFrom, type UpdatePlan } from "../pipeline/plan";
import { type Ended, runPulumi } from "./engine";
import { configured } from "./stack";

export interface Preview {
  readonly plan: UpdatePlan;
  /** The exit code of the CLI. */
  readonly status: number;
  /** What it says on standard error, without secrets. */
  readonly failure: string;
}

/** Names of variables whose values are credentials. */
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|(API|ACCESS|PRIVATE)_?KEY|(^|_)KEY$/i;

/** What is shorter in the environment is rather a word, which would be hidden everywhere. */
const SHORTEST_CREDENTIAL = 6;

export interface Setup {
  readonly settings: Settings;
  readonly hide: Hide;
}

/** Reads the settings of a stack, and what is secret in its configuration and in the environment. */
export function setupOf(stack: string): Setup {
  const { read, secrets } = configured(stack);
  const hidden = [...secrets, ...credentialsIn(read), ...secretsOf(process.env)].filter(
    (text) => !/^(true|false|\d{1,6})$/.test(text),
  );
  return { settings: readSettings(read), hide: (text) => redact(text, hidden) };
}

/** What variables hold that is secret by their names, or by the names and places in their JSON and URLs. */
const secretsOf = (environment: NodeJS.ProcessEnv): string[] =>
  Object.entries(environment)
    .flatMap(([name, value = ""]) => [
      ...(SECRET_NAME.test(name) ? [value, value.trim()] : []),
      ...secretsIn(parsed(value)),
      ...secretsIn(value),
      ...secretsInUrl(value),
    ])
    .filter(({ length }) => length >= SHORTEST_CREDENTIAL);

function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  return [password, quietly(() => decodeURIComponent(password)) ?? "", ...secretsIn(Object.fromEntries(searchParams))];
}

export async function preview(stack: string, args: readonly string[], hide: Hide): Promise<Preview> {
  const { status, stdout, stderr }: Ended = await runPulumi(
    ["preview", "--stack", stack, "--json", "--non-interactive", "--color", "never", ...args],
    { variables: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } },
  );
  // What it says instead of events, such as that there is no such stack, may be on either stream.
  const said = [stderr, ...stdout.split("\n").filter((line) => !line.startsWith("{"))].join("\n");
  return { plan: planFrom(stdout, hide), status, failure: hide(said.trim()) };
}
