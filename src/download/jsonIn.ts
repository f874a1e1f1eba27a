import { constants } from "node:fs";
import { readFile } from "node:fs/promises";

/** What a file holds as JSON; what is behind a link is not read. */
export const jsonIn = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NOFOLLOW }));
