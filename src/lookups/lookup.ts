import { type ConnectionArgument, connection, type Service } from "../declaration/connection";
import type { Properties, ValuesOf } from "../declaration/property";
import type { CallOptions } from "../http/call";
import type { ManagerClient } from "../manager/client";
import type { RemoteClient } from "../remote/client";

/** When a function fails: the class of the error, and the end of a sentence that begins with "when". */
export type Failure = readonly [error: string, when: string];

/** What a function that looks something up is, said once. */
export interface Lookup {
  readonly name: string;
  /** What it does, in Markdown; the first sentence begins with a verb, as in "Looks up …". */
  readonly says: string;
  /** What it looks up in few words, for the tables of the README. */
  readonly brief: string;
  readonly service: Service;
  /** The requests that it sends. */
  readonly endpoints: readonly string[];
  readonly arguments: Properties;
  /** What its result is: a sentence. */
  readonly gives: string;
  readonly result: Properties;
  /** When it fails, besides for what any request fails for. */
  readonly fails: readonly Failure[];
  /** A program that uses it. */
  readonly example: string;
  /** A program that uses it with outputs, without its imports. */
  readonly outputExample: string;
  /** What a user has to know besides, in Markdown, for its page in `docs/functions`. */
  readonly notes?: string;
  ask(client: RemoteClient | ManagerClient, args: object, options: CallOptions): Promise<object>;
}

type ClientOf<S> = S extends "remote" ? RemoteClient : ManagerClient;

type LookupDefinition<S extends Service, A extends Properties, R extends Properties> = Omit<
  Lookup,
  "name" | "service" | "arguments" | "result" | "ask" | "fails"
> & {
  readonly arguments?: A;
  readonly result: R;
  readonly fails?: readonly Failure[];
  /** Looks it up. What is secret in the result is plain here. */
  ask(client: ClientOf<S>, args: ValuesOf<A>, options: CallOptions): Promise<ValuesOf<R>>;
};

const lookupFrom =
  <const S extends Service>(service: S) =>
  <
    const Name extends string,
    const R extends Properties,
    // biome-ignore lint/complexity/noBannedTypes: a function without arguments
    const A extends Properties = {},
  >(
    name: Name,
    given: LookupDefinition<S, A, R>,
  ): Lookup & { readonly name: Name; readonly arguments: A & ConnectionArgument<S>; readonly result: R } => {
    const all = Object.assign({}, given.arguments, connection(service));
    return { fails: [], ...given, service, arguments: all, name };
  };

/** Declares a function that looks something up with Bright Data's API. */
export const remoteLookup = lookupFrom("remote");

/** Declares a function that looks something up with the Proxy Manager. */
export const managerLookup = lookupFrom("manager");
