import { LOG_LEVELS, type LogLevel } from "../settings/values";

/** Writes lines to standard error, which the engine shows as they come. Gives no way to print a body or a header. */
export class Log {
  readonly #rank: number;
  readonly #write: (line: string) => void;

  constructor(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(`${line}\n`)) {
    this.#rank = LOG_LEVELS.indexOf(level);
    this.#write = write;
  }

  line(level: Exclude<LogLevel, "off">, words: string): void {
    if (LOG_LEVELS.indexOf(level) <= this.#rank) this.#write(`brightdata ${level}: ${words}`);
  }
}
