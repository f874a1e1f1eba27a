// The provider of bench/native once more, in Node.js, with the plugin's own messages and server: what is left of a run beside the
// engine's cost is that of any provider in Node.js.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import {
  DiffResponse_DiffChanges as Changes,
  type CheckRequest,
  ResourceProvider,
} from "../../src/plugin/messages/pulumi/provider_pb";
import { serve } from "../../src/plugin/server";

const CAPABILITIES = { acceptSecrets: true, acceptResources: true, acceptOutputs: true };

const inputsOf = async ({ news = {} }: CheckRequest) => ({ inputs: news });

/** Those of a proxy port, as the other's are. */
const outputs = (inputs: JsonObject = {}): JsonObject =>
  "port" in inputs ? { ...inputs, listenPort: inputs.port ?? 0 } : inputs;

void serve(ResourceProvider, {
  handshake: async () => CAPABILITIES,
  getPluginInfo: async () => ({ version: "0.1.0" }),
  checkConfig: inputsOf,
  diffConfig: async () => ({ changes: Changes.DIFF_NONE }),
  configure: async () => CAPABILITIES,
  check: inputsOf,
  diff: async ({ oldInputs, news }) => ({
    changes: isDeepStrictEqual(oldInputs, news) ? Changes.DIFF_NONE : Changes.DIFF_SOME,
  }),
  create: async ({ name, properties }) => ({ id: name, properties: outputs(properties) }),
  read: async ({ id, inputs = {}, properties = {} }) => ({ id, inputs, properties }),
  update: async ({ news }) => ({ properties: outputs(news) }),
  delete: async () => ({}),
  cancel: async () => ({}),
}).then(({ port }) => console.log(port));
