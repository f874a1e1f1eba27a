import * as pulumi from "@pulumi/pulumi";
import type { Simulator, SimulatorOptions } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import type { Declaration } from "./engine";
import type { Ledger, World } from "./world";

/** Arguments of the class, or what makes them of what there is. */
export type Args = JsonObject | ((simulator: Simulator) => JsonObject);

export const argsOf = (args: Args, simulator: Simulator): JsonObject =>
  typeof args === "function" ? args(simulator) : args;

/** Another value for inputs of a sample; `undefined` takes one away. */
export interface Change {
  args: Args;
  /** Whether it takes a new one. Default: it is changed in place. */
  replaces?: true;
  /** What it may buy, where it does not take a new one. */
  price?: Partial<Ledger>;
  /** There is no way back to what was declared before. */
  final?: true;
}

/** An outcome that cannot be known: the person is told so, each time, until the program says what to do. */
export interface Unknowable {
  faults: RegExp;
  /** What the message says. */
  words: RegExp;
  /** The names of what may be left without anybody knowing of it. */
  leaves?: RegExp;
  reason: string;
}

/** An answer that a service which did what was asked could give as well: nobody can tell, and nobody can look. */
export interface Indistinct {
  /** Method and path. */
  request: RegExp;
  faults: RegExp;
  reason: string;
}

/** What the laws have to know of a kind, in plain data and small functions. */
export interface Sample {
  /** Where there are several of a kind: what this one is. */
  variant?: string;
  make(name: string, args: JsonObject, options: pulumi.CustomResourceOptions): pulumi.CustomResource;
  simulator?: SimulatorOptions;
  /** Puts there what the resource needs. */
  prepare?(simulator: Simulator): void | Promise<void>;
  args: Args;
  changes: Readonly<Record<string, Change>>;
  /** The names of what the resource may have changed in the world, once it is there. */
  touches(outputs: JsonObject): string[];
  /** Whether the world has what the outputs say, no less and no more. */
  holds(world: World, outputs: JsonObject, before: World): boolean;
  /** What one creation may buy. */
  price?: Partial<Ledger>;
  /** The names of what stays as it has become when the resource is destroyed, and why. */
  leaves?: { touched(outputs: JsonObject): string[]; reason: string };
  /** Why another resource in its place, after a renaming or an import, leaves the world as it has found it. */
  forgets?: string;
  /** Somebody changes it behind the program's back. */
  edit?(simulator: Simulator, outputs: JsonObject): void | Promise<void>;
  /** Somebody takes it away behind the program's back. */
  vanish?(simulator: Simulator, outputs: JsonObject): void | Promise<void>;
  /** Somebody has made a thing of that identity before. */
  foreign?: { place(simulator: Simulator): void | Promise<void>; adoptable: boolean };
  /** Whether each resource of the kind has an identity of its own that the program does not choose: renaming makes another. */
  generated?: true;
  /** Laws that do not apply, each with the reason in words. */
  waived?: Partial<Record<string, string>>;
  /** Outputs without which an import file does not say which thing it is about. */
  known?: readonly string[];
  unknowable?: readonly Unknowable[];
  indistinct?: readonly Indistinct[];
}

export const titled = (kind: string, { variant }: Sample): string =>
  variant === undefined ? kind : `${kind}, ${variant}`;

/** What a program registers for a resource: that which the real class makes of its arguments. */
export async function declared(
  sample: Sample,
  name: string,
  args: JsonObject,
  options: pulumi.CustomResourceOptions = {},
): Promise<Declaration> {
  let given: pulumi.CustomResourceOptions = {};
  const look: pulumi.ResourceTransformation = ({ opts }) => {
    given = opts;
    return undefined;
  };
  const registered = new Promise<JsonObject>((resolve) => {
    pulumi.runtime.setMocks({
      newResource({ inputs }) {
        resolve(inputs as JsonObject);
        return { id: "1", state: {} };
      },
      call: () => ({}),
    });
  });
  sample.make(name, args, { ...options, transformations: [look] });
  const properties = await registered;
  const { deleteBeforeReplace } = given;
  return { name, properties, options: deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace } };
}
