// Checks the messages of commits: npx node scripts/commits.mts <range>, for instance main..HEAD
import { run } from "./process.mts";

const SUBJECT_CHARACTERS = 72;
const GIT_TIMEOUT_MS = 60_000;

export interface Commit {
  hash: string;
  subject: string;
  /** What follows the subject, trailers such as `Co-authored-by` left out. */
  body: string;
}

/** What is wrong with a commit's message, one sentence each. */
export function complaints({ hash, subject, body }: Commit): string[] {
  const name = `${hash.slice(0, 8)} "${subject}"`;
  const length = [...subject].length;
  const found = [];
  if (length > SUBJECT_CHARACTERS) {
    found.push(`${name}: the subject has ${length} characters; ${SUBJECT_CHARACTERS} is the most.`);
  }
  if (body === "") found.push(`${name}: it has no body that says why.`);
  return found;
}

/** The commits of a range, oldest first. Merges are left out: Git writes their messages. */
export async function commitsIn(cwd: string, range: string): Promise<Commit[]> {
  const format = "--format=%x1e%H%x00%s%x00%b%x00%(trailers)";
  const args = ["log", "--no-merges", "--reverse", format, range, "--"];
  const { status, stdout, stderr } = await run("git", args, { cwd, timeoutMs: GIT_TIMEOUT_MS });
  if (status !== 0) throw new Error(`git log ${range} failed:\n${stderr.trim()}`);
  const [, ...records] = stdout.split("\x1e");
  return records.map((record) => {
    const [hash = "", subject = "", message = "", trailers = ""] = record.split("\0");
    const body = message.trim().slice(0, message.trim().length - trailers.trim().length);
    return { hash, subject, body: body.trim() };
  });
}

if (import.meta.main) {
  const [range] = process.argv.slice(2);
  if (range === undefined) throw new Error("Usage: node scripts/commits.mts <range>");
  const found = (await commitsIn(process.cwd(), range)).flatMap(complaints);
  for (const each of found) console.error(each);
  process.exitCode = found.length === 0 ? 0 : 1;
}
