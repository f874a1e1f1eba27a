import { isObject, type JsonObject, objectOf } from "../../base/json";
import { importedKind, KIND_NAMES } from "../account/kinds";
import { type Source, titleOf } from "../account/source";
import type { Described } from "./described";
import { capitalized, identifier, Names } from "./names";
import { Code, FunctionCall, printedLoop, printedStatement } from "./print";
import { asRanges } from "./ranges";
import { mayBeSecret } from "./secrets";
import { firstPort } from "./sets";
import { type DeclaredResource, type Table, tablesOf } from "./tables";
import { prefixOf } from "./target";

export interface Resource {
  readonly found: Described;
  /** Its name in the program, which no other resource of its kind has. */
  readonly name: string;
  /** What the program would call it; no other resource has it. */
  readonly identifier: string;
  /** The keys of the stack's configuration that have its secrets, by the inputs. */
  readonly secrets: ReadonlyMap<string, string>;
}

export interface Style {
  prefix: string;
  protect: boolean;
  /** The names that resources have already, each after its kind and a blank. */
  taken: ReadonlySet<string>;
  /** The keys that the stack's configuration has already. */
  configuredKeys: ReadonlySet<string>;
  mainFile: string;
  /** What ends the names of files where they import each other. */
  suffix: string;
  /** Whether resources are those of the plugin. */
  isNative: boolean;
}

/** From so many lines on, each account and each manager gets a file of its own. */
const LARGE = 400;

/** Gives everything its names. What stands first gets the plain ones. */
export function named(all: readonly Described[], { prefix, taken, configuredKeys }: Style): Resource[] {
  const ofKind = new Map(KIND_NAMES.map((kind) => [kind, new Names(namesOf(kind, taken))]));
  // Secrets are in the configuration by them, also those of what was imported before.
  const identifiers = new Names(KIND_NAMES.flatMap((kind) => namesOf(kind, taken).map((name) => shortOf(kind, name))));
  return all.map((found) => {
    const { kind, id, source, inputs } = found;
    const { name: nameOf } = importedKind(kind);
    const plain = `${prefix}${nameOf(inputs, id)}`;
    const ofSource = source.name === undefined ? [] : [`${prefix}${source.name}-${nameOf(inputs, id)}`];
    const last = `${ofSource[0] ?? plain}-${kind === "ProxyPorts" ? firstPort(found) : id}`;
    const name = ofKind.get(kind)?.take(plain, ...ofSource, last) ?? plain;
    const short = shortOf(kind, name);
    // What may be a secret is in no set.
    const secrets = kind === "ProxyPorts" ? [] : mayBeSecret(found);
    const isFree = (own: string) => secrets.every((input) => !configuredKeys.has(keyOf(own, input)));
    const own = identifiers.takeWhere(isFree, short, `${short}${capitalized(importedKind(kind).noun)}`);
    const keys = secrets.map((input) => [input, keyOf(own, input)] as const);
    return { found, name, identifier: own, secrets: new Map(keys) };
  });
}

const keyOf = (identifier: string, input: string): string => `${identifier}${capitalized(input)}`;

const shortOf = (kind: string, name: string): string =>
  identifier(kind === "ManagerUser" ? name.replace(/@.*/, "") : name, importedKind(kind).noun);

const namesOf = (kind: string, taken: ReadonlySet<string>): string[] =>
  [...taken].flatMap((name) => (name.startsWith(`${kind} `) ? [name.slice(kind.length + 1)] : []));

/** The files of a program, by their names; the main file is the first. */
export function programOf(resources: readonly Resource[], style: Style): Map<string, string> {
  const writer = new ProgramWriter(resources, style);
  const bySource = Map.groupBy(resources, ({ found }) => found.source);
  const whole = writer.file(resources, []);
  if (bySource.size < 2 || whole.split("\n").length <= LARGE) return new Map([[style.mainFile, whole]]);
  const parts = [...bySource].map(([source, own]) => [fileOf(source, style), writer.file(own, resources)] as const);
  const index = parts.map(([file]) => `import "./${file}${style.suffix}";\n`).join("");
  return new Map([[style.mainFile, index], ...parts.map(([file, text]) => [`${file}.ts`, text] as const)]);
}

const fileOf = (source: Source, { mainFile }: Style): string =>
  `${prefixOf(mainFile)}${titleOf(source).replace(" ", "-")}`;

