import { ServiceError } from "../../base/errors";
import type { Forge, Post } from "./forge";

/** What a text is about, and when it became true: its first line, which nobody sees. */
export interface Marker {
  /** `comment` or `drift`. */
  readonly use: string;
  /** Project and stack. */
  readonly stack: string;
  readonly at: Date;
}

export interface Posted {
  readonly done: "written" | "updated" | "unchanged" | "outdated" | "closed" | "none";
  readonly url?: string;
}

const prefix = ({ use, stack }: Marker): string =>
  `<!-- pulumi-brightdata:${use} ${stack.replaceAll("--", "-\u200b-")} `;

/** Texts at a forge: the comments on a pull request, or the issues. */
interface Thread {
  all(): AsyncIterable<Post>;
  add(text: string): Promise<Post>;
  edit(id: number, text: string): Promise<Post>;
}

type Find = () => Promise<Post | undefined>;

/** Ours is what bears the marker and was written with the same token: anybody may copy a marker. */
async function finder(forge: Forge, { all }: Thread, marker: Marker): Promise<Find> {
  const author = await forge.author();
  return async () => {
    for await (const post of all()) if (post.author === author && post.body.startsWith(prefix(marker))) return post;
    return undefined;
  };
}

/** The text without its first line. A forge may end lines in its own way, and cut off the last one's end. */
const bodyOf = (text: string): string =>
  text
    .slice(text.indexOf("\n") + 1)
    .replaceAll("\r\n", "\n")
    .trimEnd();

const timeOf = ({ body }: Post, marker: Marker): number =>
  Date.parse(/^\S+/.exec(body.slice(prefix(marker).length))?.[0] ?? "");

const CLOCKS_MS = 3_600_000;

/** Whether a text is newer than another; one from the future, which a wrong clock or a person has dated, is not. */
const isNewer = (there: number, here: number): boolean => there > here && there <= Date.now() + CLOCKS_MS;

async function upsert({ add, edit }: Thread, find: Find, marker: Marker, body: string): Promise<Posted> {
  const found = await find();
  const text = `${prefix(marker)}${marker.at.toISOString()} -->\n${body}`;
  if (found === undefined) {
    // Where the forge fails, it may have arrived: it is written again only if it has not.
    const { url } = await add(text).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError) || error.status < 500) throw error;
      return (await find()) ?? add(text);
    });
    return { done: "written", url };
  }
  const { id, url } = found;
  const [there, here] = [timeOf(found, marker), marker.at.getTime()];
  // With the time of a text that is still true, an older one does not take its place.
  if ((there === here || isNewer(there, here)) && bodyOf(found.body) === body.trimEnd())
    return { done: "unchanged", url };
  if (isNewer(there, here)) return { done: "outdated", url };
  await edit(id, text);
  return { done: "updated", url };
}

/** Writes the one comment on a pull request, or updates it; what is newer there is left alone. */
export async function postComment(forge: Forge, number: number, marker: Marker, body: string): Promise<Posted> {
  const thread: Thread = {
    all: () => forge.comments(number),
    add: (text) => forge.comment(number, text),
    edit: (id, text) => forge.editComment(number, id, text),
  };
  return upsert(thread, await finder(forge, thread, marker), marker, body);
}

/** What an issue is to say; without a body, that there is nothing to say any more. */
export interface Issue {
  readonly title: string;
  readonly body: string | undefined;
  readonly labels: readonly string[];
  /** The last comment. */
  readonly farewell: string;
}

/** Opens the one issue of a stack, updates it, or closes it. */
export async function postIssue(
  forge: Forge,
  marker: Marker,
  { title, body, labels, farewell }: Issue,
): Promise<Posted> {
  const thread: Thread = {
    all: () => forge.issues(),
    add: (text) => forge.openIssue(title, text, labels),
    edit: (id, text) => forge.editIssue(id, text),
  };
  const find = await finder(forge, thread, marker);
  if (body !== undefined) return upsert(thread, find, marker, body);
  const found = await find();
  if (found === undefined) return { done: "none" };
  if (isNewer(timeOf(found, marker), marker.at.getTime())) return { done: "outdated", url: found.url };
  await forge.closeIssue(found.id, farewell);
  return { done: "closed", url: found.url };
}
