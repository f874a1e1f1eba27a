import type { Operation } from "./operation";
import type { Transport } from "./transport";

/** The operations of a module, carried out. */
export type Noun<Module> = {
  [Name in keyof Module as Module[Name] extends (...args: never[]) => Operation<unknown>
    ? Name
    : never]: Module[Name] extends (...args: infer Args) => Operation<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/**
 * The operations of a module, carried out by a transport. The module, and with it the libraries that it reads answers with, is
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
      return async (...args: unknown[]) => {
        // An import takes a while even where it is not the first one.
        module ??= load();
        const operation: unknown = Reflect.get(await module, name);
        if (typeof operation !== "function") throw new TypeError(`There is no operation ${name}.`);
        return operation(...args)(transport);
      };
    },
  });
}
