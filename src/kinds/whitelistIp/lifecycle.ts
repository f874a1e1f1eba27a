import { ArgumentError, BrightDataError, NotFoundError, PermissionError, ServiceError } from "../../base/errors";
import { canonicalAddress } from "../../declaration/address";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { addressSet } from "../../declaration/values";
import { begunBefore, leftBehind } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { PartialFailure, type Run, UNKNOWN } from "../../lifecycle/lifecycle";
import { isPossible } from "../../lifecycle/schema";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { AllowlistEntry, AllowlistName } from "../../manager/allowlists";
import { EVERYBODY } from "../../model/allowedAddress";
import type { GeneralSettings } from "../../model/generalSettings";
import { allowedThing } from "../shared/things";
import { whitelistIp } from "./declaration";

type Inputs = InputsOf<typeof whitelistIp>;
type State = StateOf<typeof whitelistIp>;

export const whitelistIpLifecycle = lifecycle(whitelistIp, {
  complete(inputs) {
    const canonical = typeof inputs.ip === "string" ? canonicalAddress(inputs.ip) : undefined;
    return canonical === undefined ? inputs : { ...inputs, ip: canonical };
  },

  announce({ ip, list }, previous) {
    if (previous !== undefined || list !== undefined) return undefined;
    const address = typeof ip === "string" ? ip : "An address";
    return `${address} goes on the \`ui\` list: it may use the Proxy Manager's UI and API, and every port. For the ports alone, declare \`list: "ports"\`.`;
  },

  judge({ changed, replaces }, { firstAddress }) {
    const isMisplaced = firstAddress !== undefined && !changed.includes("ip");
    return {
      changed: isMisplaced ? [...changed, "ip"] : changed,
      replaces,
      // An address cannot stand on both lists, not even for a moment.
      deleteBeforeReplace: replaces.includes("list") && !replaces.includes("ip"),
    };
  },

  holds(id, { ip, list = "ui" }) {
    if (id !== undefined) {
      const entry = entryOfId(id);
      return [allowedThing(entry.list, entry.ip)];
    }
    const canonical = typeof ip === "string" ? canonicalAddress(ip) : undefined;
    return canonical === undefined || list === UNKNOWN ? [] : [allowedThing(list as AllowlistName, canonical)];
  },

  async create(inputs, run) {
    const entry = entryOf(inputs);
    const state = { ...inputs, ip: entry.ip, list: entry.list };
    await changing(run, async () => {
      const settings = await fresh(run);
      const begun = begunBefore(run, (facts) => facts.entry === idOf(entry))?.facts;
      if (isListed(settings, entry)) {
        if (begun !== undefined)
          run.say?.(`Took up ${title(entry)}, which an update that was cut short has put there.`);
        else if (inputs.adopt !== true) throw exists(entry);
      }
      const other: AllowlistName = entry.list === "ui" ? "ports" : "ui";
      if (isListed(settings, { ...entry, list: other })) {
        throw new ArgumentError(
          other === "ui"
            ? `${entry.ip} stands on the \`ui\` list, which lets it use every port too: it cannot be on the \`ports\` list as well. Leave this resource out, or take the address off the \`ui\` list.`
            : `${entry.ip} stands on the \`ports\` list, and the manager would take it off there when it goes on the \`ui\` list. Take it off the \`ports\` list first; the \`ui\` list lets it use every port too.`,
        );
      }
      await ensure(entry, begun?.firstAddress, settings, state, run);
    });
    return { id: idOf(entry), state };
  },

  async read(id, inputs, run, state) {
    const entry = entryOfId(id);
    const settings = await run.context.managerSettings.get(run.deadline.signal);
    const stray = listedStray(state.firstAddress, settings);
    if (!isListed(settings, entry) && stray === undefined) return undefined;
    return {
      ...(inputs ?? onPurpose(entry)),
      ip: entry.ip,
      list: entry.list,
      ...(stray === undefined ? {} : { firstAddress: stray.ip }),
    };
  },

  async update(id, { firstAddress }, _declared, inputs, run) {
    // Whatever is not `ip` or `list` is about how requests are made, not about the entry; but that may be missing still.
    const { ip, list } = entryOfId(id);
    const state = { ...inputs, ip, list };
    await changing(run, async () => ensure(entryOf(state), firstAddress, await fresh(run), state, run));
    return state;
  },

  async delete(id, state, run) {
    const entry = entryOfId(id);
    const apiKey = state.apiKey === undefined ? {} : { apiKey: state.apiKey };
    await changing(run, async () => {
      const settings = await fresh(run);
      if (isListed(settings, entry)) await remove({ ...entry, ...apiKey }, settings, run);
      const stray = listedStray(state.firstAddress, settings);
      if (stray !== undefined) await remove({ ...stray, ...apiKey }, await fresh(run), run);
    });
  },

  async list(run) {
    const settings = await run.context.managerSettings.get(run.deadline.signal);
    return LISTS.flatMap((list) =>
      [...addressSet(listOf(settings, list))]
        .filter((ip) => isPossible(whitelistIp.inputs.ip, ip))
        .map((ip) => idOf({ list, ip })),
    );
  },
});

