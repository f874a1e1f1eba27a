import { isObject } from "../base/json";
import { SETTINGS } from "./definitions";
import { ACCOUNT, MANAGER, PARTS, type Parts, settingOf } from "./namedConnections";
import type { Setting } from "./setting";
import type { ReadConfig } from "./settings";
import { parsed } from "./values";

/** Every credential that is configured, whether it can be used or not, without the blanks around it: for hiding them. */
export function credentialsIn(readConfig: ReadConfig, environment: NodeJS.ProcessEnv = process.env): string[] {
  const texts = ({ key, environment: variable }: Setting) =>
    [environment[variable], readConfig(`brightdata:${key}`)].flatMap((text) => text || []);
  const inParts = (definition: Setting, parts: Parts) =>
    texts(definition).flatMap((text) => {
      const given = parsed(text);
      const connections = isObject(given) ? Object.values(given).filter(isObject) : [];
      return connections.flatMap((connection) =>
        Object.keys(parts).flatMap((part) => (parts[part]?.secret ? [connection[part]] : [])),
      );
    });
  return [
    ...texts(SETTINGS.apiToken),
    ...texts(SETTINGS.managerApiKey),
    ...inParts(SETTINGS.managers, MANAGER),
    ...inParts(SETTINGS.accounts, ACCOUNT),
  ].flatMap((value) => (typeof value === "string" ? value.trim() : []));
}

/** The settings of the credentials in a setting's value: of a named connection, those of its parts. */
export function credentialSettings(setting: Setting, text: string): Setting[] {
  const parts = PARTS[setting.key];
  if (parts === undefined) return setting.secret ? [setting] : [];
  const given = parsed(text);
  return Object.entries(isObject(given) ? given : {}).flatMap(([name, connection]) =>
    Object.entries(parts).flatMap(([part, { secret }]) =>
      secret && isObject(connection) && connection[part] !== undefined ? [settingOf(setting, name, part)] : [],
    ),
  );
}
