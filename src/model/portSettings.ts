import { type Facts, flag, object, type Property } from "../declaration/property";
import { portFields } from "./portFields";

const ANEW = "the port is replaced";

type Fields = typeof portFields;

type FieldsOfSet = {
  readonly [Name in keyof Fields]: Omit<Fields[Name], "required" | "replaces" | "known" | "isId" | "group"> & Facts;
};

/** The fields of a port, none of them required: a port of a set may have any from the settings that all share. */
export const fieldsOfSet = Object.fromEntries(
  Object.entries<Property>(portFields).map(([name, field]) => {
    const { required: _required, replaces, known: _known, isId: _isId, group: _group, ...rest } = field;
    return [name, replaces === true ? { ...rest, onChange: ANEW } : rest];
  }),
) as FieldsOfSet;

/** What a program says of a port of a set. */
export const portSettings = object(
  {
    ...fieldsOfSet,
    zone: { ...fieldsOfSet.zone, defaultSays: "that of `defaults`" },
    adopt: flag({
      says: "Takes over this port if it is configured already, instead of failing.",
      defaultSays: "that of the set",
      onChange: "recorded",
    }),
  },
  {
    named: "PortSettings",
    says: "Settings of a port, each as the `ProxyPort` argument of that name. They take precedence over those in `defaults`; a list or an object replaces the one there as a whole.",
    expected: 'expected the settings of a port, such as { port: 24000, country: "us" }.',
  },
);
