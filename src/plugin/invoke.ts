import { BrightDataError, ConfigurationError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { secretPaths } from "../declaration/paths";
import type { Properties } from "../declaration/property";
import { redact } from "../http/redact";
import { requireDeclared } from "../lifecycle/arguments";
import type { Lookup } from "../lookups/lookup";
import type { Configuration } from "../pulumi/configuration";
import { presentable, secretTexts } from "../pulumi/presentable";
import { objectFromEngine, sealed } from "../pulumi/values";
import type { Session } from "../run/session";
import { type Connection, connectionFailures } from "../settings/connections";
import { opened } from "./properties";
import { asDeclared } from "./spelling";

/** What a function answers: its result, or why it has none, with the class of the error and what else that has. */
export type FunctionAnswer = { result: JsonObject } | { error: string; reason: string; fields: JsonObject };

/** Runs a function. Functions only read, so that previews run them, too. */
export async function invoke(
  lookup: Lookup,
  args: JsonObject | undefined,
  session: Session,
  configuration: Configuration,
): Promise<FunctionAnswer> {
  const { plain, secrets: told } = opened(asDeclared(lookup.arguments, args ?? {}));
  const given = numbered(lookup.arguments, objectFromEngine(plain));
  const paths = [...secretPaths(lookup.arguments), ...told];
  const hidden = [...secretTexts([given], paths), ...configuration.credentials];
  try {
    requireDeclared(lookup, given);
    const result = await ask(lookup, given, session, configuration, hidden);
    return { result: sealed(result, secretPaths(lookup.result)) };
  } catch (thrown) {
    const isCancelled = session.cancelled.aborted && !(thrown instanceof BrightDataError);
    const cancellation = () => new BrightDataError(`${lookup.name} was cancelled before the service had answered.`);
    const error = isCancelled ? cancellation() : thrown;
    // Whether the program has shown what it was told before, nobody knows here: each is told in full.
    const { message } = presentable(error, error instanceof Error ? error.message : String(error), hidden);
    return {
      error: error instanceof Error ? error.constructor.name : "Error",
      reason: message,
      fields: fieldsOf(error, hidden),
    };
  }
}

/** Arguments where a number may be an id, which is text: of a new port, a preview of YAML does not know that alone. */
const numbered = (declared: Properties, args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isNumber = declared[name]?.is === "number" && typeof value === "string" && /^[1-9]\d*$/.test(value);
      return [name, isNumber ? Number(value) : value];
    }),
  );

/** What an error of the package has besides its message, without secrets. */
function fieldsOf(error: unknown, secrets: readonly string[]): JsonObject {
  if (!(error instanceof BrightDataError)) return {};
  const shown = (_key: string, value: unknown) => (typeof value === "string" ? redact(value, secrets) : value);
  return JSON.parse(JSON.stringify(error, shown));
}

async function ask(
  { service, ...lookup }: Lookup,
  args: JsonObject,
  session: Session,
  { settings }: Configuration,
  secrets: readonly string[],
): Promise<JsonObject> {
  const { manager, account, ...own } = args as JsonObject & Connection;
  const [failure] = connectionFailures(service, service === "manager" ? manager : account, settings);
  if (failure !== undefined) throw new ConfigurationError(failure);
  const context = session.contexts.of(settings, { manager, account }, service);
  const client = service === "remote" ? context.remote : context.manager;
  return { ...(await lookup.ask(client, own, { signal: session.cancelled, secrets })) };
}
