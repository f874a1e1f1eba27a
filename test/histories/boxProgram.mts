import { createRequire } from "node:module";
import type { JsonObject } from "../../src/base/json.ts";
import type { Registration } from "./box.mts";
import { typeOf } from "./boxState.mts";
import { componentTypeOf, componentUrnOf, type Declaration, type Form } from "./program.mts";

const PROVIDER_TYPES: Readonly<Record<Form, string>> = {
  dynamic: "pulumi:providers:pulumi-nodejs",
  native: "pulumi:providers:brightdata",
  foreign: "pulumi:providers:brightdata",
};

const { version: VERSION } = createRequire(import.meta.url)("../../package.json") as { version: string };

const OTHER = { dynamic: "native", native: "dynamic", foreign: undefined } as const;

const BYSTANDER: JsonObject = {
  type: "bystander:index:Bystander",
  name: "bystander",
  custom: true,
  acceptSecrets: true,
  supportsResultReporting: true,
  object: {},
};

interface Options {
  /** Settings of explicit providers, by their names. */
  settings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Another provider's resource comes after so many. */
  bystander?: number | undefined;
  /** Whether the program waits for each before it goes on to the next. */
  isInTurn?: boolean;
}

/** What is registered, under a name of its own. */
interface Member {
  key: string;
  request: JsonObject;
  after: string[];
  awaits?: string | undefined;
  provider?: string | undefined;
  /** Inputs that come from what has those keys. */
  refs?: Readonly<Record<string, string>>;
}

/** A program as the engine hears of it. */
export class BoxProgram {
  readonly #stack: string;
  readonly #form: Form;
  readonly #byUrn: ReadonlyMap<string, Declaration>;
  readonly #byName: ReadonlyMap<string, Declaration>;

  constructor(stack: string, program: readonly Declaration[]) {
    this.#stack = stack;
    this.#form = program[0]?.form ?? "dynamic";
    this.#byName = new Map(program.map((declaration) => [declaration.urn, declaration]));
    this.#byUrn = new Map(program.map((declaration) => [this.#fullUrn(declaration), declaration]));
  }

  at(urn: string): Declaration | undefined {
    return this.#byUrn.get(urn);
  }

