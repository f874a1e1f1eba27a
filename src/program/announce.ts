import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { quietly } from "../base/disk";
import { isObject, type JsonObject } from "../base/json";
import { digestWith, ownKey } from "../base/ownKey";
import { CONNECTION } from "../declaration/connection";
import type { Kind } from "../declaration/kind";
import { pickEach } from "../lifecycle/paths";
import { type Announcement, Announcer, newStandIn, type RunNotice } from "../run/announcements";
import { scopeNamed } from "../settings/connections";
import type { Settings } from "../settings/settings";
import { engineAddress } from "./engine";
import { withNames } from "./names";
import { ofRun } from "./ofRun";
import { nameOf, type ProviderOptions, providerOf } from "./provider";
import { isPlain } from "./secrets";
import { settingsGiven, stackSettings } from "./settings";

/** Of each run of the program; `undefined` where there is no engine, and in the process of a component's package, which is none. */
function announcer(): Announcer | undefined {
  const stack: object | undefined = pulumi.runtime.getStackResource();
  if (stack === undefined) return undefined;
  const address = engineAddress();
  return address === undefined ? undefined : new Announcer(address, runOf(stack));
}

/** A name of a run that no other has. Each copy of this package in the program has it: a library of components may bring one. */
function runOf(stack: { [RUN]?: string }): string {
  stack[RUN] ??= randomBytes(RUN_BYTES).toString("base64url");
  return stack[RUN];
}

const RUN = Symbol.for("pulumi-brightdata/run");
const RUN_BYTES = 6;

/**
 * Announces what a resource is to have. All constructors have run, as a rule, before the first
 * registration leaves: so the provider knows of all take-overs, and of what is declared twice, before anything is done.
 *
 * @returns where the provider finds it
 */
export function announce(
  kind: Kind,
  resource: Announced,
  options: ProviderOptions,
): Promise<RunNotice | undefined> | undefined {
  const own = ofRun(announcer);
  if (own === undefined) return undefined;
  const isSaid = !kind.isAction || resource.former.length > 0 || providerOf(options) !== undefined;
  if (isSaid) say(own, kind, resource, options);
  // What is not known yet may be so.
  const isAdopting = kind.announced !== undefined && (resource.args.adopt ?? false) !== false;
  const isTakeOver = kind.takesOver === true || isAdopting;
  if (isTakeOver) own.countTakeOver();
  return afterConstructors(own, isTakeOver);
}

/** Announces that the engine has answered a resource's registration, and with what. */
export function announceAnswered(kind: Kind, place: string, skipped: boolean | "alone", has: Has = {}): void {
  const own = ofRun(announcer);
  own?.addAnswered(kind.name, place, skipped, has);
  own?.write();
}

/** What the state has of what is announced of a resource: where it is only answered, the program may declare something else. */
export async function answeredOf(kind: Kind, resource: pulumi.Inputs): Promise<Has> {
  const paths = (kind.announced ?? []).map((path) => path.split("."));
  const names = [...new Set(paths.map(([name = ""]) => name))];
  const outputs = names.flatMap((name) => {
    const output: unknown = resource[name];
    return pulumi.Output.isInstance<unknown>(output) ? [[name, output as AnsweredOutput] as const] : [];
  });
  const values = outputs.map(async ([name, output]) => {
    const [value, isHidden] = await Promise.all([output.promise(), output.isSecret]);
    if (isSecret(kind, name)) return [name, digested(value)] as const;
    return [name, isHidden && value !== undefined ? pulumi.runtime.unknownValue : value] as const;
  });
  const told = Object.fromEntries(await Promise.all(values)) as JsonObject;
  return { inputs: picked(told, paths), unknown: unsaid(told, names) };
}

type Has = Pick<Announcement, "mark" | "unknown"> & { inputs?: JsonObject };

/** The SDK tells of an output whether it is a secret, and declares that as its own. */
type AnsweredOutput = pulumi.Output<unknown> & { promise(): Promise<unknown>; isSecret: Promise<boolean> };

/** The file in which the run of the program has announced; `undefined` where it is none. */
export const announcedIn = (): string | undefined => ofRun(announcer)?.file;

interface Announced {
  name: string;
  args: pulumi.Inputs;
  place: string | Promise<string>;
  isNative: boolean;
  /** Where it stood before, as its aliases say. */
  former: readonly (string | Promise<string>)[];
  /** What stands for places of it where nobody tells the plugin's process. */
  urnPlaces: readonly (string | Promise<string>)[];
  /** What stands for its own there, if it is the plugin's. */
  urnPlace: string | Promise<string> | undefined;
}

async function afterConstructors(announcer: Announcer, isTakeOver: boolean): Promise<RunNotice> {
  await undefined;
  announcer.write();
  const { notice } = announcer;
  return isTakeOver ? { ...notice, isTakeOver } : notice;
}

