import { type Facts, text } from "../declaration/property";

/** A network in which zones can have IPs of their own. */
export const ipPool = <const F extends Facts>(facts: F) => text({ ...facts, oneOf: ["dc", "static_res"] });
