import { keysIn } from "../../base/json";
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

/** A port as it was to be. */
interface MadePort {
  port: number;
  inputs: Inputs;
  /** As it was found; absent where it was created. */
  live: ConfiguredPort | undefined;
  step: Step;
}

const DOUBTS = [forgotten, elsewhere, unused, letsInAll, letsInByName, isOff, overridden, overruled, unanswered];

/** Says what a port does not do, though the manager has taken it. What the manager does not tell is nobody's failure. */
export async function sayDoubts(made: MadePort): Promise<void> {
  const { port, inputs, live } = made;
  const { say } = made.step;
  if (say === undefined) return;
  for (const doubt of DOUBTS) for (const words of await doubt(made).catch(() => [])) say(`port ${port}: ${words}`);
  if (live === undefined && (await isDeaf(made).catch(() => false)))
    say(
      `port ${port} was created, but nothing listens: ${inputs.iface} is no address of the manager's machine. Change \`iface\`.`,
    );
}

/** Whether the manager keeps nothing. */
async function forgotten({ live, step: { context, deadline } }: MadePort): Promise<string[]> {
  if (live !== undefined || !(await context.managerSettings.get(deadline.signal)).readOnly) return [];
  return once(
    context,
    "the manager was started with `--read_only`: a restart loses this port, and every other change.",
  );
}

/** Whether the zone is that of an account which the program does not know, and another of its name may be meant. */
async function elsewhere({ inputs, live, step: { context, deadline } }: MadePort): Promise<string[]> {
  const owners = context.accounts.map(({ owner }) => owner);
  if (live !== undefined || owners.includes(undefined)) return [];
  const { customer, customerId, accountId } = await context.managerSettings.get(deadline.signal);
  const theirs = [customer, customerId, accountId].filter(Boolean);
  if (theirs.length === 0 || theirs.some((id) => owners.includes(id))) return [];
  return once(
    context,
    `zone ${JSON.stringify(inputs.zone)} is that of ${theirs[0]}, to whose account the manager is logged in, and who pays for the traffic. The token is that of ${owners.join(", ")}.`,
  );
}

/** What goes for many ports is said of the first alone. */
const once = ({ told }: Step["context"], words: string): string[] => (told.size < told.add(words).size ? [words] : []);

/** Whether the zone is disabled, which may have changed since the zones were listed. */
async function isOff({ inputs: { zone }, live, step: { context, deadline } }: MadePort): Promise<string[]> {
  const isListedSo = async () =>
    (await context.managerZones.get(deadline.signal)).some(({ name, disabled }) => name === zone && disabled);
  if (live !== undefined || !(await isListedSo())) return [];
  context.managerZones.forget();
  const words = `zone ${JSON.stringify(zone)} is disabled. Every request fails until it is enabled.`;
  return (await isListedSo()) ? [words] : [];
}

/** What the manager has its own value of, whatever is declared. */
async function overridden({ inputs, live, step: { context, deadline } }: MadePort): Promise<string[]> {
  const { proxy, proxyPort, customer } = inputs;
  if (live !== undefined || (proxy ?? proxyPort ?? customer) === undefined) return [];
  const { customerId, accountId, proxyPort: own = proxyPort } = await context.managerSettings.get(deadline.signal);
  const known = customerId ?? accountId;
  const words: string[] = [];
  if (own !== proxyPort && proxyPort !== undefined)
    words.push(
      `the manager uses its own port of the super proxy for a port that is new, or after a restart, and not \`proxyPort\`. Start the manager with \`--proxy_port ${proxyPort}\` instead.`,
    );
  if (proxy !== undefined && proxy !== portFields.proxy.default)
    words.push(`\`proxy\` has no effect. Start the manager with \`--proxy ${proxy}\` instead.`);
  if (customer !== undefined && known !== undefined && ![customerId, accountId].includes(customer))
    words.push(`\`customer\` has no effect: requests are made for ${known}, whom the manager knows. Remove it.`);
  return words;
}

/** Whether the port lets everybody in, though nobody may have meant that. */
async function letsInAll({ inputs: { whitelistIps = [] } }: MadePort): Promise<string[]> {
  const words = `\`whitelistIps\` has "${EVERYBODY}": the whole internet may use the port.`;
  return addressSet(whitelistIps).has(EVERYBODY) ? [words] : [];
}

async function letsInByName(made: MadePort): Promise<string[]> {
  const users = await withoutPassword(made);
  if (users.length === 0) return [];
  const [who, name] = users.length === 1 ? ["user", "that name"] : ["users", "one of these names"];
  const names = users.map((user) => JSON.stringify(user)).join(", ");
  return [`no password is asked of ${who} ${names}: whoever gives ${name} is let in. Set \`userPassword\`.`];
}

