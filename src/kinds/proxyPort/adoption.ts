import { type AlreadyExistsError, ArgumentError } from "../../base/errors";
import type { InputsOf } from "../../declaration/kind";
import { isSame } from "../../declaration/values";
import type { TakenError } from "../../lifecycle/creation";
import { existsAlready } from "../../lifecycle/existing";
import type { Step } from "../../lifecycle/lifecycle";
import { settleSignal } from "../../lifecycle/settle";
import { type ConfiguredPort, FIXED_FIELDS, portField } from "../../manager/portFields";
import { lastPort } from "../../model/portRange";
import { portThing } from "../shared/things";
import type { proxyPort } from "./declaration";

type Inputs = InputsOf<typeof proxyPort>;

/** The port that is to be taken over, where the list that many share tells of it: creating one would be refused. */
export async function listedToAdopt({ port, adopt }: Inputs, step: Step): Promise<ConfiguredPort | undefined> {
  if (adopt !== true || port === undefined) return undefined;
  const listed = await step.context.ports.find(port, step.deadline.signal);
  return listed?.proxyType === undefined ? undefined : listed;
}

/** The port that has a number which a creation was refused; fails unless it is to be taken over, and can be. */
export async function adoptable(
  port: number,
  taken: AlreadyExistsError | TakenError,
  inputs: Inputs,
  step: Step,
): Promise<ConfiguredPort> {
  const number = numberIn(taken.message) ?? port;
  const { words, record } = await ownerOf(number, taken.message, step);
  // A request that was given up has been carried out meanwhile.
  if (record?.pulumiId !== undefined && record.pulumiId === step.journal?.mark) return record;
  refuseAnothers(number, step);
  const another = "choose another number; without `port` the manager takes a free one";
  if (record === undefined || number !== port) {
    const range = `, in the range from \`port: ${port}\` on that \`multiply: ${inputs.multiply}\` asks for,`;
    throw new ArgumentError(`Port ${number}${number === port ? "" : range} is in use by ${words}: ${another}.`, {
      cause: taken,
    });
  }
  if (inputs.adopt !== true) {
    const ways = ["set `adopt: true` to take it over (`pulumi destroy` will delete it then)", another];
    throw existsAlready(`Port ${port} is in use by ${words}`, ways, taken);
  }
  return takenOver(record, inputs, step, taken);
}

/** A port that is to be taken over; fails where it differs in what cannot be changed, or is another resource's. */
export function takenOver(record: ConfiguredPort, inputs: Inputs, step: Step, cause?: Error): ConfiguredPort {
  const { port } = record;
  refuseAnothers(port, step);
  const fixed = FIXED_FIELDS.filter((field) => inputs[field] !== undefined);
  const differing = fixed.filter((field) => !isSame(portField(field), record[field], inputs[field]));
  if (differing.length === 0) {
    // One that the engine tells of from now on, and that has it, is refused.
    if (step.me !== undefined) step.context.claims.tookOver(step.me, [portThing(port)]);
    return record;
  }
  const shown = (value: unknown) => JSON.stringify(value) ?? "not set";
  const how = differing.map((field) => `\`${field}\` is ${shown(record[field])} and not ${shown(inputs[field])}`);
  throw new ArgumentError(
    `Port ${port} is ${described(record)}, and differs in what cannot be changed in place: ${how.join(", ")}. Declare what it is, or choose another number.`,
    { cause },
  );
}

function refuseAnothers(port: number, { context, me }: Step): void {
  if (context.claims.whoHas(portThing(port), me) !== "has") return;
  throw new ArgumentError(
    `Port ${port} is another resource's of this program: one that declares it too, or one without \`port\`, to which the manager has given that number. Declare each port once, and give numbers to all or to none.`,
  );
}

function described({ zone = "(the default)", internalName }: ConfiguredPort): string {
  const name = internalName === undefined ? "" : `, named ${JSON.stringify(internalName)}`;
  return `a proxy port of zone ${JSON.stringify(zone)}${name}`;
}

/** The number that is in use: of a range, it may be any. */
function numberIn(words: string): number | undefined {
  const [, told, system] = /\bport (\d+) in use by\b|\balready in use \S*:(\d+)/i.exec(words) ?? [];
  return told === undefined && system === undefined ? undefined : Number(told ?? system);
}

/** Who has a number, in words; with the record where it is a port that can be adopted. */
async function ownerOf(port: number, words: string, step: Step): Promise<{ words: string; record?: ConfiguredPort }> {
  if (/another app|EADDRINUSE/i.test(words)) return { words: "another program on the manager's machine" };
  if (/UI\/API/i.test(words)) return { words: "the Proxy Manager itself (its UI and API)" };
  const ports = await step.context.manager.ports.list({ signal: settleSignal() }).catch(() => []);
  const record = ports.find((other) => other.port === port);
  if (record !== undefined && record.proxyType === undefined) return { words: "the Proxy Manager's drop-in port" };
  if (record !== undefined) return { words: described(record), record };
  const range = ports.find((other) => port > other.port && port <= lastPort(other));
  return { words: range === undefined ? "another proxy port" : `the range that port ${range.port} is multiplied to` };
}
