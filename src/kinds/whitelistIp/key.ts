import { ArgumentError, PermissionError, ServiceError } from "../../base/errors";
import type { Step } from "../../lifecycle/lifecycle";
import type { AllowlistEntry } from "../../manager/allowlists";

/**
 * The entry with the key that its list wants: the resource's own, the configured one, or the manager's current one, which is
 * read without replacing it. Generating one makes the one before it useless to everybody, so that happens only when there
 * is none at all.
 */
export async function withKey(entry: AllowlistEntry, { context, deadline }: Step): Promise<AllowlistEntry> {
  const { manager } = context;
  const given = entry.apiKey ?? manager.apiKey?.value;
  if (given === undefined && entry.list === "ui") return entry;
  manager.refusePlainHttp();
  if (given !== undefined) return { ...entry, apiKey: given };
  try {
    return {
      ...entry,
      apiKey: (await manager.apiKeys.current(deadline)) ?? (await manager.apiKeys.generate(deadline)),
    };
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error;
    throw new ArgumentError(
      `The \`ports\` list cannot be changed without the manager's API key, and it may not be read from here. Give it with \`apiKey\`, brightdata:managerApiKey or BRIGHTDATA_MANAGER_API_KEY.`,
      { cause: error },
    );
  }
}

/**
 * Takes an entry off with the first key that the manager accepts: that of a state may have been replaced since, and no program
 * gives a state another one before it is destroyed. None is generated.
 */
export async function removeWithKey(entry: AllowlistEntry, step: Step): Promise<void> {
  const tried = new Set<string | undefined>();
  let refusal: unknown;
  for await (const keyed of withKeys(entry, step)) {
    if (tried.has(keyed.apiKey)) continue;
    tried.add(keyed.apiKey);
    try {
      return await step.context.manager.allowlists.remove(keyed, step.deadline);
    } catch (error) {
      if (!(error instanceof ServiceError) || ![401, 403].includes(error.status)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** The entry with the key that a change of it takes, then with the configured one and, where it may be read, the manager's own. */
async function* withKeys(entry: AllowlistEntry, step: Step): AsyncGenerator<AllowlistEntry> {
  const { manager } = step.context;
  yield withKey(entry, step);
  if (manager.apiKey !== undefined) yield { ...entry, apiKey: manager.apiKey.value };
  const current = await manager.apiKeys.current(step.deadline).catch(() => undefined);
  if (current !== undefined) yield { ...entry, apiKey: current };
}
