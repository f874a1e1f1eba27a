import type { z } from "zod";
import type { Call } from "./call";
import type { Success } from "./success";
import type { Transport } from "./transport";

/** What a client does with its transport. */
export type Operation<Result> = (transport: Transport) => Promise<Result>;

/** Reads JSON of a shape. @internal */
export const json =
  <Answer>(shape: z.ZodType<Answer>, call: Call): Operation<Answer> =>
  (transport) =>
    transport.json(call, shape);

/** Does something of whose answer nothing counts but the success. */
export const send =
  (success: Success, call: Call): Operation<void> =>
  async (transport) => {
    await transport.send(call, success);
  };