/** The users whose name alone lets them in: the manager has a password of its own for those of its account. */
async function withoutPassword({ inputs, live, step: { context, deadline } }: MadePort): Promise<string[]> {
  const { user = "", users = [], multiplyUsers, userPassword = "" } = inputs;
  const named = (multiplyUsers === true ? users : [user]).filter(Boolean);
  if (named.length === 0 || userPassword !== "") return [];
  if (live?.userPassword) return [];
  // One that was taken away is empty, for these users, too.
  if (live?.userPassword === "") return named;
  const known = await context.managerUsers.get(deadline.signal);
  return named.filter((name) => !known.some(({ email }) => email === name));
}

/** What the manager makes of a port because of the kind of its zone, whatever is declared. */
async function overruled({ inputs, step: { context, deadline } }: MadePort): Promise<string[]> {
  const { render, ssl } = inputs;
  if (render !== true && ssl !== false) return [];
  const zone = (await context.managerZones.get(deadline.signal)).find(({ name }) => name === inputs.zone);
  if (zone === undefined) return [];
  const name = JSON.stringify(zone.name);
  const isUnblocker = zone.plan.type === "unblocker" || Boolean(zone.plan.unblocker);
  const words: string[] = [];
  if (render === true && !isUnblocker && !zone.plan.serp)
    words.push(
      `\`render\` has no effect with zone ${name}, which is neither an unblocker nor a SERP zone: an update sets it to false. Remove it.`,
    );
  if (ssl === false && isUnblocker)
    words.push(
      `\`ssl: false\` does not last with unblocker zone ${name}: the manager turns it on when it starts. Remove it.`,
    );
  return words;
}

/** Says what a creation may have come to that has no answer. */
export function sayLoss(error: unknown, { reverseLookupFile }: Inputs, { say }: Step): void {
  const isLost = error instanceof PartialFailure || error instanceof UnknownOutcomeError;
  if (isLost && reverseLookupFile !== undefined)
    say?.(
      "the manager does not answer where `reverseLookupFile` names a folder, and holds the port's number until it is restarted.",
    );
}

const MULTIPLIED = { ips: "multiplyIps", vips: "multiplyVips", users: "multiplyUsers" } as const;

/** The lists that the manager goes through only where the pool has their size, or where each has a port of its own. */
async function unused({ inputs }: MadePort): Promise<string[]> {
  const { poolSize = 0, multiply = 0, rules = [] } = inputs;
  const isFilled = rules.some(({ action }) => action.reserveSession === true || action.reserve_session === true);
  return keysIn(MULTIPLIED).flatMap((name) => {
    const flag = MULTIPLIED[name];
    const length = inputs[name]?.length ?? 0;
    if (length === 0) return [];
    if (inputs[flag] === true)
      return multiply < length
        ? [`\`${flag}\` needs \`multiply: ${length}\`: so far, not all \`${name}\` get a port.`]
        : [];
    if (name === "users") return [`\`users\` is of no use without \`multiplyUsers\`.`];
    return poolSize === length || (isFilled && length < poolSize)
      ? []
      : [`the manager uses \`${name}\` only with \`poolSize: ${length}\`, their number.`];
  });
}

/** The ports that rules name and nobody has. */
async function unanswered({ port, inputs, step: { context, deadline, me } }: MadePort): Promise<string[]> {
  const named = (inputs.rules ?? []).map(({ action }) => Number(action.retryPort ?? action.retry_port));
  const last = lastPort({ ...inputs, port });
  const others = [...new Set(named)].filter(
    (other) => other > 0 && (other < port || other > last) && context.claims.whoHas(portThing(other), me) === undefined,
  );
  if (others.length === 0) return [];
  const listed = await context.manager.ports.list(deadline);
  const missing = others.filter((other) => !listed.some((each) => other >= each.port && other <= lastPort(each)));
  return missing.map(
    (other) => `there is no port ${other}, which a rule's \`retryPort\` names. Its requests are never answered.`,
  );
}

/** Addresses that every machine has. */
const EVERYWHERE = ["127.0.0.1", "0.0.0.0"];

const LOG_LINES = 100;

/** How long its log may take to be written. One that writes errors alone says nothing of a port that listens. */
const LOG_SECONDS = 2;

/** Whether the manager could not listen. Its API does not say so: its log does, which may be written after the answer. */
async function isDeaf({ port, inputs: { iface }, step: { context, deadline } }: MadePort): Promise<boolean> {
  if (iface === undefined || EVERYWHERE.includes(iface) || !/^[\d.]+$/.test(iface)) return false;
  const told = await deadline.within(LOG_SECONDS, (part) =>
    part.poll(`looking port ${port} up in the manager's log`, async () => {
      const lines = await context.manager.logs.tail(LOG_LINES, part);
      return lines.findLast((line) => line.endsWith(`${iface}:${port}`) || line.endsWith(`Port ${port} ready`));
    }),
  );
  return told.includes(" EADDRNOTAVAIL ");
}
