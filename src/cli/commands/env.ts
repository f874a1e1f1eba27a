import { FORMAT_NAMES, FORMATS, type OutputFormat } from "../outputs/formats";
import { variableName, variablesOf } from "../outputs/variables";
import { type Command, Misuse, type Options, oneOf, refusePositionals } from "./command";
import { outputsOf } from "./stack";
import { requireWritable, writeVariables } from "./variablesFile";

const DEFAULT_NAME = "proxies";

const OPTIONS = {
  stack: { value: "name", says: "the stack; default: the selected one" },
  format: {
    value: "format",
    says: "`dotenv` (default), `compose` (an override file), `kubernetes` (a Secret) or `json`",
  },
  output: { value: "file", says: "instead of stdout; readable by you alone" },
  name: { value: "name", says: `of the service or of the Secret; default: ${DEFAULT_NAME}` },
  "show-secrets": { says: "write secret outputs too, in plain text" },
  force: { says: "replace a file that this package has not written" },
} as const satisfies Options;

export const env: Command<typeof OPTIONS> = {
  name: "env",
  usage: "[options]",
  says: "Writes the outputs of a stack as environment variables: `proxyUrl` is PROXY_URL.",
  options: OPTIONS,
  notes: "Exit status: 0 done, 1 failed, 2 called wrongly.\n",

  async run({ options, positionals }) {
    refusePositionals(positionals);
    const { stack, name, output: file, force = false, "show-secrets": showSecrets = false } = options;
    const format = formatFor(options.format ?? "dotenv", name);
    if (file !== undefined) requireWritable(file, force);
    else if (force) throw new Misuse("--force is for the file of --output: name that, or leave it out.");
    const { values, leftOut } = outputsOf(stack, showSecrets);
    const text = format.text(variablesOf(values), name ?? DEFAULT_NAME);
    if (file === undefined) process.stdout.write(text);
    else writeVariables(file, text);
    if (leftOut.length > 0) {
      const names = leftOut.map(variableName).join(", ");
      process.stderr.write(`Left out, because secret: ${names}. --show-secrets writes them in plain text.\n`);
    }
    return 0;
  },
};

/** @throws {Misuse} for a name that has no place in the format */
function formatFor(given: string, name: string | undefined): OutputFormat {
  const format: OutputFormat = FORMATS[oneOf(FORMAT_NAMES, "format", given)];
  if (name !== undefined && format.named === undefined) {
    throw new Misuse(`--name has no meaning for the format ${given}.`);
  }
  if (name !== undefined && format.named?.like.test(name) === false) {
    throw new Misuse(`--name takes the name of a ${format.named.says}, not "${name}".`);
  }
  return format;
}
