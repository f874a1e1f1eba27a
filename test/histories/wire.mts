import type { JsonObject } from "../../src/base/json.ts";
import { unsealed } from "../protocol.mts";
import type { Declaration } from "./program.mts";
import { sorted } from "./sorted.mts";

/** What the state has of a resource's declaration. */
export const recordOf = ({ urn, properties: declared, dependencies, deletedWith, provider }: Declaration) => ({
  urn,
  declared,
  dependencies,
  deletedWith,
  provider,
});

/** Values as the engine keeps and sends them: their keys are sorted. */
export const wire = (values: JsonObject): JsonObject => sorted(unsealed(values)) as JsonObject;