const LISTS = ["ui", "ports"] as const;

function entryOf({ ip, list = "ui", apiKey }: Inputs): AllowlistEntry {
  return { ip: canonicalAddress(ip) ?? ip, list, ...(apiKey === undefined ? {} : { apiKey }) };
}

/** What a program has to say of an entry besides. */
const onPurpose = ({ ip }: AllowlistEntry): Partial<Inputs> => (ip === EVERYBODY ? { allowAny: true } : {});

const idOf = ({ list, ip }: AllowlistEntry): string => `${list}/${ip}`;

const title = ({ ip, list }: AllowlistEntry): string => `${ip} on the \`${list}\` list`;

const adviceOn = (entry: AllowlistEntry): string =>
  leftBehind(
    title(entry),
    "If it stands there, declare a WhitelistIp with `adopt: true` to manage it, or take it off the list.",
  );

const exists = (entry: AllowlistEntry): ArgumentError =>
  existsAlready(`${entry.ip} stands on the \`${entry.list}\` list already and was not put there here`, [
    "set `adopt: true` to take it over (`pulumi destroy` will take it off the list then)",
  ]);

function entryOfId(id: string): AllowlistEntry {
  const [, list, rest] = /^([a-z]+)\/(.+)$/.exec(id) ?? [];
  const ip = rest === undefined ? undefined : canonicalAddress(rest);
  if (ip === undefined || (list !== "ui" && list !== "ports")) {
    throw new ArgumentError(
      `${JSON.stringify(id)} is not the id of an allowed address: expected the list and the address, such as "ui/203.0.113.7".`,
    );
  }
  return { list, ip };
}

/** Runs a task that changes entries while no other does. */
const changing = (run: Run, task: () => Promise<void>): Promise<void> =>
  run.context.alone("allowlists", () => task().finally(() => run.context.managerSettings.forget()));

const fresh = (run: Run, signal = run.deadline.signal): Promise<GeneralSettings> =>
  run.context.manager.settings.get({ signal });

const listOf = (settings: GeneralSettings, list: AllowlistName): string[] =>
  list === "ui" ? settings.wwwWhitelistIps : settings.whitelistIps;

const isListed = (settings: GeneralSettings, entry: AllowlistEntry): boolean =>
  addressSet(listOf(settings, entry.list)).has(entry.ip);

/**
 * The first address of a block that a manager before 1.643 puts on the `ui` list in place of the block; `undefined` where that
 * cannot be told from an entry that was there before.
 */
function firstAddressOf(entry: AllowlistEntry, before: GeneralSettings): string | undefined {
  if (!isUiBlock(entry)) return undefined;
  const [first = ""] = entry.ip.split("/");
  return isListed(before, { ...entry, ip: first }) ? undefined : first;
}

const isUiBlock = ({ list, ip }: AllowlistEntry): boolean => list === "ui" && ip.includes("/");

/** The entry that an older manager has made of a block, where it stands on the list. */
function listedStray(firstAddress: unknown, settings: GeneralSettings): AllowlistEntry | undefined {
  if (typeof firstAddress !== "string") return undefined;
  const stray: AllowlistEntry = { list: "ui", ip: firstAddress };
  return isListed(settings, stray) ? stray : undefined;
}

/**
 * Sees to it that an entry stands on its list.
 *
 * @param firstAddress what may stand there in its place
 * @throws {PartialFailure} when it, or what stands in its place, may be there
 */
async function ensure(
  entry: AllowlistEntry,
  firstAddress: unknown,
  before: GeneralSettings,
  state: State,
  run: Run,
): Promise<void> {
  const stray = listedStray(firstAddress, before);
  if (stray === undefined) {
    if (!isListed(before, entry)) await add(entry, before, state, run);
    return;
  }
  try {
    await writeWhole(entry, stray.ip, before, run);
  } catch (error) {
    throw new PartialFailure(idOf(entry), { ...state, firstAddress }, error);
  }
}

