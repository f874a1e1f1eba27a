import { isObject } from "../../base/json";
import type { InputsOf } from "../../declaration/kind";
import { addressSet } from "../../declaration/values";
import { UnknownOutcomeError } from "../../lifecycle/creation";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import type { ConfiguredPort } from "../../manager/portFields";
import { EVERYBODY } from "../../model/allowedAddress";
import { portFields } from "../../model/portFields";
import { lastPort } from "../../model/portRange";
import { portThing } from "../shared/things";
import type { proxyPort } from "./declaration";

type Inputs = InputsOf<typeof proxyPort>;

/**
 * Says what a port does not do, though the manager has taken it. What the manager does not tell is nobody's failure.
 *
 * @param live absent where it was created
 */
export async function sayDoubts(
  port: number,
  inputs: Inputs,
  live: ConfiguredPort | undefined,
  step: Step,
): Promise<void> {
  const { say } = step;
  if (say === undefined) return;
  const isNew = live === undefined;
  const open = await withoutPassword(inputs, live, step).catch(() => []);
  for (const doubt of [...unused(inputs), ...openTo(inputs, open)]) say(`port ${port}: ${doubt}`);
  if (isNew && (await isOff(inputs.zone, step).catch(() => false)))
    say(`port ${port}: zone ${JSON.stringify(inputs.zone)} is disabled. Every request fails until it is enabled.`);
  for (const doubt of isNew ? await overridden(inputs, step).catch(() => []) : []) say(`port ${port}: ${doubt}`);
  if (inputs.render === true && !(await isRendering(inputs.zone, step).catch(() => true)))
    say(
      `port ${port}: \`render\` has no effect with zone ${JSON.stringify(inputs.zone)}, which is neither an unblocker nor a SERP zone: an update sets it to false. Remove it.`,
    );
  for (const other of await missingPorts(port, inputs, step).catch(() => []))
    say(
      `port ${port}: there is no port ${other}, which a rule's \`retryPort\` names. Its requests are never answered.`,
    );
  const { iface } = inputs;
  if (isNew && (await isDeaf(port, iface, step).catch(() => false)))
    say(
      `port ${port} was created, but nothing listens: ${iface} is no address of the manager's machine. Change \`iface\`.`,
    );
}

/** Whether the zone is disabled, which may have changed since the zones were listed. */
async function isOff(zone: string, { context, deadline }: Step): Promise<boolean> {
  const isListedSo = async () =>
    (await context.managerZones.get(deadline.signal)).some(({ name, disabled }) => name === zone && disabled);
  if (!(await isListedSo())) return false;
  context.managerZones.forget();
  return isListedSo();
}

/** What the manager has its own value of, whatever is declared. */
async function overridden({ proxy, proxyPort, customer }: Inputs, { context, deadline }: Step): Promise<string[]> {
  if ((proxy ?? proxyPort ?? customer) === undefined) return [];
  const { customerId, accountId, proxyPort: own = proxyPort } = await context.managerSettings.get(deadline.signal);
  const known = customerId ?? accountId;
  const isOthers = customer !== undefined && known !== undefined && ![customerId, accountId].includes(customer);
  return [
    ...(proxyPort === undefined || own === proxyPort
      ? []
      : [
          `the manager uses its own port of the super proxy for a port that is new, or after a restart, and not \`proxyPort\`. Start the manager with \`--proxy_port ${proxyPort}\` instead.`,
        ]),
    ...(proxy === undefined || proxy === portFields.proxy.default
      ? []
      : [`\`proxy\` has no effect. Start the manager with \`--proxy ${proxy}\` instead.`]),
    ...(isOthers
      ? [`\`customer\` has no effect: requests are made for ${known}, whom the manager knows. Remove it.`]
      : []),
  ];
}

/** Whom the port lets in, though nobody may have meant them. */
function openTo({ whitelistIps = [] }: Inputs, users: readonly string[]): string[] {
  const [who, name] = users.length === 1 ? ["user", "that name"] : ["users", "one of these names"];
  const names = users.map((user) => JSON.stringify(user)).join(", ");
  return [
    ...(addressSet(whitelistIps).has(EVERYBODY)
      ? [`\`whitelistIps\` has "${EVERYBODY}": the whole internet may use the port.`]
      : []),
    ...(users.length > 0
      ? [`no password is asked of ${who} ${names}: whoever gives ${name} is let in. Set \`userPassword\`.`]
      : []),
  ];
}

