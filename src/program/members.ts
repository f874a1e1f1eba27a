import * as pulumi from "@pulumi/pulumi";
import type { MapShape, ObjectShape, Properties } from "../declaration/property";
import { isPlain } from "./secrets";

/** A map of things that have numbers of their own, as a resource's outputs hold it. */
type Members = MapShape & { readonly values: ObjectShape };

/** The outputs of a kind that are maps of things which have numbers of their own. */
export const mapsOfMembers = (outputs: Properties): [string, Members][] =>
  Object.entries(outputs).flatMap(([name, output]) =>
    output.is === "map" && output.values.is === "object" && numbersOf(output.values.properties).length > 0
      ? [[name, output as Members]]
      : [],
  );

const numbersOf = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([name, { isId }]) => (isId ? [name] : []));

/**
 * The members of a map in a preview. The engine gives that of an update the inputs alone: a number that the program has given is
 * known all the same, whatever else is not known yet of this member and of the others.
 *
 * @param given the program's argument of that name
 * @param shared what it gives for all members
 * @param registered the output as the engine gives it
 */
export function membersOf(
  { values }: Members,
  given: unknown,
  shared: unknown,
  registered: pulumi.Output<Record<string, Record<string, unknown>>>,
): pulumi.Output<unknown> {
  if (!isPlain(given)) return registered;
  const names = numbersOf(values.properties);
  const shown = (settings: unknown) =>
    Object.fromEntries(
      Object.entries(isPlain(settings) ? settings : {}).filter(([name]) => Object.hasOwn(values.properties, name)),
    );
  const members = Object.entries(given).map(([key, settings]) => {
    const member = registered[key] as pulumi.Output<Record<string, unknown> | undefined>;
    if (!isPlain(settings)) return [key, member];
    const own = names.map((name) => settings[name]).find((number) => number !== undefined);
    // A number is no secret, whatever else of the map is one.
    const number =
      own ??
      pulumi.unsecret(member).apply((found) => names.map((name) => found?.[name]).find(Boolean) ?? pulumi.unknown);
    const numbers = Object.fromEntries(names.map((name) => [name, number]));
    return [key, { ...shown(shared), ...shown(settings), ...numbers }];
  });
  return pulumi.output(Object.fromEntries(members));
}