function say(announcer: Announcer, kind: Kind, resource: Announced, options: ProviderOptions): void {
  const { name, args, place, isNative, former, urnPlaces, urnPlace } = resource;
  const paths = [...(kind.announced ?? []), "adopt", CONNECTION[kind.service]].map((path) => path.split("."));
  const names = [...new Set(paths.map(([name = ""]) => name))];
  const named = Object.fromEntries(
    names.map((name) => [name, isSecret(kind, name) ? secretly(args[name]) : withNames(args[name])]),
  );
  const provider = providerOf(options);
  const home = nameOf(provider);
  const about = {
    ...{ kind: kind.name, name },
    ...(home === undefined ? {} : { home }),
    ...(isNative ? { isNative } : {}),
  };
  const isStanding = [place, urnPlace ?? "", ...former, ...urnPlaces].every(isText);
  const announced = (values: JsonObject | undefined, settings: Settings | undefined) => {
    const connection = (values ?? named)[CONNECTION[kind.service]] ?? undefined;
    const of = settings && scopeNamed(kind.service, connection, settings);
    const inputs = picked(values ?? written, paths);
    return { ...about, ...(of !== undefined && { of }), inputs, unknown: unsaid(values ?? named, names) };
  };
  const written = Object.fromEntries(Object.entries(named).filter(([, value]) => isWrittenOut(value)));
  const known = isWrittenOut(named) ? named : undefined;
  const standIn = typeof place === "string" ? place : newStandIn();
  const own = provider === undefined && known !== undefined ? ofRun(ownSettings) : undefined;
  announcer.add({ ...announced(known, own), ...stood(former, urnPlaces, urnPlace), place: standIn }, provider);
  if (provider === undefined && known !== undefined && isStanding) return;
  void whenKnown(named, resource, provider).then(({ values, where, places, settings }) => {
    const was = where === standIn ? {} : { was: standIn };
    announcer.add({ ...announced(values, settings), ...places, place: where, ...was });
    announcer.write();
  });
}

const isSecret = ({ inputs }: Kind, name: string): boolean => inputs[name]?.secret === true;

/** What stands for a secret: by it, the provider knows which of those that it has is meant. */
const secretly = (value: unknown): unknown =>
  typeof value === "string" || value === undefined
    ? digested(value)
    : pulumi.unsecret(pulumi.output(value as pulumi.Input<string>).apply(digested));

/** A text is known by its digest; of anything else, nothing but that it is there. */
function digested(secret: unknown): string | undefined {
  if (isText(secret)) return digestWith(ownKey(), secret);
  return (secret ?? undefined) === undefined ? undefined : pulumi.runtime.unknownValue;
}

/** What is known of where it stood, and of what stands for that. */
function stood(former: Announced["former"], urnPlaces: typeof former, urnPlace: Announced["urnPlace"]): Stood {
  const [places, others] = [former.filter(isText), urnPlaces.filter(isText)];
  return {
    ...(places.length > 0 && { former: places }),
    ...(others.length > 0 && { urnPlaces: others }),
    ...(isText(urnPlace) && { urnPlace }),
  };
}

type Stood = Pick<Announcement, "former" | "urnPlaces" | "urnPlace">;

const isText = (value: unknown): value is string => typeof value === "string";

/** What fails is told where it is registered. */
async function whenKnown(
  named: pulumi.Inputs,
  { place, former, urnPlaces, urnPlace }: Announced,
  provider: pulumi.ProviderResource | undefined,
) {
  const [where, own, ...others] = await Promise.all([place, urnPlace, ...former, ...urnPlaces]);
  const [before, besides] = [others.slice(0, former.length), others.slice(former.length)];
  const places = stood(before.filter(isText), besides.filter(isText), own);
  const settings = provider === undefined ? ofRun(ownSettings) : await settingsGiven(provider);
  const values: unknown = await pulumi.runtime
    .serializeProperty("what a resource takes over", named, new Set())
    .catch(() => undefined);
  return { where, places, settings, values: isObject(values) ? values : undefined };
}

/** Those of the default provider; `undefined` where they cannot be used, as each resource is told. */
const ownSettings = (): Settings | undefined => quietly(stackSettings);

const isWrittenOut = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  ((Array.isArray(value) || isPlain(value)) && Object.values(value).every(isWrittenOut));

/** The values at some paths; of what is unknown, or secret, nothing. */
export const picked = (values: JsonObject, paths: readonly (readonly string[])[]): JsonObject =>
  pickEach(values, paths, isSaid);

/** The names of what is given, and is not known, or secret: that is not the same as what is not given. */
export const unsaid = (values: pulumi.Inputs, names: readonly string[]): string[] =>
  names.filter((name) => {
    const value: unknown = values[name] ?? undefined;
    return value !== undefined && !isSaid(value) && !(isPlain(value) && !(SECRET_KEY in value));
  });

/** What the SDK's form of a secret has. */
const SECRET_KEY = "4dabf18193072939515e22adb298388d";

const isSaid = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value)
    ? value !== pulumi.runtime.unknownValue
    : Array.isArray(value) && value.every(isSaid);
