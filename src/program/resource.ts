import * as pulumi from "@pulumi/pulumi";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import { ofProcess, ofThing } from "../base/memory";
import { requiredOf, requireObject } from "../declaration/arguments";
import { isNamed, type Kind, OPTIONS } from "../declaration/kind";
import { secretsAmong } from "../declaration/paths";
import type { Properties } from "../declaration/property";
import { typeOf } from "../dynamic/type";
import { placeAt, placeOfUrn, spotAt } from "../pulumi/place";
import { nameIn, nativeTypeOf, nativeUrnOf, urnOf } from "../pulumi/types";
import { placeText } from "../run/placeText";
import { announce, announceAnswered, answeredOf } from "./announce";
import { isAlone } from "./dependencies";
import { DYNAMIC, type Form } from "./form";
import { mapsOfMembers, membersOf } from "./members";
import { rememberName } from "./names";
import { previewOf } from "./preview";
import { providerOf } from "./provider";
import { awaited, awaitRecord, markOf } from "./recorded";
import { withSecrets } from "./secrets";

interface Standing {
  name: string;
  parent?: pulumi.Resource | undefined;
}

/** The place of a resource in its program. A promise and no output: it is no dependency on the parent. */
function placeOf(kind: string, { name, parent }: Standing): string | Promise<string> {
  const site = { organization: organization(), project: pulumi.getProject(), stack: pulumi.getStack(), kind, name };
  return withParent(parent, (urn) => {
    const at = { ...site, parent: urn };
    return placeText(placeAt(at), spotAt(at));
  });
}

/** What stands for it where the plugin is not told of it, as of what it is to delete. */
function urnPlaceOf(kind: string, { name, parent }: Standing): string | Promise<string> {
  const [stack, project] = [pulumi.getStack(), pulumi.getProject()];
  return withParent(parent, (urn) => placeOfUrn(nativeUrnOf(kind, name, stack, project, urn)));
}

function withParent(parent: pulumi.Resource | undefined, of: (urn?: string) => string): string | Promise<string> {
  if (parent === undefined) return of();
  return new Promise((resolve) => {
    pulumi.output(parent.urn).apply((urn) => resolve(of(urn)));
  });
}

/** Where a resource stood that had another name or parent before, as far as its aliases say it in plain words. */
function formerOf(kind: string, name: string, options: pulumi.CustomResourceOptions): Standing[] {
  const aliases: unknown = options.aliases;
  return (Array.isArray(aliases) ? aliases : []).flatMap((alias: unknown) => {
    if (typeof alias === "string")
      return standingIn(kind, alias).filter((former) => former.name !== name || options.parent !== undefined);
    if (!isObject(alias) || typeof (alias.name ?? name) !== "string") return [];
    if (["project", "stack", "type"].some((key) => alias[key] !== undefined)) return [];
    const parent: unknown = "parent" in alias ? alias.parent : options.parent;
    if (parent !== undefined && !isResource(parent)) return [];
    return [{ name: String(alias.name ?? name), parent }];
  });
}

/** Where a URN says that a resource of the kind stood, in either form; below a parent it does not say whose that is. */
function standingIn(kind: string, urn: string): Standing[] {
  const name = nameIn(urn);
  const urns = [typeOf(kind), nativeTypeOf(kind)].map((type) =>
    urnOf(type, name, pulumi.getStack(), pulumi.getProject()),
  );
  return urns.includes(urn) ? [{ name }] : [];
}

const isResource = (value: unknown): value is pulumi.Resource => isObject(value) && value.urn !== undefined;

/** Programs under test may have none. */
const organization = (): string => quietly(pulumi.getOrganization) ?? "";

type Registered = [type: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions];

/**
 * What a class registers: of a dynamic resource, the wire protocol without a serialised closure. There is no class between
 * those of the kinds and the SDK's, which takes the line that calls the third constructor for the program's.
 *
 * @param args what the program gave: what the class does not know is sent too, for the check to refuse
 * @throws {ArgumentError} without arguments
 */
