import { z } from "zod";
import { ArgumentError, NotFoundError, PermissionError } from "../errors";
import type { JsonObject } from "../http/case";
import { canonicalAddress } from "../manager/address";
import type { AllowlistEntry, AllowlistName } from "../manager/allowlists";
import { addressSet } from "../manager/portFields";
import type { GeneralSettings } from "../manager/settings";
import { booleanSchema, type Checks, failuresOf, inputNames, type Rule, timeoutsSchema } from "./check";
import { type Comparison, difference, sameJson } from "./diff";
import { type Lifecycle, PartialFailure, type Run } from "./lifecycle";
import { isUnsettled, settleSignal } from "./settle";

const LISTS = ["ui", "ports"] as const;
const ANY = "0.0.0.0/0";
const LOOPBACK = "127.0.0.1";

const rules: readonly Rule[] = [
  {
    reads: ["ip", "allowAny"],
    failure: ({ ip, allowAny }) =>
      typeof ip === "string" && canonicalAddress(ip) === ANY && allowAny !== true
        ? `\`ip\` is ${JSON.stringify(ip)}, the whole internet: set \`allowAny: true\` if that is what you want.`
        : undefined,
  },
  {
    reads: ["ip"],
    failure: ({ ip }) =>
      typeof ip === "string" && canonicalAddress(ip) === LOOPBACK
        ? `\`ip\` is ${JSON.stringify(ip)}: the manager's own machine is always allowed and never listed. Leave the resource out.`
        : undefined,
  },
];

