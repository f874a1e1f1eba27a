import { FORMAT_NAMES, FORMATS, type Format } from "../outputs/formats";
import { variableName, variablesOf } from "../outputs/variables";
import { type Command, type Given, isOn, Misuse, oneOf, refusePositionals, textOf } from "./command";
import { outputsOf } from "./stack";
import { requireWritable, writeVariables } from "./variablesFile";

const DEFAULT_NAME = "proxies";

export const env: Command = {
  name: "env",
  usage: "[options]",
  says: "Writes the outputs of a stack as environment variables: `proxyUrl` is PROXY_URL.",
  options: {
    stack: { value: "name", says: "the stack; default: the selected one" },
    format: {
      value: "format",
      says: "`dotenv` (default), `compose` (an override file), `kubernetes` (a Secret) or `json`",
    },
    output: { value: "file", says: "instead of stdout; readable by you alone" },
    name: { value: "name", says: `of the service or of the Secret; default: ${DEFAULT_NAME}` },
    "show-secrets": { says: "write secret outputs too, in plain text" },
    force: { says: "replace a file that this package has not written" },
  },
  notes: "Exit status: 0 done, 1 failed, 2 called wrongly.\n",

  async run(given) {
    const { format, name, file, isForced, stack, showSecrets } = readArguments(given);
    if (file !== undefined) requireWritable(file, isForced);
    const { values, leftOut } = outputsOf(stack, showSecrets);
    const text = format.text(variablesOf(values), name);
    if (file === undefined) process.stdout.write(text);
    else writeVariables(file, text);
    if (leftOut.length > 0) {
      const names = leftOut.map(variableName).join(", ");
      process.stderr.write(`Left out, because secret: ${names}. --show-secrets writes them in plain text.\n`);
    }
    return 0;
  },
};

function readArguments(given: Given) {
  refusePositionals(given);
  const formatName = oneOf(FORMAT_NAMES, "format", textOf(given, "format") ?? "dotenv");
  const format: Format = FORMATS[formatName];
  const name = textOf(given, "name");
  if (name !== undefined && format.named === undefined) {
    throw new Misuse(`--name has no meaning for the format ${formatName}.`);
  }
  if (name !== undefined && format.named?.like.test(name) === false) {
    throw new Misuse(`--name takes the name of a ${format.named.says}, not "${name}".`);
  }
  return {
    format,
    name: name ?? DEFAULT_NAME,
    file: textOf(given, "output"),
    isForced: isOn(given, "force"),
    stack: textOf(given, "stack"),
    showSecrets: isOn(given, "show-secrets"),
  };
}