export function registration(
  kind: Kind,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions = {},
  form: Form = DYNAMIC,
): Registered {
  requireObject(`${kind.name} ${JSON.stringify(name)}`, requiredOf(kind.inputs), args);
  const registered = form.options(kind.name, name, ignoringInputs(kind, options));
  const isLookUp = options.id !== undefined;
  const { replaceOnChanges } = options;
  const given: pulumi.Inputs = args;
  const provider = providerOf(options, form);
  const standing = { name, parent: options.parent };
  const place = isLookUp ? "" : placeOf(kind.name, standing);
  const former = formerOf(kind.name, name, options);
  const announced = {
    ...{ name, args: given, place, isNative: form.isNative },
    former: former.map((each) => placeOf(kind.name, each)),
    urnPlaces: (form.isNative ? former : [standing, ...former]).map((each) => urnPlaceOf(kind.name, each)),
    urnPlace: form.isNative && !isLookUp ? urnPlaceOf(kind.name, standing) : undefined,
  };
  const run = isLookUp ? undefined : announce(kind, announced, options);
  const preview = isLookUp ? undefined : previewOf(given, provider);
  const provided = deletedApart(kind, provider === undefined ? registered : { ...registered, provider });
  const { deleteBeforeReplace = isNamed(kind, given) || undefined } = provided;
  return [
    form.typeOf(kind.name),
    name,
    {
      ...given,
      ...propertiesOf(kind, given, isLookUp),
      ...(isLookUp ? {} : { ...optionsOf(kind, options), ...awaited() }),
      ...form.inputs(kind, isLookUp ? { replaceOnChanges } : { place, name, run, preview, replaceOnChanges }, given),
    },
    pulumi.mergeOptions(deleteBeforeReplace === undefined ? provided : { ...provided, deleteBeforeReplace }, {
      additionalSecretOutputs: secretsOf(kind, given, isLookUp),
    }),
  ];
}

