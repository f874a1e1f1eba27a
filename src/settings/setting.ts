/** A credential and where it came from, for messages: the value itself never stands in one. */
export interface Credential {
  value: string;
  source: string;
  setting: Setting;
}

/** What a setting is called. */
export interface Setting {
  /** Key of the stack's configuration, below `brightdata:`; with dots, a path in it. */
  readonly key: string;
  readonly environment: string;
  readonly secret?: true;
}

/**
 * Both ways to set a setting, in words.
 *
 * @param provider name of the explicit provider that it is a setting of
 */
export function waysToSet({ key, environment }: Setting, provider?: string): string {
  const here = provider === undefined ? `brightdata:${key}` : `\`${key}\` of the provider ${JSON.stringify(provider)}`;
  return `${here} / ${environment}`;
}

/** The environment as the source of a setting, for messages. */
export const inEnvironment = ({ environment }: Setting): string => `the environment (${environment})`;

/**
 * One sentence that names both ways to set a setting.
 *
 * @param provider name of the explicit provider that it is a setting of
 * @param source where it came from: an argument of the provider comes before the environment
 */
export function howToSet(setting: Setting, provider?: string, source = inEnvironment(setting)): string {
  const { key, environment } = setting;
  const here =
    provider === undefined
      ? `\`${commandToSet(setting)}\``
      : `the argument \`${key}\` of the provider ${JSON.stringify(provider)}`;
  const isArgument = provider !== undefined && !source.startsWith(inEnvironment(setting));
  return `Set it with ${here}${isArgument ? "" : ` or the environment variable ${environment}`}.`;
}

/** Why a value of the stack's configuration may be another than that of the stack's file. */
export const OLDER_IN_STATE =
  "A refresh or destroy reads the configuration kept in the state, which may be older than yours: the environment variable comes first, and `--run-program` reads the configuration anew.";

/** The command that sets a setting in the stack's configuration. */
export function commandToSet({ key, secret }: Setting): string {
  const command = ["pulumi config set", ...(secret ? ["--secret"] : []), ...(key.includes(".") ? ["--path"] : [])];
  const name = key.includes(".") ? `'brightdata:${key}'` : `brightdata:${key}`;
  return `${[...command, name].join(" ")} <value>`;
}