async function add(entry: AllowlistEntry, before: GeneralSettings, state: State, run: Run): Promise<void> {
  const keyed = await withKey(entry, run);
  const firstAddress = firstAddressOf(entry, before);
  const strays = firstAddress === undefined ? {} : { firstAddress };
  const unsure = (cause: unknown) => new PartialFailure(idOf(entry), { ...state, ...strays }, cause);
  run.journal?.begin({ entry: idOf(entry), ...strays }, adviceOn(entry), allowedThing(entry.list, entry.ip));
  let lost: unknown;
  try {
    await run.context.manager.allowlists.add(keyed, { signal: run.deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) {
      run.journal?.forget();
      throw error;
    }
    lost = error;
  }
  try {
    const now = await fresh(run, settleSignal());
    if (isListed(now, entry)) return;
    // The list as a whole takes a block from managers of all versions.
    if (isUiBlock(entry) && (lost === undefined || listedStray(firstAddress, now) !== undefined)) {
      await writeWhole(entry, firstAddress, now, run);
      return;
    }
  } catch (error) {
    throw unsure(lost ?? error);
  }
  if (lost !== undefined) throw unsure(lost);
  run.journal?.forget();
  throw notKept(entry);
}

/** Writes the whole `ui` list: with an entry, and without what stands there in its place. */
async function writeWhole(
  entry: AllowlistEntry,
  firstAddress: string | undefined,
  before: GeneralSettings,
  run: Run,
): Promise<void> {
  const others = before.wwwWhitelistIps.filter((ip) => ![firstAddress, entry.ip].includes(canonicalAddress(ip)));
  await run.context.manager.settings.setWwwWhitelistIps([...others, entry.ip], { signal: run.deadline.signal });
  const now = await fresh(run);
  if (!isListed(now, entry) || listedStray(firstAddress, now) !== undefined) throw notKept(entry);
}

const notKept = (entry: AllowlistEntry): BrightDataError =>
  new BrightDataError(
    `The Proxy Manager accepted ${entry.ip} for the \`${entry.list}\` list but did not put it there.`,
  );

async function remove(entry: AllowlistEntry, before: GeneralSettings, run: Run): Promise<void> {
  const { manager } = run.context;
  const options = { signal: run.deadline.signal };
  let failed: unknown;
  // A manager before 1.643 would take the first address of a block off instead.
  if (!isUiBlock(entry) || firstAddressOf(entry, before) !== undefined) {
    try {
      await removeWithKey(entry, run);
    } catch (error) {
      if (!(error instanceof NotFoundError) && !isUnsettled(error, run)) throw error;
      failed = error;
    }
  }
  let now = await fresh(run, settleSignal());
  if (isListed(now, entry) && entry.list === "ui") {
    const kept = now.wwwWhitelistIps.filter((ip) => canonicalAddress(ip) !== entry.ip);
    await manager.settings.setWwwWhitelistIps(kept, options);
    now = await fresh(run);
  }
  if (!isListed(now, entry)) return;
  throw (
    failed ??
    new BrightDataError(
      `The Proxy Manager was to take ${entry.ip} off the \`${entry.list}\` list, and it still stands there.`,
    )
  );
}

/**
 * Takes an entry off with the first key that the manager accepts: that of a state may have been replaced since, and no program
 * gives a state another one before it is destroyed. None is generated.
 */
async function removeWithKey(entry: AllowlistEntry, run: Run): Promise<void> {
  const tried = new Set<string | undefined>();
  let refusal: unknown;
  for await (const keyed of withKeys(entry, run)) {
    if (tried.has(keyed.apiKey)) continue;
    tried.add(keyed.apiKey);
    try {
      return await run.context.manager.allowlists.remove(keyed, { signal: run.deadline.signal });
    } catch (error) {
      if (!isRefusedKey(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

const isRefusedKey = (error: unknown): boolean => error instanceof ServiceError && [401, 403].includes(error.status);

/** The entry with the key that a change of it takes, then with the configured one and, where it may be read, the manager's own. */
async function* withKeys(entry: AllowlistEntry, run: Run): AsyncGenerator<AllowlistEntry> {
  const { manager } = run.context;
  yield withKey(entry, run);
  if (manager.apiKey !== undefined) yield { ...entry, apiKey: manager.apiKey.value };
  const current = await manager.apiKeys.current({ signal: run.deadline.signal }).catch(() => undefined);
  if (current !== undefined) yield { ...entry, apiKey: current };
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
