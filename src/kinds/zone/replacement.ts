import { isObject, type JsonObject } from "../../base/json";
import { isRetained, NO_LONGER, RETAINED } from "../../declaration/kind";
import { type Fate, UNKNOWN } from "../../lifecycle/lifecycle";
import { piecesIn } from "./pieces";

/** Stands for the option `retainOnDelete` where the state is from before it: the engine goes by the state. */
const NOT_YET = "not yet";

/** The inputs with what they say of the option `retainOnDelete`. */
export function withRetention(inputs: JsonObject, { [RETAINED]: former = NO_LONGER }: JsonObject = {}): JsonObject {
  const wasSet = former !== NO_LONGER;
  if (inputs[RETAINED] === undefined) return wasSet ? { ...inputs, [RETAINED]: NO_LONGER } : inputs;
  return { ...inputs, [RETAINED]: wasSet ? true : NOT_YET };
}

/** What is kept, made anew and lost with the zone of a state, in words. */
export function replacementOf(state: JsonObject, inputs: JsonObject, fate: Fate): string {
  // Somebody may have emptied the state.
  const zone = `Zone ${state.name ?? inputs.name}`;
  const pieces = isObject(inputs.plan) ? piecesIn(inputs.plan) : undefined;
  const bought = pieces === undefined ? "" : ` and ${pieces.words}`;
  const name = typeof inputs.name === "string" && inputs.name !== state.name ? ` ${inputs.name}` : "";
  const anew = `The new zone${name} gets a password${bought} of its own, and what the program declares for it is made anew.`;
  if (fate === "gone") return `${zone} is gone, and is made anew. ${anew}`;
  if (fate === "another's") {
    return `${zone} is replaced by another, and kept as it is: another resource of this program has it. ${anew}`;
  }
  if (isRetained(inputs)) {
    return `${zone} is replaced by another, and kept as it is, because of \`retainOnDelete\`. It goes on to cost what it costs. ${anew}`;
  }
  const unless =
    inputs[RETAINED] === UNKNOWN
      ? ", unless an earlier update has set `retainOnDelete`: then it stays, and costs on"
      : "";
  return `${zone} is replaced: its passwords, its IPs and its access lists are lost${unless}. ${anew}`;
}
