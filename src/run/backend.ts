import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import { projectFile, projectText } from "../base/projectFile";

/**
 * Stands for the backend that the engine keeps its state with: two stacks of one name, each with a backend of its own, are two.
 * Where it is told in a way that is not known here, all backends are one.
 *
 * @param folder one of the project
 */
export const backend = (folder: string): string =>
  createHash("sha256")
    .update(absolute(url(folder), folder))
    .digest("base64url")
    .slice(0, LENGTH);

const LENGTH = 8;

/** Whether several organizations may have a stack of one name there, as in Pulumi Cloud: no URN tells them apart. */
export const hasOrganizations = (folder: string): boolean => /^(https?:|$)/.test(url(folder));

const url = (folder: string): string => process.env.PULUMI_BACKEND_URL || ofProject(folder) || ofLogin() || "";

/** `backend.url` of the project. */
function ofProject(folder: string): string | undefined {
  const file = projectFile(folder);
  const text = file === undefined ? undefined : quietly(() => projectText(file));
  return /^["' {]*backend["']?:[\s{]*["']?url["']?:\s*["']?([^\s"',}]+)/m.exec(text ?? "")?.[1];
}

/** Where `pulumi login` has led. */
function ofLogin(): string | undefined {
  const home = process.env.PULUMI_CREDENTIALS_PATH || process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const credentials = quietly(() => JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as unknown);
  return isObject(credentials) && typeof credentials.current === "string" ? credentials.current : undefined;
}

const LOCAL = "file://";

/** The engine leaves out the slash at the end of a URL, too. */
const absolute = (text: string, folder: string): string =>
  text.startsWith(LOCAL)
    ? resolve(folder, text.slice(LOCAL.length).replace(/^~(?=\/|$)/, homedir()))
    : text.replace(/\/$/, "");
