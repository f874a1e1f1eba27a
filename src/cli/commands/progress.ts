import { constants } from "node:os";

export type ProgressMode = "bar" | "lines" | "none";

export function progressMode(
  isQuiet: boolean,
  { isTTY = false } = process.stderr,
  environment = process.env,
): ProgressMode {
  if (isQuiet) return "none";
  return isTTY && environment.TERM !== "dumb" && (environment.CI ?? "") === "" ? "bar" : "lines";
}

const WIDTH = 30;
const FRAME_MS = 100;

export class Progress {
  readonly #mode: ProgressMode;
  readonly #write: (text: string) => void;
  #title = "";
  #quarter = -1;
  #shownAt = 0;

  constructor(mode: ProgressMode, write = (text: string): void => void process.stderr.write(text)) {
    this.#mode = mode;
    this.#write = write;
  }

  /** @param rest what is said after the numbers, such as what they are of */
  show(title: string, done: number, all: number, rest = ""): void {
    if (this.#mode === "none" || all === 0) return;
    if (title !== this.#title) this.#quarter = -1;
    this.#title = title;
    const quarter = Math.floor((4 * done) / all);
    const isDue = this.#mode === "bar" ? performance.now() - this.#shownAt >= FRAME_MS : quarter > this.#quarter;
    if (!isDue && done < all) return;
    if (this.#mode === "lines" && quarter === this.#quarter) return;
    this.#quarter = quarter;
    this.#shownAt = performance.now();
    const filled = Math.round((WIDTH * done) / all);
    const bar = `${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}`;
    this.#write(
      this.#mode === "bar"
        ? `\r${title} [${bar}] ${done}/${all}${rest}\u001b[K`
        : `${title}: ${done} of ${all}${rest}\n`,
    );
  }

  /** Leaves the line free for other words. */
  clear(): void {
    if (this.#mode === "bar" && this.#title !== "") this.#write("\r\u001b[K");
    this.#title = "";
  }
}

/**
 * Ends the process when the person interrupts it: for commands that write nothing before they are done.
 *
 * @returns what makes it listen no more
 */
export function exitOnInterrupt(progress: Progress): () => void {
  const interrupt = () => {
    progress.clear();
    process.stderr.write("Interrupted. Nothing was written.\n");
    process.exit(128 + constants.signals.SIGINT);
  };
  process.once("SIGINT", interrupt);
  return () => void process.off("SIGINT", interrupt);
}
