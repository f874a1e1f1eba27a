import { isObject, objectOf } from "../base/json";
import { SETTINGS } from "./definitions";
import { PARTS, settingOf } from "./namedConnections";
import type { Setting } from "./setting";
import type { ReadConfig } from "./settings";
import { parsed } from "./values";

/** Every credential that is configured, whether it can be used or not, without the blanks around it: for hiding them. */
export const credentialsIn = (readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): string[] =>
  Object.values(SETTINGS)
    .flatMap((setting) => {
      const texts = [environment[setting.environment], readConfig(`brightdata:${setting.key}`)];
      return texts.flatMap((text) => (text ? credentialsOf(setting, text) : []));
    })
    .flatMap(({ value }) => (typeof value === "string" ? value.trim() : []));

/** The credentials in a setting's value: of a named connection, those of its parts. */
export function credentialsOf(setting: Setting, text: string): { setting: Setting; value: unknown }[] {
  const parts = PARTS[setting.key];
  if (parts === undefined) return setting.secret ? [{ setting, value: text }] : [];
  const given = parsed(text);
  return Object.entries(objectOf(given)).flatMap(([name, connection]) =>
    Object.entries(parts).flatMap(([part, { secret }]) =>
      secret && isObject(connection) && connection[part] !== undefined
        ? [{ setting: settingOf(setting, name, part), value: connection[part] }]
        : [],
    ),
  );
}