/** Where a resource speaks of another: the input, and what of the other one it is. */
const REFERENCES: Readonly<Record<string, readonly { input: string; kind: string; output: string }[]>> = {
  ZoneAccess: [{ input: "zone", kind: "Zone", output: "name" }],
  ZoneIps: [{ input: "zone", kind: "Zone", output: "name" }],
  ManagerSettings: [{ input: "zone", kind: "Zone", output: "name" }],
  ProxyPort: [
    { input: "zone", kind: "Zone", output: "name" },
    { input: "user", kind: "ManagerUser", output: "email" },
    { input: "users", kind: "ManagerUser", output: "email" },
  ],
  BannedIp: ["port", "ports"].map((input) => ({ input, kind: "ProxyPort", output: "port" })),
};

const UNREADABLE_DOMAINS = `// The service cannot be asked for the domains that zones are, or are not, used for:
// declare \`allowedDomains\` and \`deniedDomains\` where you have set some.
`;

const UNREADABLE_PASSWORDS = `// Passwords of ports cannot be read back, and stay as they are: declare
// \`password\` and \`userPassword\` by \`config.requireSecret\` to manage them.
`;

class ProgramWriter {
  readonly #style: Style;
  readonly #targets: ReadonlyMap<string, readonly Resource[]>;
  readonly #sets = new Map<Source, Map<unknown, Resource>>();
  readonly #used = new Set<Resource>();

  constructor(resources: readonly Resource[], style: Style) {
    this.#style = style;
    this.#targets = Map.groupBy(resources, ({ found: { kind, id } }) => `${kind} ${id}`);
    for (const set of resources) {
      const { kind, source, inputs } = set.found;
      const ports = kind === "ProxyPorts" ? Object.values(objectOf(inputs.ports)) : [];
      const known = this.#sets.get(source) ?? new Map<unknown, Resource>();
      for (const port of ports) known.set(objectOf(port).port, set);
      this.#sets.set(source, known);
    }
    for (const resource of resources) this.#argsOf(resource, (target) => this.#used.add(target));
  }

