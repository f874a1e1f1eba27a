import { create, type DescMethod, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import type { methodsOf } from "../../src/plugin/methods";

type Service = typeof ResourceProvider;
type Name = keyof Service["method"] & keyof ReturnType<typeof methodsOf>;

/** Asks a method as the engine does: all goes through the messages. */
export type Ask = <N extends Name>(name: N, request: object) => Promise<MessageShape<Service["method"][N]["output"]>>;

export const asking =
  (methods: ReturnType<typeof methodsOf>): Ask =>
  async (name, request) => {
    const { input, output }: DescMethod = ResourceProvider.method[name];
    const sent = fromBinary(input, toBinary(input, create(input, request as never)));
    const handler = methods[name] as unknown as (request: unknown) => Promise<object>;
    return fromBinary(output, toBinary(output, create(output, (await handler(sent)) as never))) as never;
  };
