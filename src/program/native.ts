import * as pulumi from "@pulumi/pulumi";
import * as errors from "../base/errors";
import { ownIn } from "../base/json";
import { unlessAborted } from "../base/unlessAborted";
import type { Kind } from "../declaration/kind";
import { errorTold } from "../pulumi/toldError";
import * as collectionErrors from "../remote/collectionErrors";
import * as deliveryErrors from "../remote/deliveryErrors";
import * as snapshotErrors from "../remote/snapshotErrors";
import { type FunctionRunner, invoke, invokeOutput, invokeSecretOutput, type Load } from "./function";
import { NATIVE, ofThisVersion, requirePlugin } from "./nativeForm";
import { providerOf, settingsOn } from "./provider";
import { complete, lookUp, registration } from "./resource";
import { type FunctionOptions, knownSettings } from "./settings";
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

/** A function of the plugin. */
export const nativeFunction = <Function>(load: Load): Function => invoke(load, byPlugin) as Function;

export const nativeOutput = <Function>(load: Load): Function => invokeOutput(load, byPlugin) as Function;

export const nativeSecretOutput = <Function>(load: Load): Function => invokeSecretOutput(load, byPlugin) as Function;

const byPlugin: FunctionRunner = async ({ name }, args, options: FunctionOptions) => {
  if (pulumi.runtime.getMonitor() === undefined) {
    throw new errors.ConfigurationError(
      `${name} of "pulumi-brightdata/native" needs the engine: run the program with Pulumi, or import from "pulumi-brightdata".`,
    );
  }
  requirePlugin();
  const { signal } = options;
  signal?.throwIfAborted();
  const provider = providerOf(options, NATIVE);
  // The engine answers for a provider that is not configured yet, and has nothing to say.
  if (provider !== undefined) await knownSettings(pulumi.output(settingsOn(provider)));
  const asked = { ...ofThisVersion(), ...(provider && { provider }) };
  const answer = pulumi.runtime.invoke(NATIVE.typeOf(name), args ?? {}, asked);
  const answered = answer.catch((error: unknown) => Promise.reject(inClass(error)));
  return signal === undefined ? answered : unlessAborted(answered, signal);
};

/** The error as the plugin has told it: of its class, with all that it has. */
function inClass(error: unknown): unknown {
  const told = errorTold(error instanceof Error ? error.message : "");
  if (told === undefined) return error;
  const Class = ownIn<unknown>(CLASSES, told.name);
  const { prototype } = isOfPackage(Class) ? Class : errors.BrightDataError;
  return Object.assign(Object.setPrototypeOf(new errors.BrightDataError(told.words), prototype), told.fields);
}

const CLASSES = { ...errors, ...collectionErrors, ...deliveryErrors, ...snapshotErrors };

const isOfPackage = (Class: unknown): Class is typeof errors.BrightDataError =>
  typeof Class === "function" && Class.prototype instanceof errors.BrightDataError;