  /** @param all the resources of other files too; those that are used there are exported */
  file(own: readonly Resource[], all: readonly Resource[]): string {
    const imported = new Map<Source, Set<string>>();
    const isOwn = new Set(own);
    const told = new Set([""]);
    const declared = new Map(
      own.map((resource) => {
        const args = this.#argsOf(resource, (target) => {
          const { source } = target.found;
          if (!isOwn.has(target)) imported.set(source, (imported.get(source) ?? new Set()).add(target.identifier));
        });
        return [resource, { kind: resource.found.kind, args }] as const;
      }),
    );
    const tables = this.#tables(declared);
    const isShared = all.some((other) => !isOwn.has(other));
    const blocks = [...declared].flatMap(([resource, { kind, args }]): string[] => {
      const { members, loop } = tables.get(resource) ?? { members: [resource], loop: undefined };
      if (members[0] !== resource) return [];
      const remark = members.map(({ found }) => remarkOn(found)).find((words) => !told.has(words)) ?? "";
      told.add(remark);
      const call = new FunctionCall(`new brightdata.${kind}`, args);
      const text = loop ? printedLoop(loop) : printedStatement(call, this.#constant(resource, isShared));
      return [`${remark}${text}`];
    });
    const text = blocks.map((block, index) => {
      const before = blocks[index - 1];
      return before === undefined || (isLine(before) && isLine(block)) ? block : `\n${block}`;
    });
    return `${this.#head(own, imported)}\n${text.join("")}`;
  }

  #constant(resource: Resource, isShared: boolean): string {
    return this.#used.has(resource) ? `${isShared ? "export " : ""}const ${resource.identifier} = ` : "";
  }

  /** What loops declare: neither what others refer to, nor what has a secret of its own. */
  #tables(declared: ReadonlyMap<Resource, DeclaredResource>): Map<Resource, Table<Resource>> {
    const isAlike = (resource: Resource) => resource.secrets.size === 0 && !this.#used.has(resource);
    const open = new Map([...declared].filter(([resource]) => isAlike(resource)));
    const tables = tablesOf(open, new Set([...this.#used].map((used) => used.identifier)));
    return new Map(tables.flatMap((table) => table.members.map((member) => [member, table])));
  }

  /** The arguments of a resource's class; what they refer to is told. */
  #argsOf({ found, name, secrets }: Resource, refer: (target: Resource) => void): unknown[] {
    const { kind, inputs, source } = found;
    const referring = (values: JsonObject, of = kind) => this.#referring(values, of, source, refer);
    let args = referring(inputs);
    if (isObject(args.defaults)) {
      const { defaults, ports, ...rest } = args;
      const own = Object.entries(ports as Record<string, JsonObject>).map(
        ([key, port]) => [key, referring(port, "ProxyPort")] as const,
      );
      args = {
        defaults: referring(defaults as JsonObject, "ProxyPort"),
        ports: asRanges(Object.fromEntries(own)),
        ...rest,
      };
    }
    for (const [input, key] of secrets) {
      const read = typeof inputs[input] === "string" ? "requireSecret" : "requireSecretObject";
      args[input] = new Code(`config.${read}(${JSON.stringify(key)})`);
    }
    const first = kind === "BannedIp" ? this.#madeBefore(args, source) : [];
    for (const resource of first) refer(resource);
    const options = {
      ...(this.#style.protect ? { protect: true } : {}),
      ...(first.length === 0 ? {} : { dependsOn: first.map((resource) => new Code(resource.identifier)) }),
    };
    const rest = Object.keys(options).length === 0 ? [] : [options];
    return Object.keys(args).length === 0 && rest.length === 0 ? [name] : [name, args, ...rest];
  }

  #head(own: readonly Resource[], imported: ReadonlyMap<Source, ReadonlySet<string>>): string {
    const hasSecrets = own.some(({ secrets }) => secrets.size > 0);
    const byFile = new Map([...imported].map(([source, names]) => [fileOf(source, this.#style), [...names].sort()]));
    const others = [...byFile.keys()]
      .sort()
      .map((file) => importOf(`${file}${this.#style.suffix}`, byFile.get(file) ?? []));
    return [
      ...(hasSecrets ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
      `import * as brightdata from "pulumi-brightdata${this.#style.isNative ? "/native" : ""}";\n`,
      ...others,
      ...(hasSecrets ? ["\nconst config = new pulumi.Config();\n"] : []),
    ].join("");
  }

  /** The inputs of a kind, with constants where they name other resources. */
  #referring(values: JsonObject, kind: string, source: Source, refer: (target: Resource) => void): JsonObject {
    const args = { ...values };
    for (const { input, kind: other, output } of REFERENCES[kind] ?? []) {
      const named = (id: unknown): unknown => {
        const target = this.#target(other, id, source);
        if (target === undefined) return id;
        refer(target);
        return new Code(`${target.identifier}.${output}`);
      };
      const { [input]: value } = args;
      if (value !== undefined) args[input] = Array.isArray(value) ? value.map(named) : named(value);
    }
    return args;
  }

  /** What a ban does not name and has to wait for: the sets of its ports, or all that a ban of every port is for. */
  #madeBefore({ port, ports }: JsonObject, source: Source): Resource[] {
    const sets = this.#sets.get(source) ?? new Map<unknown, Resource>();
    const named = [port, ports].flat().filter((number) => number !== undefined);
    const found =
      named.length > 0 ? named.map((number) => sets.get(number)) : [...sets.values(), ...this.#portsOf(source)];
    return [...new Set(found)].filter((resource) => resource !== undefined);
  }

  #portsOf(source: Source): Resource[] {
    const all = [...this.#targets.values()].flat();
    return all.filter(({ found }) => found.kind === "ProxyPort" && found.source === source);
  }

  /** What an input names, where there is no doubt which one it is. */
  #target(kind: string, id: unknown, source: Source): Resource | undefined {
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const all = this.#targets.get(`${kind} ${id}`) ?? [];
    const isNear = ({ found }: Resource) => found.source === source || found.source.name === source.name;
    const near = all.filter(isNear);
    if (kind !== "Zone") return near.find(({ found }) => found.source === source);
    return near.length === 1 ? near[0] : all.length === 1 ? all[0] : undefined;
  }
}

function importOf(file: string, names: readonly string[]): string {
  const from = `from "./${file}";\n`;
  const flat = `import { ${names.join(", ")} } ${from}`;
  return flat.length <= 81 ? flat : `import {\n${names.map((name) => `  ${name},\n`).join("")}} ${from}`;
}

/** What a reader is told of a resource that may have what nobody can read. */
function remarkOn({ kind, inputs }: Described): string {
  if (kind === "ZoneAccess") return UNREADABLE_DOMAINS;
  const { defaults, ports } = inputs;
  const settings = [inputs, defaults, ...Object.values(objectOf(ports))];
  const hasUser = settings.some((each) => isObject(each) && each.user !== undefined);
  return /^ProxyPorts?$/.test(kind) && hasUser ? UNREADABLE_PASSWORDS : "";
}

const isLine = (text: string): boolean => text.indexOf("\n") === text.length - 1;