const checks: Checks = {
  schema: z.strictObject({
    ip: z.string("expected an IPv4 address or CIDR block.").refine((value) => canonicalAddress(value) !== undefined, {
      message:
        'expected an IPv4 address or CIDR block of four octets, such as "203.0.113.7" or "10.20.0.0/16". The manager takes neither IPv6 nor names.',
    }),
    list: z
      .enum(LISTS, 'expected "ui" (who may use the manager, and every port) or "ports" (who may use every port).')
      .optional(),
    allowAny: booleanSchema,
    apiKey: z
      .string("expected a text.")
      .regex(/^[\x21-\x7e]+$/, "expected a key without blanks.")
      .optional(),
    adopt: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["ip", "list", "allowAny", "apiKey", "adopt", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
  secrets: ["apiKey"],
};

const comparison: Comparison = {
  same(path, left, right) {
    if (path === "list") return (left ?? "ui") === (right ?? "ui");
    if (path === "ip") return canonicalAddress(String(left)) === canonicalAddress(String(right));
    return sameJson(left, right);
  },
  replaces: (path) => path === "ip" || path === "list",
};

/** An address on one of the local Proxy Manager's lists. */
export const whitelistIp = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets: ["apiKey"],

  check(inputs) {
    const failures = failuresOf(inputs, checks);
    const canonical = typeof inputs.ip === "string" ? canonicalAddress(inputs.ip) : undefined;
    return { inputs: canonical === undefined ? inputs : { ...inputs, ip: canonical }, failures };
  },

  diff(state, declared, inputs) {
    const { changed, replaces } = difference(state, declared, inputs, comparison);
    // An address cannot stand on both lists, not even for a moment.
    return { changed, replaces, deleteBeforeReplace: replaces.includes("list") && !replaces.includes("ip") };
  },

  async create(inputs, run) {
    const entry = entryOf(inputs);
    const state = { ...inputs, ip: entry.ip, list: entry.list };
    await run.context.alone("allowlists", async () => {
      const settings = await fresh(run);
      const listed = isListed(settings, entry);
      if (listed && inputs.adopt !== true) {
        throw new ArgumentError(
          `${entry.ip} stands on the \`${entry.list}\` list already and was not put there here. Set \`adopt: true\` to take it over (\`pulumi destroy\` will take it off the list then).`,
        );
      }
      const other: AllowlistName = entry.list === "ui" ? "ports" : "ui";
      if (isListed(settings, { ...entry, list: other })) {
        throw new ArgumentError(
          other === "ui"
            ? `${entry.ip} stands on the \`ui\` list, which lets it use every port too: it cannot be on the \`ports\` list as well. Leave this resource out, or take the address off the \`ui\` list.`
            : `${entry.ip} stands on the \`ports\` list, and the manager would take it off there when it goes on the \`ui\` list. Take it off the \`ports\` list first; the \`ui\` list lets it use every port too.`,
        );
      }
      if (!listed) await add(entry, settings, state, run);
    });
    return { id: idOf(entry), state };
  },

  async read(id, inputs, run) {
    const entry = entryOfId(id);
    if (!isListed(await run.context.managerSettings.get(run.deadline.signal), entry)) return undefined;
    return { ...inputs, ip: entry.ip, list: entry.list };
  },

  async update(id, _state, _declared, inputs, run) {
    // Whatever is not `ip` or `list` is about how requests are made, not about the entry; but that may be missing still.
    const { ip, list } = entryOfId(id);
    const state = { ...inputs, ip, list };
    await run.context.alone("allowlists", async () => {
      const settings = await fresh(run);
      const entry = entryOf(state);
      if (!isListed(settings, entry)) await add(entry, settings, state, run);
    });
    return state;
  },

  async delete(id, state, run) {
    const entry = entryOfId(id);
    const apiKey = typeof state.apiKey === "string" ? { apiKey: state.apiKey } : {};
    await run.context.alone("allowlists", async () => {
      const settings = await fresh(run);
      if (isListed(settings, entry)) await remove({ ...entry, ...apiKey }, settings, run);
    });
  },
} satisfies Lifecycle;

function entryOf(inputs: JsonObject): AllowlistEntry {
  return {
    ip: canonicalAddress(inputs.ip as string) as string,
    list: (inputs.list as AllowlistName | undefined) ?? "ui",
    ...(typeof inputs.apiKey === "string" ? { apiKey: inputs.apiKey } : {}),
  };
}

const idOf = ({ list, ip }: AllowlistEntry): string => `${list}/${ip}`;

function entryOfId(id: string): AllowlistEntry {
  const [, list, rest] = /^([a-z]+)\/(.+)$/.exec(id) ?? [];
  const ip = rest === undefined ? undefined : canonicalAddress(rest);
  if (ip === undefined || !LISTS.includes(list as AllowlistName)) {
    throw new ArgumentError(
      `${JSON.stringify(id)} is not the id of an allowed address: expected the list and the address, such as "ui/203.0.113.7".`,
    );
  }
  return { list: list as AllowlistName, ip };
}

const fresh = async (run: Run, signal = run.deadline.signal): Promise<GeneralSettings> => {
  run.context.managerSettings.forget();
  return run.context.manager.settings.get({ signal });
};

const listOf = (settings: GeneralSettings, list: AllowlistName): string[] =>
  list === "ui" ? settings.wwwWhitelistIps : settings.whitelistIps;

const isListed = (settings: GeneralSettings, entry: AllowlistEntry): boolean =>
  addressSet(listOf(settings, entry.list)).has(entry.ip);

/**
 * Puts an entry on its list.
 *
 * @throws {PartialFailure} when it may stand there
 */
async function add(entry: AllowlistEntry, before: GeneralSettings, state: JsonObject, run: Run): Promise<void> {
  const options = { signal: run.deadline.signal };
  const keyed = await withKey(entry, run);
  let lost: unknown;
  try {
    await run.context.manager.allowlists.add(keyed, options);
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    lost = error;
  }
  const isThere = await confirm(entry, before, run).catch((error: unknown) => {
    throw new PartialFailure(idOf(entry), state, lost ?? error);
  });
  if (isThere) return;
  throw (
    lost ??
    new ArgumentError(`The Proxy Manager accepted ${entry.ip} for the \`${entry.list}\` list but did not put it there.`)
  );
}

/** Whether an entry stands on its list now; puts it there by other means where the manager made something else of it. */
async function confirm(entry: AllowlistEntry, before: GeneralSettings, run: Run): Promise<boolean> {
  if (isListed(await fresh(run, settleSignal()), entry)) return true;
  if (entry.list === "ports" || !entry.ip.includes("/")) return false;
  // Managers before 1.643 drop the mask here and allow the network's first address alone. The list as a whole takes it.
  const whole = [...before.wwwWhitelistIps, entry.ip];
  await run.context.manager.settings.setWwwWhitelistIps(whole, { signal: run.deadline.signal });
  return isListed(await fresh(run), entry);
}

async function remove(entry: AllowlistEntry, before: GeneralSettings, run: Run): Promise<void> {
  const { manager } = run.context;
  const options = { signal: run.deadline.signal };
  try {
    await manager.allowlists.remove(await withKey(entry, run), options);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  if (entry.list === "ui" && isListed(await fresh(run), entry)) {
    const kept = before.wwwWhitelistIps.filter((ip) => canonicalAddress(ip) !== entry.ip);
    await manager.settings.setWwwWhitelistIps(kept, options);
  }
}

/**
 * The entry with the key that its list wants: the resource's own, the configured one, or the manager's current one, which is
 * read without replacing it. Generating one makes the one before it useless to everybody, so that happens only when there
 * is none at all.
 */
async function withKey(entry: AllowlistEntry, run: Run): Promise<AllowlistEntry> {
  const { manager } = run.context;
  const given = entry.apiKey ?? manager.apiKey?.value;
  if (given === undefined && entry.list === "ui") return entry;
  manager.refusePlainHttp();
  if (given !== undefined) return { ...entry, apiKey: given };
  const options = { signal: run.deadline.signal };
  try {
    const apiKey = (await manager.apiKeys.current(options)) ?? (await manager.apiKeys.generate(options));
    return { ...entry, apiKey };
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error;
    throw new ArgumentError(
      `The \`ports\` list cannot be changed without the manager's API key, and it may not be read from here. Give it with \`apiKey\`, brightdata:managerApiKey or BRIGHTDATA_MANAGER_API_KEY.`,
      { cause: error },
    );
  }
}
