import type { MessageInitShape, JsonObject as WireObject } from "@bufbuild/protobuf";
import { messageOf } from "../base/cause";
import type { JsonObject } from "../base/json";
import { runsTypeScript } from "../base/projectFile";
import { DECLARED_KEY, LOOKED_UP, MARK_KEY } from "../pulumi/keys";
import { toldError } from "../pulumi/toldError";
import { nameIn } from "../pulumi/types";
import { configurationFailures, isSameConfiguration } from "./configuration";
import {
  CheckRequest_AutonamingOptions_Mode as Autonaming,
  DiffResponse_DiffChanges as Changes,
  type CheckRequest,
  type CheckResponseSchema,
  type DiffRequest,
  ErrorResourceInitFailedSchema,
  PropertyDiff_Kind as Kind,
  type ReadRequest,
  type ResourceProvider,
  type UpdateRequest,
} from "./messages/pulumi/provider_pb";
import type { PluginProvider } from "./provider";
import { type DetailedDifference, type HeldResource, InitFailed, type ResourceProtocol } from "./resource";
import { CODE, type Methods, RpcError, refusal } from "./server";
import type { Spelling } from "./spelling";

/** What the plugin says of itself. */
export interface About {
  version: string;
  /** The schema of the package. */
  schema(): string;
  /** How it speaks. */
  spelled: Spelling;
  /** What runs the program, as its project says. */
  runtime: string | undefined;
}

const CAPABILITIES = {
  acceptSecrets: true,
  acceptResources: false,
  acceptOutputs: false,
  supportsAutonamingConfiguration: true,
};

/** The methods of Pulumi's protocol of resource plugins. Of what is said meanwhile, the engine hears before it is answered. */
export function methodsOf(provider: PluginProvider, about: About, heard: () => Promise<void>) {
  const { spelled } = about;
  const on = async <T>(urn: string, task: (resource: ResourceProtocol) => Promise<T>): Promise<T> => {
    try {
      return await provider.on(urn, task);
    } catch (error) {
      if (!(error instanceof InitFailed)) throw new RpcError(CODE.unknown, spelled(messageOf(error)));
      const { id, properties, shown } = error;
      const words = spelled(shown.message);
      throw refusal(words, ErrorResourceInitFailedSchema, { id, properties: json(properties), reasons: [words] });
    } finally {
      await heard();
    }
  };
  return {
    async handshake({ engineAddress }) {
      provider.handshake(engineAddress);
      return CAPABILITIES;
    },
    getSchema: async () => ({ schema: about.schema() }),
    getPluginInfo: async () => ({ version: about.version }),
    attach: async () => ({}),

    async checkConfig({ urn, name, news }) {
      const failures = configurationFailures(news ?? {}, name || nameIn(urn));
      return { inputs: news ?? {}, failures: sentences(failures, spelled) };
    },
    // Whether another configuration leads elsewhere, each resource finds out before it is touched.
    async diffConfig({ olds, oldInputs, news }) {
      const isSame = isSameConfiguration(oldInputs ?? olds, news);
      return { changes: isSame ? Changes.DIFF_NONE : Changes.DIFF_SOME };
    },
    async configure({ args, name = "", urn = "" }) {
      provider.configure(args, name || nameIn(urn), urn);
      await heard();
      return { ...CAPABILITIES, supportsPreview: true };
    },

    check: ({ urn, olds, news, ...request }) =>
      on(urn, (resource) => check(resource, urn, olds, news, request, spelled)),
    diff: (request) =>
      on(request.urn, async (resource) => difference(await resource.diff(heldIn(request), request.news ?? {}))),
    create: ({ urn, properties = {}, preview, timeout }) =>
      on(urn, async (resource) => sent(await resource.create(urn, properties, preview, secondsIn(timeout)))),
    read: (request) =>
      on(request.urn, async (resource) => {
        const found = await resource.read(readIn(request), secondsIn(request.timeout));
        return found === undefined ? {} : { ...sent(found), inputs: json(found.inputs) };
      }),
    update: (request) =>
      on(request.urn, async (resource) => {
        const { news = {}, preview, timeout } = request;
        const { properties } = await resource.update(heldIn(request), news, preview, secondsIn(timeout));
        return { properties: json(properties) };
      }),
    delete: ({ urn, id, properties, oldInputs, timeout }) =>
      on(urn, async (resource) => {
        await resource.delete({ urn, id, state: properties, inputs: oldInputs }, secondsIn(timeout));
        return {};
      }),

    async invoke({ tok, args }) {
      const answer = await provider.invoke(tok, args);
      await heard();
      if (answer === undefined) throw new RpcError(CODE.invalidArgument, `There is no function ${tok}.`);
      if ("result" in answer) return { return: json(answer.result) };
      const property = runsTypeScript(about.runtime ?? "") ? toldError(answer.error, answer.fields) : answer.error;
      return { failures: [{ property, reason: spelled(answer.reason) }] };
    },
    async cancel() {
      provider.cancel();
      return {};
    },
  } satisfies Methods<typeof ResourceProvider>;
}

