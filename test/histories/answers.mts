import type { JsonObject } from "../../src/base/json.ts";
import type { PartialResult } from "../protocol.mts";
import type { Answer, BoxEvent } from "./box.mts";
import type { ProviderProcess } from "./providerProcess.mts";

type Method = "check" | "diff" | "create" | "read" | "update" | "delete";

/** What answers calls. */
type Answering = Pick<ProviderProcess, "handlers">;

type Call = (process: Answering, event: Required<Pick<BoxEvent, "id" | "olds" | "news">>) => Promise<JsonObject>;

/** What the process of dynamic resources does with each call, and the form in which it answers. */
const CALLS: Readonly<Record<Method, Call>> = {
  async check(process, { olds, news }) {
    return plain({ ...(await (await process.handlers(news)).check(olds, news)) });
  },
  async diff(process, { id, olds, news }) {
    const {
      changes,
      replaces = [],
      deleteBeforeReplace = false,
    } = await (await process.handlers(news)).diff(id, olds, news);
    return { changes: changes ? "DIFF_SOME" : "DIFF_NONE", replaces, deleteBeforeReplace };
  },
  async create(process, { news }) {
    const { id, outs } = await (await process.handlers(news)).create(news);
    return { id, properties: plain(outs) };
  },
  async read(process, { id, olds }) {
    const found = await (await process.handlers(olds)).read(id, olds);
    if (found.id === undefined) return { id: "" };
    const { props = {}, inputs } = found;
    return { id: found.id, properties: plain(props), ...(inputs === undefined ? {} : { inputs: plain(inputs) }) };
  },
  async update(process, { id, olds, news }) {
    const { outs } = await (await process.handlers(news)).update(id, olds, news);
    return { properties: plain(outs) };
  },
  async delete(process, { id, olds }) {
    await (await process.handlers(olds)).delete(id, olds);
    return {};
  },
};

/** What the process of dynamic resources answers to a call. */
export async function answerTo(process: Answering, event: BoxEvent): Promise<Answer> {
  const { method = "check", call = 0, id = "", olds = {}, news = {} } = event;
  try {
    return { call, result: await CALLS[method as Method](process, { id, olds, news }) };
  } catch (error) {
    if (!(error instanceof Error)) return { call, error: { message: String(error) } };
    const { id: made, properties = {}, reasons = [] } = error as PartialResult;
    const partial = made === undefined ? {} : { id: made, properties: plain(properties), reasons };
    return { call, error: { message: error.message, ...partial } };
  }
}

/** Values as they go over the wire, which has no `undefined`. */
function plain<T>(value: T): T {
  refuseUndefined(value);
  return value;
}

function refuseUndefined(value: unknown): void {
  if (value === undefined) throw new TypeError("Unexpected struct type: undefined.");
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) refuseUndefined(item);
}