/** All changes that a program can ignore are those of its inputs: what a class registers besides them is of one run. */
const ignoringInputs = (
  { inputs }: Kind,
  { ignoreChanges, ...options }: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions =>
  ignoreChanges === undefined
    ? options
    : { ...options, ignoreChanges: ignoreChanges.flatMap((path) => (path === "*" ? Object.keys(inputs) : [path])) };

/** The options of which the kind's lifecycle is told, as inputs. */
const optionsOf = ({ knowsOptions = [] }: Kind, options: pulumi.CustomResourceOptions): pulumi.Inputs =>
  Object.fromEntries(knowsOptions.flatMap((name) => (options[name] ? [[OPTIONS[name], true]] : [])));

/** The options of a kind that is deleted by itself whatever it is `deletedWith`: before that, as it depends on it. */
function deletedApart(kind: Kind, options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const { deletedWith, ...others } = options;
  if (kind.isDeletedApart !== true || deletedWith === undefined) return options;
  // A component would be waited for with all its children, of which this may be one.
  return pulumi.CustomResource.isInstance(deletedWith)
    ? pulumi.mergeOptions(others, { dependsOn: deletedWith })
    : others;
}

/** Gives an instance the outputs that are known without the engine. Parameters as those of {@link registration}. */
export function complete(
  resource: pulumi.CustomResource,
  kind: Kind,
  args: object,
  options: pulumi.CustomResourceOptions = {},
  form: Form = DYNAMIC,
): void {
  if (options.id !== undefined) return;
  awaitRecord(resource);
  if (kind.isSparse) ofThing(Object.getPrototypeOf(resource) as object, ofThing(kind, nothingFor));
  rememberName(resource, kind, args);
  if (!pulumi.runtime.isDryRun()) {
    awaitAnswer(resource, kind, args, options);
    return;
  }
  // In its preview, the plugin knows them as well.
  if (form.isNative) return;
  completeWithId(resource, kind, args);
  completeMembers(resource, kind, args);
}

/** What has another name or form by now may be about to be destroyed, which the engine asks for with what it had before. */
function awaitAnswer(
  resource: pulumi.CustomResource,
  kind: Kind,
  args: object,
  options: pulumi.CustomResourceOptions,
): void {
  const { urn: answered, id } = resource;
  answered.apply((urn) => {
    const place = placeOf(kind.name, { name: nameIn(urn), parent: options.parent });
    void Promise.all([place, isKnown(id)]).then(async ([where, isThere]) => {
      const skipped = !isThere && ((await isAlone(resource as object, args, options)) ? "alone" : true);
      const has = async () => ({ mark: await markOf(resource), ...(await answeredOf(kind, resource)) });
      announceAnswered(kind, where, skipped, isThere ? await has() : {});
    });
  });
}

/** The SDK says of an output whether its value is known, and declares it as its own. */
const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> =>
  (output as unknown as { isKnown: Promise<boolean> }).isKnown;

const noOutput = () => pulumi.output(undefined);

/** Inputs that are not given, on the prototype: there may be thousands of instances, and the SDK keeps four stack traces for each output. */
const nothingFor =
  ({ inputs }: Kind) =>
  (prototype: object): void => {
    const nothing = { value: ofProcess(noOutput), writable: true };
    const names = Object.keys(inputs).filter((name) => !(name in prototype));
    Object.defineProperties(prototype, Object.fromEntries(names.map((name) => [name, nothing])));
  };

/** The engine gives the preview of an update the inputs and the id alone: what is the id is known all the same. */
function completeWithId(resource: pulumi.CustomResource, { inputs, outputs }: Kind, args: pulumi.Inputs): void {
  const properties = Object.entries({ ...inputs, ...outputs });
  const names = properties.filter(([, { isId }]) => isId).map(([name]) => name);
  const given = names.find((name) => args[name] !== undefined);
  const own: pulumi.Inputs = resource;
  for (const name of names) {
    const registered: unknown = own[name];
    // The id of a resource under test may be anything.
    const byId = () => resource.id.apply((id) => (/^\d+$/.test(id) ? Number(id) : registered));
    if (name !== given) own[name] = given === undefined ? byId() : own[given];
  }
}

/** There may be thousands: only those that are asked for cost anything. */
function completeMembers(resource: pulumi.CustomResource, kind: Kind, args: pulumi.Inputs): void {
  for (const [name, map] of ofThing(kind, mapsIn)) {
    const registered = Reflect.get(resource, name);
    let members: pulumi.Output<unknown> | undefined;
    const get = () => {
      members ??= membersOf(map, args[name], args[map.shared ?? ""], registered);
      return members;
    };
    Object.defineProperty(resource, name, { get, enumerable: true });
  }
}

/** What outputs hold that are named after inputs, and the other outputs. */
const outputsOf = ({ inputs, outputs }: Kind): Properties => {
  const own = Object.entries(inputs).map(([name, input]) => [
    name,
    input.output === undefined ? input : { ...input.output, ...(input.secret === true && { secret: true as const }) },
  ]);
  return { ...Object.fromEntries(own), ...outputs };
};

const secretsIn = (kind: Kind): string[] => secretsAmong(outputsOf(kind));

const mapsIn = (kind: Kind) => mapsOfMembers(outputsOf(kind));

function secretsOf(kind: Kind, args: pulumi.Inputs, isLookUp: boolean): string[] {
  const isAbsent = (name: string) => kind.isSparse && !isLookUp && name in kind.inputs && args[name] === undefined;
  return ofThing(kind, secretsIn).filter((name) => !isAbsent(name));
}

/** The inputs, and what is given for outputs, mostly nothing: only what is named here exists on the instance. */
function propertiesOf({ inputs, outputs, isSparse }: Kind, args: pulumi.Inputs, isLookUp: boolean): pulumi.Inputs {
  const own = Object.entries(inputs).filter(
    ([name, { known }]) => !isSparse || isLookUp || known || args[name] !== undefined,
  );
  const known = Object.entries(outputs).filter(([, { hidden }]) => !hidden);
  return Object.fromEntries([
    ...own.map(([name, input]) => [name, withSecrets(input, args[name])]),
    ...known.map(([name]) => [name, args[name]]),
  ]);
}

/** Options of a resource that exists and is looked up by its id. */
export const lookUp = (
  id: pulumi.Input<pulumi.ID>,
  options: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions => pulumi.mergeOptions(options ?? {}, { id });