async function check(
  resource: ResourceProtocol,
  urn: string,
  olds: JsonObject | undefined,
  news: JsonObject = {},
  { name, autonaming }: Pick<CheckRequest, "name" | "autonaming">,
  spelled: Spelling,
): Promise<MessageInitShape<typeof CheckResponseSchema>> {
  const named = autonaming && {
    proposedName: autonaming.proposedName,
    isOff: autonaming.mode === Autonaming.DISABLE,
    isEnforced: autonaming.mode === Autonaming.ENFORCE,
  };
  const { inputs, failures } = await resource.check({ urn, name: name || nameIn(urn) }, olds, news, named);
  return { inputs: json(inputs), failures: sentences(failures, spelled) };
}

/** The engine prints the value of a property that is named, secret or not: the sentence says it all instead. */
const sentences = (failures: readonly string[], spelled: Spelling) =>
  failures.map((reason) => ({ property: "", reason: spelled(reason) }));

function difference({ changes, replaces, stables, deleteBeforeReplace, detailed }: DetailedDifference) {
  const entries = Object.entries(detailed).map(([path, { kind, isReplacing, inputDiff }]) => {
    return [path, { kind: Kind[isReplacing ? (`${kind}_REPLACE` as const) : kind], inputDiff }] as const;
  });
  return {
    changes: changes ? Changes.DIFF_SOME : Changes.DIFF_NONE,
    replaces,
    stables,
    deleteBeforeReplace,
    detailedDiff: Object.fromEntries(entries),
    hasDetailedDiff: entries.length > 0,
  };
}

const heldIn = ({ id, urn, olds, oldInputs }: DiffRequest | UpdateRequest): HeldResource => ({
  id,
  urn,
  state: olds,
  inputs: oldInputs,
});

/**
 * Of what is looked up and not known yet, engines up to 3.259 send empty inputs, and newer ones none, as of what is imported. What
 * the plugin has answered then bears a mark; what is managed and does so is never without inputs.
 */
function readIn({ id, urn, properties = {}, inputs }: ReadRequest): HeldResource & { isLookUp: boolean } {
  if (Object.keys(properties).length === 0)
    return { id, urn, state: properties, inputs: undefined, isLookUp: inputs !== undefined };
  const isLookUp = MARK_KEY in properties && Object.keys(inputs ?? {}).length === 0;
  return { id, urn, state: isLookUp ? { ...properties, [DECLARED_KEY]: LOOKED_UP } : properties, inputs, isLookUp };
}

/** What is sealed is plain JSON. */
const json = (values: JsonObject): WireObject => values as WireObject;

const sent = <T extends { properties: JsonObject }>(made: T) => ({ ...made, properties: json(made.properties) });

/** Absent where the engine does not say. */
const secondsIn = (timeout: number): number | undefined => (timeout > 0 ? timeout : undefined);
