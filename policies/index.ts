export { type Declared, UNKNOWN } from "./declared";
export { BrightdataGuard, type GuardConfig } from "./guard";
export type { Level, Option, Policy, Violation } from "./policy";
export { RULES } from "./rules";
