import { type Running, type RunOptions, signalGroup, start } from "../process.mts";

/** A server that keeps the state of stacks, on loopback. */
export interface BackendServer {
  /** What the CLI needs to use it. */
  environment: NodeJS.ProcessEnv;
  /** What it has stored, by name. */
  objects(): Promise<Map<string, Buffer>>;
  close(): Promise<void>;
}

export const BUCKET = "state";

const START_TIMEOUT_MS = 60_000;
const RUN_TIMEOUT_MS = 30 * 60_000;

/** Starts a server, and waits until it answers. */
export async function serve(
  command: string,
  args: readonly string[],
  url: string,
  options: Pick<RunOptions, "cwd" | "env"> = {},
): Promise<() => Promise<void>> {
  const running: Running = start(command, args, { ...options, timeoutMs: RUN_TIMEOUT_MS });
  let ended: string | undefined;
  const ending = running.ending.then(
    ({ status, stdout, stderr }) => {
      ended = `${command} ended with ${status}:\n${stdout}\n${stderr}`;
    },
    ({ message }: Error) => {
      ended = message;
    },
  );
  const close = async () => {
    signalGroup(running.child, "SIGKILL");
    await ending;
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (ended !== undefined) throw new Error(ended);
    if (await answers(url)) return close;
    if (Date.now() > deadline) {
      await close();
      throw new Error(`${command} does not answer at ${url}`);
    }
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => new Promise((resolve) => setTimeout(() => resolve(false), 100)),
  );

/** The body of what a server answers, unless it is an error. */
export async function bodyOf(url: string, init: RequestInit = {}): Promise<Buffer> {
  const response = await fetch(url, init);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${init.method ?? "GET"} ${url} was answered with ${response.status}: ${body}`);
  return body;
}
