import { ArgumentError, BrightDataError, NotFoundError, PermissionError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { canonicalAddress, isWithin } from "../../declaration/address";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { addressSet } from "../../declaration/values";
import { present } from "../../http/optional";
import { begin, begunBefore, isBegun, leftBehind, tookUp } from "../../lifecycle/creation";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { keeping, type Step } from "../../lifecycle/lifecycle";
import { isPossible } from "../../lifecycle/schema";
import { lossOf, mayBeGone, settleSignal } from "../../lifecycle/settle";
import type { AllowlistEntry } from "../../manager/allowlists";
import type { PortFields } from "../../manager/portFields";
import { EVERYBODY } from "../../model/allowedAddress";
import type { GeneralSettings } from "../../model/generalSettings";
import { allowedThing } from "../shared/things";
import { withWholeLists } from "../shared/wholeLists";
import { whitelistIp } from "./declaration";
import { entryOfId, firstAddressOf, idOf, isList, isListed, isUiBlock, LISTS, listedStray, listOf } from "./entry";
import { removeWithKey, withKey } from "./key";

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

  open: ({ firstAddress }) => (firstAddress === undefined ? [] : ["ip"]),

  judge: (difference) => ({
    ...difference,
    // An address cannot stand on both lists, not even for a moment.
    deleteBeforeReplace: difference.replaces.includes("list") && !difference.replaces.includes("ip"),
  }),

  holdings(id, { ip, list = "ui" }) {
    const entry = id === undefined ? undefined : entryOfId(id);
    if (entry !== undefined) return { has: [allowedThing(entry.list, entry.ip)] };
    const canonical = typeof ip === "string" ? canonicalAddress(ip) : undefined;
    return { has: canonical === undefined || !isList(list) ? [] : [allowedThing(list, canonical)] };
  },

  async create(inputs, step) {
    const entry = entryOf(inputs);
    const { ip, list } = entry;
    const state = { ...inputs, ip, list };
    await changing(step, async () => {
      const settings = await observe(entry, step);
      const place = placeOf(entry);
      const begun = begunBefore(step, place.isSame);
      if (isListed(settings, entry)) {
        const isReleased = step.context.claims.released.has(allowedThing(list, ip));
        if (isBegun(place, entry, step) === true) tookUp(place.title, step);
        else if (inputs.adopt !== true && !isReleased) {
          throw existsAlready(`${ip} stands on the \`${list}\` list already and was not put there here`, [
            "set `adopt: true` to take it over (`pulumi destroy` will take it off the list then)",
          ]);
        }
      }
      refuseOther(entry, settings);
      await ensure(entry, begun?.facts.firstAddress, settings, state, step);
    });
    return { id: idOf(entry), state };
  },

  async read(id, inputs, step, state) {
    const { ip, list } = entryOfId(id);
    const shared = await step.context.managerSettings.get(step.deadline.signal);
    const settings = isListed(shared, { ip, list }) ? shared : await observe({ ip, list }, step);
    const stray = strayOf(state.firstAddress, settings, step);
    if (stray === undefined && (await isGone({ ip, list }, settings, step))) return undefined;
    // What a program has to say of the entry besides, where nobody has.
    const declared = inputs ?? (ip === EVERYBODY ? { allowAny: true as const } : {});
    return { ...declared, ip, list, ...present({ firstAddress: stray?.ip }) };
  },

  async update(id, { firstAddress }, _declared, inputs, step) {
    // Whatever is not `ip` or `list` is about how requests are made, not about the entry; but that may be missing still.
    const { ip, list } = entryOfId(id);
    const state = { ...inputs, ip, list };
    await changing(step, async () =>
      ensure(entryOf(state), firstAddress, await observe(entryOf(state), step), state, step),
    );
    return state;
  },

  async delete(id, state, step) {
    const apiKey = present({ apiKey: state.apiKey });
    const entry = { ...entryOfId(id), ...apiKey };
    let { firstAddress } = state;
    const removed = changing(step, async () => {
      let settings = await observe(entry, step);
      const stray = strayOf(firstAddress, settings, step);
      // The manager may answer nothing any more once the entry is off.
      if (stray !== undefined) {
        await remove({ ...stray, ...apiKey }, await observe(stray, step), step);
        settings = await observe(entry, step);
      }
      firstAddress = undefined;
      if (!(await isGone(entry, settings, step))) await remove(entry, settings, step);
    });
    await removed.catch((error: unknown) => {
      const own = refusedFor(error, entry);
      if (own === undefined) throw error;
      const left = firstAddress === undefined ? "" : ` ${firstAddress} may stand there in its place.`;
      step.say?.(
        `${entry.ip} is off the \`ui\` list: from now on, the Proxy Manager refuses ${own}, where this runs.${left}`,
      );
    });
  },

  async list(step) {
    const settings = await step.context.managerSettings.get(step.deadline.signal);
    const entries = LISTS.flatMap((list) => [...addressSet(listOf(settings, list))].map((ip) => ({ list, ip })));
    return entries.filter(({ ip }) => isPossible(whitelistIp.inputs.ip, ip)).map(idOf);
  },
});

