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

const marked = (marker: Marker, body: string): string => `${prefix(marker)}${marker.at.toISOString()} -->\n${body}`;

/** Ours is what bears the marker and was written with the same token: anybody may copy a marker. */
async function find(all: AsyncIterable<Post>, marker: Marker, author: string): Promise<Post | undefined> {
  for await (const post of all) if (post.author === author && post.body.startsWith(prefix(marker))) return post;
  return undefined;
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

/** Writes a text where there is none. Where the forge fails, it may have arrived: it is written again only if it has not. */
async function addOnce(add: () => Promise<Post>, look: () => Promise<Post | undefined>): Promise<Posted> {
  try {
    return { done: "written", url: (await add()).url };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status < 500) throw error;
    return { done: "written", url: ((await look()) ?? (await add())).url };
  }
}

async function upsert(
  found: Post | undefined,
  { marker, body }: { marker: Marker; body: string },
  write: {
    add(text: string): Promise<Post>;
    edit(post: Post, text: string): Promise<Post>;
    find(): Promise<Post | undefined>;
  },
): Promise<Posted> {
  if (found === undefined) return addOnce(() => write.add(marked(marker, body)), write.find);
  const { url } = found;
  const [there, here] = [timeOf(found, marker), marker.at.getTime()];
  // With the time of a text that is still true, an older one does not take its place.
  if ((there === here || isNewer(there, here)) && bodyOf(found.body) === body.trimEnd())
    return { done: "unchanged", url };
  if (isNewer(there, here)) return { done: "outdated", url };
  await write.edit(found, marked(marker, body));
  return { done: "updated", url };
}

/** Writes the one comment on a pull request, or updates it; what is newer there is left alone. */
export async function postComment(forge: Forge, number: number, marker: Marker, body: string): Promise<Posted> {
  const author = await forge.author();
  const look = () => find(forge.comments(number), marker, author);
  return upsert(
    await look(),
    { marker, body },
    {
      add: (text) => forge.comment(number, text),
      edit: ({ id }, text) => forge.editComment(number, id, text),
      find: look,
    },
  );
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
  const author = await forge.author();
  const look = () => find(forge.issues(), marker, author);
  const found = await look();
  if (body !== undefined) {
    return upsert(
      found,
      { marker, body },
      {
        add: (text) => forge.openIssue(title, text, labels),
        edit: ({ id }, text) => forge.editIssue(id, text),
        find: look,
      },
    );
  }
  if (found === undefined) return { done: "none" };
  if (isNewer(timeOf(found, marker), marker.at.getTime())) return { done: "outdated", url: found.url };
  await forge.closeIssue(found.id, farewell);
  return { done: "closed", url: found.url };
}
