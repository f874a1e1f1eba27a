import * as pulumi from "@pulumi/pulumi";
import * as errors from "../base/errors";
import type { Kind } from "../declaration/kind";
import type { Lookup } from "../lookups/lookup";
import { type Ask, invoke, invokeOutput, invokeSecretOutput } from "./function";
import { NATIVE, ofThisVersion, requirePlugin } from "./nativeForm";
import { providerOf } from "./provider";
import { complete, lookUp, registration } from "./resource";
import type { FunctionOptions } from "./settings";
import { isResource } from "./type";

/** The class of a kind of resource of the plugin: what a program sees of it is the same as of the dynamic one. */
export function nativeClass<Class>(kind: Kind): Class {
  const type = NATIVE.typeOf(kind.name);
  class Native extends pulumi.CustomResource {
    /** @internal */
    static readonly __pulumiType = type;

    constructor(name: string, args: object = {}, options?: pulumi.CustomResourceOptions) {
      super(...registration(kind, name, args, options, NATIVE));
      complete(this, kind, args, options, NATIVE);
    }

    static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Native {
      return new Native(name, {}, lookUp(id, options));
    }

    static override isInstance(value: unknown): value is Native {
      return isResource(value, type);
    }
  }
  Object.defineProperty(Native, "name", { value: kind.name });
  if (!kind.isReadable) Reflect.deleteProperty(Native, "get");
  return Native as Class;
}

type Load = () => Promise<Lookup>;

/** A function of the plugin. */
export const nativeFunction = <Function>(load: Load): Function => invoke(load, byPlugin) as Function;

export const nativeOutput = <Function>(load: Load): Function => invokeOutput(load, byPlugin) as Function;

export const nativeSecretOutput = <Function>(load: Load): Function => invokeSecretOutput(load, byPlugin) as Function;

const byPlugin: Ask = async ({ name }, args, options: FunctionOptions) => {
  requirePlugin();
  const provider = providerOf(options, NATIVE);
  const token = NATIVE.typeOf(name);
  const asked = { ...ofThisVersion(), ...(provider && { provider }) };
  return pulumi.runtime.invoke(token, args ?? {}, asked).catch((error: unknown) => Promise.reject(inClass(error)));
};

/** The error of the class that the plugin names behind its words. */
function inClass(error: unknown): unknown {
  const said = /^Invoke of '\S+' failed: (.*) \((\w+)\)$/s.exec(error instanceof Error ? error.message : "");
  if (said === null) return error;
  const [, words = "", name = ""] = said;
  const own: unknown = Reflect.get(errors, name);
  const Class =
    typeof own === "function" && own.prototype instanceof errors.BrightDataError ? own : errors.BrightDataError;
  return Object.setPrototypeOf(new errors.BrightDataError(words), Class.prototype);
}