const entryOf = ({ ip, list = "ui", apiKey }: InputsOf<typeof whitelistIp>): AllowlistEntry =>
  present({ ip: canonicalAddress(ip) ?? ip, list, apiKey });

/** A list has an address once. */
const placeOf = ({ ip, list }: AllowlistEntry) => ({
  title: `${ip} on the \`${list}\` list`,
  isSame: (facts: JsonObject) => facts.entry === idOf({ ip, list }),
});

/** What an older manager has made of the entry; not where the program has another resource of that address. */
function strayOf(firstAddress: unknown, settings: GeneralSettings, { context, me }: Step): AllowlistEntry | undefined {
  const stray = listedStray(firstAddress, settings);
  return stray && context.claims.isAnothers(allowedThing(stray.list, stray.ip), me) ? undefined : stray;
}

function refuseOther({ ip, list }: AllowlistEntry, settings: GeneralSettings): void {
  const other = list === "ui" ? "ports" : "ui";
  if (!isListed(settings, { ip, list: other })) {
    if (list === "ui" || !addressSet(settings.fixedWhitelistIps).has(ip)) return;
    throw new ArgumentError(
      `${ip} stands on the Proxy Manager's command line (\`--whitelist_ips\`), which lets it use every port: the manager keeps no entry of it. Leave this resource out.`,
    );
  }
  throw new ArgumentError(
    other === "ui"
      ? `${ip} stands on the \`ui\` list, which lets it use every port too: it cannot be on the \`ports\` list as well. Leave this resource out, or take the address off the \`ui\` list.`
      : `${ip} stands on the \`ports\` list, and the manager would take it off there when it goes on the \`ui\` list. Take it off the \`ports\` list first; the \`ui\` list lets it use every port too.`,
  );
}

/** Runs a task that changes entries while no other does: some lists are written as a whole. */
function changing({ context, deadline }: Step, task: () => Promise<void>): Promise<void> {
  return context.alone("allowlists", () => task().finally(() => context.managerSettings.forget()), deadline);
}

/** The settings; where an entry is not listed, with all that another answer lists besides: one alone may be short. */
async function observe(entry: AllowlistEntry, step: Step, signal = step.deadline.signal): Promise<GeneralSettings> {
  const { settings } = step.context.manager;
  const first = await settings.get({ signal });
  return isListed(first, entry) ? first : withWholeLists(first, step, signal);
}

/**
 * Whether an entry that two answers do not list is certainly gone: the record of a port has all addresses of the lists, too. What
 * every port has anyway, two answers tell of alone, as they do of a manager that has no port.
 */
async function isGone(entry: AllowlistEntry, settings: GeneralSettings, step: Step): Promise<boolean> {
  if (isListed(settings, entry)) return false;
  const { ip, list } = entry;
  const isAnyway =
    list === "ui" ? isListed(settings, { ip, list: "ports" }) : addressSet(settings.fixedWhitelistIps).has(ip);
  if (isAnyway) return true;
  const ports = await portsOf(step);
  const isOnPort = ({ whitelistIps = [] }: PortFields) => addressSet(whitelistIps).has(ip);
  return ports.length === 0 || !ports.every(isOnPort);
}

/**
 * The address for which the manager has refused a request, where the entry would let it in: it is gone, then. Whoever has taken
 * their own address off is told so by nothing else.
 */
function refusedFor(error: unknown, { ip, list }: AllowlistEntry): string | undefined {
  if (!(error instanceof PermissionError) || list !== "ui") return undefined;
  const [, own] = /your ip is forbidden.* add (\S+) to /i.exec(error.serviceMessage) ?? [];
  return own !== undefined && isWithin(own, ip) ? own : undefined;
}

/** All ports. That there is not even the drop-in port takes two answers: a manager without one says in its settings that it has one. */
async function portsOf({ context: { manager }, deadline }: Step): Promise<PortFields[]> {
  const first = await manager.ports.list(deadline);
  return first.length > 0 ? first : manager.ports.list(deadline);
}

