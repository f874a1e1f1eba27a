import type { Transport } from "./transport";

/** The operations of a module, without their first argument: the transport is the client's. */
export type Noun<Module> = {
  [Name in keyof Module as Module[Name] extends (transport: Transport, ...rest: never[]) => Promise<unknown>
    ? Name
    : never]: Module[Name] extends (transport: Transport, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/**
 * The operations of a module, bound to a transport. The module, and with it the libraries that it reads answers with, is
 * loaded by the first call: importing this package has to cost a program next to nothing.
 */
export function noun<Module extends object>(transport: Transport, load: () => Promise<Module>): Noun<Module> {
  let module: Promise<Module> | undefined;
  return new Proxy({} as Noun<Module>, {
    get(target, name) {
      // What `await`, `JSON.stringify` and templates call of their own accord is no operation.
      if (typeof name === "symbol" || name === "then" || name === "toJSON" || name in target) {
        return Reflect.get(target, name);
      }
      return async (...rest: unknown[]) => {
        // An import takes a while even where it is not the first one.
        module ??= load();
        const operation: unknown = Reflect.get(await module, name);
        if (typeof operation !== "function") throw new TypeError(`There is no operation ${name}.`);
        return operation(transport, ...rest);
      };
    },
  });
}