  /** By which URN a program in another language has what it has under this one: it announces nothing, and nobody keeps that. */
  nowAt(urn: string): string | undefined {
    if (this.#byUrn.has(urn)) return urn;
    if (this.#form !== "foreign") return undefined;
    const isIts = ({ urn: own, aliases, options: { parent, wasIn = [] } = {} }: Declaration) =>
      [own, ...aliases].some((name) => [parent ?? null, ...wasIn].some((each) => this.#urnAt(name, each) === urn));
    return [...this.#byUrn].find(([, declaration]) => isIts(declaration))?.[0];
  }

  urnOf(name: string): string | undefined {
    const declaration = this.#byName.get(name);
    return declaration && this.#fullUrn(declaration);
  }

  registrations({ settings, bystander, isInTurn = false }: Options): Registration[] {
    const declarations = [...this.#byName.values()];
    const members: Member[] = declarations.map((declaration) => this.#member(declaration));
    if (bystander !== undefined) members.splice(bystander, 0, { key: "", request: BYSTANDER, after: [] });
    if (isInTurn) for (const [index, member] of members.entries()) member.awaits = members[index - 1]?.key;
    const parents = new Set(declarations.flatMap(({ options }) => options?.parent ?? []));
    const providers = new Set(declarations.flatMap(({ provider }) => provider ?? []));
    const all: Member[] = [
      ...[...parents].map((name) => ({ key: name, request: componentRequest(name), after: [] })),
      ...[...providers].map((name) => ({ key: name, request: this.#provider(name, settings[name] ?? {}), after: [] })),
      ...members,
    ];
    const places = new Map(all.map(({ key }, index) => [key, index]));
    return all.map(({ request, after, awaits, provider, refs }) => ({
      request,
      after: after.flatMap((key) => places.get(key) ?? []),
      ...(awaits === undefined ? {} : { awaits: places.get(awaits) as number }),
      ...(provider === undefined ? {} : { provider: places.get(provider) as number }),
      ...(refs === undefined ? {} : { refs: this.#refs(refs, places) }),
    }));
  }

  #refs(refs: Readonly<Record<string, string>>, places: ReadonlyMap<string, number>): Record<string, number> {
    return Object.fromEntries(
      Object.entries(refs).flatMap(([key, name]) => {
        const place = places.get(name);
        return place === undefined ? [] : [[key, place]];
      }),
    );
  }

  #member(declaration: Declaration): Member {
    const { urn, dependencies, provider, options: { parent, refs = {} } = {} } = declaration;
    const after = [...dependencies, ...Object.values(refs), ...[parent, provider].flatMap((each) => each ?? [])];
    return { key: urn, request: this.#request(declaration), after, provider, refs };
  }

  #request(declaration: Declaration): JsonObject {
    const { urn, properties, deleteBeforeReplace, dependencies, deletedWith, options = {} } = declaration;
    const [kind = "", name = ""] = urn.split(" ");
    const { parent, refs = {}, protect, retainOnDelete, ignoreChanges, replaceOnChanges } = options;
    const with_ = deletedWith === undefined ? undefined : this.urnOf(deletedWith);
    return {
      type: typeOf(kind, this.#form),
      name,
      ...this.#versioned,
      custom: true,
      object: properties,
      acceptSecrets: true,
      acceptResources: true,
      aliasSpecs: true,
      supportsPartialValues: true,
      supportsResultReporting: true,
      aliases: this.#aliases(declaration),
      dependencies: this.#urns([...dependencies, ...Object.values(refs)]),
      propertyDependencies: Object.fromEntries(
        Object.keys(properties).map((key) => [key, { urns: this.#urns(refs[key] === undefined ? [] : [refs[key]]) }]),
      ),
      ...(parent === undefined ? {} : { parent: componentUrnOf(this.#stack, parent) }),
      ...(with_ === undefined ? {} : { deletedWith: with_ }),
      ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace, deleteBeforeReplaceDefined: true }),
      ...(protect === undefined ? {} : { protect }),
      ...(retainOnDelete === undefined ? {} : { retainOnDelete }),
      ...(ignoreChanges === undefined ? {} : { ignoreChanges }),
      ...(replaceOnChanges === undefined ? {} : { replaceOnChanges }),
    };
  }

  /** The class of a native resource asks for the plugin of its own version. */
  get #versioned(): JsonObject {
    return this.#form === "dynamic" ? {} : { version: VERSION };
  }

  /** To the plugin, the settings have names without a namespace, and the engine tells its own. */
  #provider(name: string, settings: Readonly<Record<string, string>>): JsonObject {
    const { "brightdata:provider": _, ...others } = settings;
    const own = Object.entries(others).map(([key, value]) => [key.replace("brightdata:", ""), value]);
    return {
      type: PROVIDER_TYPES[this.#form],
      name,
      ...this.#versioned,
      custom: true,
      acceptSecrets: true,
      supportsResultReporting: true,
      object: this.#form === "dynamic" ? { ...settings } : Object.fromEntries(own),
    };
  }

  /** Under each name that it had, in each place, and in either form. */
  #aliases({ urn, aliases, options: { wasIn = [] } = {} }: Declaration): JsonObject[] {
    const [kind = ""] = urn.split(" ");
    const names = aliases.map((alias) => ({ name: alias.slice(kind.length + 1) }));
    const places = wasIn.map((parent) =>
      parent === null ? { noParent: true } : { parentUrn: componentUrnOf(this.#stack, parent) },
    );
    const both = names.flatMap((name) => places.map((place) => ({ ...name, ...place })));
    const former = [...names, ...places, ...both];
    const other = OTHER[this.#form];
    if (other === undefined) return former.map((spec) => ({ spec }));
    const type = typeOf(kind, other);
    return [...former, ...[{}, ...former].map((spec) => ({ ...spec, type }))].map((spec) => ({ spec }));
  }

  #urns(names: readonly string[]): string[] {
    return names.flatMap((name) => this.urnOf(name) ?? []);
  }

  #fullUrn({ urn, options }: Declaration): string {
    return this.#urnAt(urn, options?.parent ?? null);
  }

  #urnAt(urn: string, parent: string | null): string {
    const [kind = "", name = ""] = urn.split(" ");
    const [type] = parent?.split(" ") ?? [];
    const types = [...(type === undefined ? [] : [componentTypeOf(type)]), typeOf(kind, this.#form)];
    return `urn:pulumi:${this.#stack}::project::${types.join("$")}::${name}`;
  }
}

const componentRequest = (component: string): JsonObject => {
  const [type = "", name = ""] = component.split(" ");
  return { type: componentTypeOf(type), name, acceptSecrets: true, aliasSpecs: true, object: {} };
};