/** @param firstAddress what may stand on the list in place of the entry */
async function ensure(
  entry: AllowlistEntry,
  firstAddress: unknown,
  before: GeneralSettings,
  state: State,
  step: Step,
): Promise<void> {
  const stray = strayOf(firstAddress, before, step);
  if (stray !== undefined)
    await writeWhole(entry, stray.ip, before, step).catch(keeping(idOf(entry), { ...state, firstAddress }));
  else if (!isListed(before, entry)) await add(entry, before, state, step);
}

async function add(entry: AllowlistEntry, before: GeneralSettings, state: State, step: Step): Promise<void> {
  const keyed = await withKey(entry, step);
  const firstAddress = firstAddressOf(entry, before);
  const strays = present({ firstAddress });
  const kept = { id: idOf(entry), state: { ...state, ...strays } };
  const place = placeOf(entry);
  const creation = {
    ...place,
    facts: { entry: idOf(entry), ...strays },
    thing: allowedThing(entry.list, entry.ip),
    kept,
    async look(_facts: JsonObject, signal: AbortSignal) {
      const now = await observe(entry, step, signal);
      return isListed(now, entry) || listedStray(firstAddress, now) !== undefined ? [entry] : [];
    },
    async send(signal: AbortSignal) {
      await step.context.manager.allowlists.add(keyed, { signal });
      return [];
    },
    isRepeatable: () => true,
    remedy: "The next `pulumi up` looks for it again, and puts it there if it is not.",
    advice: leftBehind(
      place.title,
      "If it stands there, declare a WhitelistIp with `adopt: true` to manage it, or take it off the list.",
    ),
  };
  await begin(creation, step);
  await requirePut(entry, firstAddress, step).catch(keeping(kept.id, kept.state));
}

/** @throws where an entry that the manager has accepted is not listed: it is not forgotten because lists are short */
async function requirePut(entry: AllowlistEntry, firstAddress: string | undefined, step: Step): Promise<void> {
  const now = await observe(entry, step, settleSignal());
  if (isListed(now, entry)) return;
  // The list as a whole takes a block from managers of all versions.
  if (!isUiBlock(entry)) throw notKept(entry);
  await writeWhole(entry, firstAddress, now, step);
}

/** How often a list is written whole: another program may write what it has read before. */
const TRIES = 4;

/** Writes the whole `ui` list: with an entry, and without what stands there in its place. */
async function writeWhole(
  entry: AllowlistEntry,
  firstAddress: string | undefined,
  before: GeneralSettings,
  step: Step,
): Promise<void> {
  let now = before;
  for (let tries = 0; tries < TRIES; tries++) {
    const { wwwWhitelistIps } = await withWholeLists(now, step);
    const others = wwwWhitelistIps.filter((ip) => ![firstAddress, entry.ip].includes(canonicalAddress(ip)));
    await step.context.manager.settings.setWwwWhitelistIps([...others, entry.ip], step.deadline);
    now = await observe(entry, step);
    if (isListed(now, entry) && listedStray(firstAddress, now) === undefined) return;
  }
  throw notKept(entry);
}

const notKept = (entry: AllowlistEntry): BrightDataError =>
  new BrightDataError(
    `The Proxy Manager accepted ${entry.ip} for the \`${entry.list}\` list but did not put it there.`,
  );

async function remove(entry: AllowlistEntry, before: GeneralSettings, step: Step): Promise<void> {
  const { ip, list } = entry;
  // A manager before 1.643 would take the first address of a block off instead.
  const isSafe = !isUiBlock(entry) || firstAddressOf(entry, before) !== undefined;
  const lost = isSafe ? await lossOf(removeWithKey(entry, step), step, mayBeGone) : undefined;
  let now = await observe(entry, step, settleSignal());
  for (let tries = 0; isListed(now, entry) && list === "ui" && tries < TRIES; tries++) {
    const { wwwWhitelistIps } = await withWholeLists(now, step);
    const kept = wwwWhitelistIps.filter((other) => canonicalAddress(other) !== ip);
    await step.context.manager.settings.setWwwWhitelistIps(kept, step.deadline);
    now = await observe(entry, step);
  }
  if (!isListed(now, entry)) return;
  const words = `The Proxy Manager was to take ${ip} off the \`${list}\` list, and it still stands there.`;
  throw lost === undefined || lost instanceof NotFoundError ? new BrightDataError(words) : lost;
}
