import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";

/**
 * Stands for the backend that the engine keeps its state with: two stacks of one name, each with a backend of its own, are two.
 * Where it is told in a way that is not known here, all backends are one.
 */
export const backend = (): string => createHash("sha256").update(absolute(url())).digest("base64url").slice(0, LENGTH);

const LENGTH = 8;

const url = (): string => process.env.PULUMI_BACKEND_URL || ofProject() || ofLogin() || "";

/** `backend.url` of the project. */
function ofProject(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name)).find(existsSync);
    const text = file === undefined ? undefined : quietly(() => readFileSync(file, "utf8"));
    if (text !== undefined) return /^["' {]*backend["']?:[\s{]*["']?url["']?:\s*["']?([^\s"',}]+)/m.exec(text)?.[1];
    if (dirname(folder) === folder) return undefined;
  }
}

/** Where `pulumi login` has led. */
function ofLogin(): string | undefined {
  const home = process.env.PULUMI_CREDENTIALS_PATH || process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const credentials = quietly(() => JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as unknown);
  return isObject(credentials) && typeof credentials.current === "string" ? credentials.current : undefined;
}

const LOCAL = "file://";

const absolute = (text: string): string =>
  text.startsWith(LOCAL) ? resolve(text.slice(LOCAL.length).replace(/^~(?=\/|$)/, homedir())) : text;