/** The users whose name alone lets them in: the manager has a password of its own for those of its account. */
async function withoutPassword(
  inputs: Inputs,
  live: ConfiguredPort | undefined,
  { context, deadline }: Step,
): Promise<string[]> {
  const { user = "", users = [], multiplyUsers, userPassword = "" } = inputs;
  const named = (multiplyUsers === true ? users : [user]).filter(Boolean);
  if (named.length === 0 || userPassword !== "") return [];
  if (live?.userPassword) return [];
  // One that was taken away is empty, for these users, too.
  if (live?.userPassword === "") return named;
  const known = await context.managerUsers.get(deadline.signal);
  return named.filter((name) => !known.some(({ email }) => email === name));
}

/** Whether the scripts of pages can be run through a zone. */
async function isRendering(name: string, { context, deadline }: Step): Promise<boolean> {
  const zone = (await context.managerZones.get(deadline.signal)).find((each) => each.name === name);
  return zone === undefined || zone.plan.type === "unblocker" || [zone.plan.unblocker, zone.plan.serp].some(Boolean);
}

/** Says what a creation may have come to that has no answer. */
export function sayLoss(error: unknown, { reverseLookupFile }: Inputs, { say }: Step): void {
  const isLost = error instanceof PartialFailure || error instanceof UnknownOutcomeError;
  if (isLost && reverseLookupFile !== undefined)
    say?.(
      "the manager does not answer where `reverseLookupFile` names a folder, and holds the port's number until it is restarted.",
    );
}

/** The lists that the manager goes through only where the pool has their size, or where each has a port of its own. */
function unused({ ips = [], vips = [], poolSize = 0, multiply = 0, rules = [], ...flags }: Inputs): string[] {
  const isFilled = rules.some(({ action }) => action.reserveSession === true || action.reserve_session === true);
  const lists = [
    { name: "ips", length: ips.length, flag: "multiplyIps", isMultiplied: flags.multiplyIps },
    { name: "vips", length: vips.length, flag: "multiplyVips", isMultiplied: flags.multiplyVips },
    { name: "users", length: flags.users?.length ?? 0, flag: "multiplyUsers", isMultiplied: flags.multiplyUsers },
  ];
  return lists.flatMap(({ name, length, flag, isMultiplied }) => {
    if (length === 0) return [];
    if (isMultiplied === true)
      return multiply < length
        ? [`\`${flag}\` needs \`multiply: ${length}\`: so far, not all \`${name}\` get a port.`]
        : [];
    if (name === "users") return [`\`users\` is of no use without \`multiplyUsers\`.`];
    return poolSize === length || (isFilled && length < poolSize)
      ? []
      : [`the manager uses \`${name}\` only with \`poolSize: ${length}\`, their number.`];
  });
}

async function missingPorts(port: number, inputs: Inputs, { context, deadline, me }: Step): Promise<number[]> {
  const named = (inputs.rules ?? []).map(({ action }) =>
    isObject(action) ? (action.retryPort ?? action.retry_port) : 0,
  );
  const own = { ...inputs, port };
  const isOwn = (number: number) => number >= port && number <= lastPort(own);
  const others = [...new Set(named.map(Number))].filter(
    (number) => number > 0 && !isOwn(number) && context.claims.whoHas(portThing(number), me) === undefined,
  );
  if (others.length === 0) return [];
  const listed = await context.manager.ports.list(deadline);
  return others.filter((number) => !listed.some((each) => number >= each.port && number <= lastPort(each)));
}

/** Addresses that every machine has. */
const EVERYWHERE = ["127.0.0.1", "0.0.0.0"];

const LOG_LINES = 100;

/** How long its log may take to be written. One that writes errors alone says nothing of a port that listens. */
const LOG_SECONDS = 2;

/** Whether the manager could not listen. Its API does not say so: its log does, which may be written after the answer. */
async function isDeaf(port: number, iface: string | undefined, { context, deadline }: Step): Promise<boolean> {
  if (iface === undefined || EVERYWHERE.includes(iface) || !/^[\d.]+$/.test(iface)) return false;
  const told = await deadline.within(LOG_SECONDS, (part) =>
    part.poll(`looking port ${port} up in the manager's log`, async () => {
      const lines = await context.manager.logs.tail(LOG_LINES, part);
      return lines.findLast((line) => line.endsWith(`${iface}:${port}`) || line.endsWith(`Port ${port} ready`));
    }),
  );
  return told.includes(" EADDRNOTAVAIL ");
}
