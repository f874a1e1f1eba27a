import { z } from "zod";
import { camelCase } from "../base/case";
import { type Present, present } from "./optional";

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;

type CamelKeys<T> = { [Name in keyof T as CamelCase<Name>]: T[Name] };

/** An object of these fields, and no others, in the service's spelling; read in camel case, without those that are missing. */
export const camel = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.object(shape).transform((answer) => {
    const renamed = Object.entries(answer).map(([name, value]) => [camelCase(name), value]);
    return present(Object.fromEntries(renamed)) as Present<CamelKeys<z.output<z.ZodObject<S>>>>;
  });
