import { create, type DescMethod, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import type { methodsOf } from "../../src/plugin/methods";

type Service = typeof ResourceProvider;
type Name = keyof Service["method"] & keyof ReturnType<typeof methodsOf>;

/** Asks a method as the engine does: all goes through the messages. */
export type Ask = <N extends Name>(name: N, request: object) => Promise<MessageShape<Service["method"][N]["output"]>>;

/** @param answer answers a message in bytes */
export const askingBy =
  (answer: (method: DescMethod, message: Uint8Array) => Promise<Uint8Array>): Ask =>
  async (name, request) => {
    const method: DescMethod = ResourceProvider.method[name];
    const sent = toBinary(method.input, create(method.input, request as never));
    return fromBinary(method.output, await answer(method, sent)) as never;
  };

export const asking = (methods: ReturnType<typeof methodsOf>): Ask =>
  askingBy(async ({ localName, input, output }, message) => {
    const handler = methods[localName as Name] as unknown as (request: unknown) => Promise<object>;
    return toBinary(output, create(output, (await handler(fromBinary(input, message))) as never));
  });
