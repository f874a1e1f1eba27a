import type { JsonObject } from "../../base/json";
import { LOGICAL_NAME } from "../../declaration/kind";

/** Says of ports of which set they are, as the program calls it. Nothing where the state does not tell. */
export const ofSet = ({ [LOGICAL_NAME]: name }: JsonObject): string =>
  typeof name === "string" ? ` of the set ${JSON.stringify(name)}` : "";
