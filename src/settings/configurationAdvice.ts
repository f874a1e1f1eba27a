import { meant } from "../base/nearest";
import { credentialsOf } from "./credentials";
import { SETTINGS } from "./definitions";
import { commandToSet, type Setting } from "./setting";

const NAMESPACE = "brightdata:";

const KEYS = Object.values(SETTINGS).map(({ key }) => key);

/**
 * What a person should know of the stack's configuration: keys that are no settings, and credentials in plain text.
 *
 * @param configuration all keys, of other packages too
 * @param isSecret whether the value of a key is stored as a secret
 */
export function configurationAdvice(
  configuration: Readonly<Record<string, string>>,
  isSecret: (key: string) => boolean,
): string[] {
  return Object.entries(configuration).flatMap(([key, value]) => {
    if (!key.startsWith(NAMESPACE)) return [];
    const name = key.slice(NAMESPACE.length);
    const setting = Object.values(SETTINGS).find((one) => one.key === name);
    if (setting === undefined) return [unknown(name)];
    return isSecret(key) ? [] : credentialsOf(setting, value).map(inPlainText);
  });
}

function unknown(name: string): string {
  const found = `The stack's configuration has ${NAMESPACE}${name}, which is not a setting and has no effect.`;
  const [map = ""] = name.split(".");
  if (name.includes(".") && KEYS.includes(map)) {
    return `${found} Did you mean a path in ${NAMESPACE}${map}? Set it with \`pulumi config set --path\`.`;
  }
  const near = meant(name, KEYS);
  return `${found} ${near === undefined ? `The settings are ${KEYS.join(", ")}.` : `Did you mean ${NAMESPACE}${near}?`}`;
}

const inPlainText = ({ setting }: { setting: Setting }): string =>
  `${NAMESPACE}${setting.key} is in plain text in the stack's configuration. Store it as a secret: \`${commandToSet(setting)}\`.`;
