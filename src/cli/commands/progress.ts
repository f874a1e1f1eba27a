import { constants } from "node:os";
import { grouped } from "../../base/counted";

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
  readonly #columns: number;
  #title = "";
  #quarter = -1;
  #shownAt = Number.NEGATIVE_INFINITY;

  /** @param columns of the terminal, beyond which a line would break, and stay */
  constructor(
    mode: ProgressMode,
    write = (text: string): void => void process.stderr.write(text),
    columns = process.stderr.columns ?? 80,
  ) {
    this.#mode = mode;
    this.#write = write;
    this.#columns = columns;
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
    this.#write(
      this.#mode === "bar" ? this.#bar(done, all, rest) : `${title}: ${grouped(done)} of ${grouped(all)}${rest}\n`,
    );
  }

  #bar(done: number, all: number, rest: string): string {
    const [head, tail] = [`${this.#title} [`, `] ${grouped(done)}/${grouped(all)}${rest}`];
    const width = Math.max(0, Math.min(WIDTH, this.#columns - 1 - head.length - tail.length));
    const filled = Math.round((width * done) / all);
    const line = `${head}${"#".repeat(filled)}${"-".repeat(width - filled)}${tail}`;
    return `\r${line.slice(0, this.#columns - 1)}\u001b[K`;
  }

  /** Leaves the line free for other words. */
  clear(): void {
    if (this.#mode === "bar" && this.#title !== "") this.#write("\r\u001b[K");
    this.#title = "";
  }
}

/** Shows the progress of work that writes nothing before it is done: a person who interrupts it ends the process. */
export async function withProgress<T>(mode: ProgressMode, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(mode);
  const interrupt = () => {
    progress.clear();
    process.stderr.write("Interrupted. Nothing was written.\n");
    process.exit(128 + constants.signals.SIGINT);
  };
  process.once("SIGINT", interrupt);
  try {
    return await work(progress);
  } finally {
    progress.clear();
    process.off("SIGINT", interrupt);
  }
}
