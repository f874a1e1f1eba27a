import { constants } from "node:fs";
import { dirname } from "node:path";

interface File {
  text: string;
  mtimeMs: number;
}

/** The folder itself can be looked for. */
const isOwn = (path: string): boolean => /\/brightdata\/./.test(path);

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, path, errno: -1 });

/** A disk in memory, as much of it as the package uses: `node:fs` and `node:fs/promises` of the processes of one machine. */
export class Disk {
  readonly files = new Map<string, File>();
  readonly #folders = new Set<string>();
  readonly #now: () => number;
  /** Whether nothing more can be written. */
  full = false;
  /** Whether what stands in the package's own folder can be used. */
  notes: "unreadable" | "unwritable" | undefined;

  /** What a process has called that there is not: it may have gone on without it. */
  lacking: string | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Open files, by their descriptors. */
  readonly #open = new Map<number, string>();
  #descriptors = 0;

  restart(): void {
    this.files.clear();
    this.#open.clear();
    this.#folders.clear();
    this.full = false;
    this.notes = undefined;
  }

  /** What somebody has written, whose process is not one of the machine's. */
  put(path: string, text: string): void {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) this.#folders.add(folder);
    this.files.set(path, { text, mtimeMs: this.#now() });
  }

  /** @param isAlive whether the process that uses it may still do so */
  sync(isAlive: () => boolean): object {
    // A full disk has room for names.
    const changing = (path: string, isName = false): void => {
      if (!isAlive()) throw failure("EIO", path);
      if (this.full && !isName) throw failure("ENOSPC", path);
      if (this.notes === "unwritable" && isOwn(path)) throw failure("EROFS", path);
    };
    const reading = (path: string): void => {
      if (this.notes === "unreadable" && isOwn(path)) throw failure("EACCES", path);
    };
    const found = (path: string): File => {
      const file = this.files.get(path);
      if (file === undefined) throw failure(this.#folders.has(path) ? "EISDIR" : "ENOENT", path);
      return file;
    };
    const stat = (path: string) => {
      const isFolder = this.#folders.has(path);
      const { mtimeMs, text } = isFolder ? { mtimeMs: 0, text: "" } : found(path);
      const mtime = new Date(mtimeMs);
      return { mtimeMs, mtime, size: Buffer.byteLength(text), isFile: () => !isFolder, isDirectory: () => isFolder };
    };
    const at = (descriptor: number): string => {
      const path = this.#open.get(descriptor);
      if (path === undefined) throw failure("EBADF", String(descriptor));
      return path;
    };
    const known = {
      constants,
      openSync: (path: string, flags: string | number) => {
        const isNew = typeof flags === "string" && !flags.startsWith("r");
        if (isNew) known.writeFileSync(path, "", { flag: flags });
        else if (!this.#folders.has(path)) found(path);
        this.#open.set(++this.#descriptors, path);
        return this.#descriptors;
      },
      closeSync: (descriptor: number) => void this.#open.delete(descriptor),
      fstatSync: (descriptor: number) => stat(at(descriptor)),
      writeSync: (descriptor: number, bytes: Uint8Array | string) => {
        const path = at(descriptor);
        changing(path);
        this.files.set(path, { text: found(path).text + String(bytes), mtimeMs: this.#now() });
        return Buffer.byteLength(bytes);
      },
      truncateSync: (path: string, size: number) => {
        if (!isAlive()) throw failure("EIO", path);
        const file = found(path);
        file.text = Buffer.from(file.text).subarray(0, size).toString();
      },
      readSync: (descriptor: number, into: Uint8Array, offset: number, length: number, from: number) => {
        reading(at(descriptor));
        return Buffer.from(found(at(descriptor)).text).copy(into, offset, from, from + length);
      },
      fsyncSync: (descriptor: number) => void at(descriptor),
      existsSync: (path: string) => this.files.has(path) || this.#folders.has(path),
      mkdirSync: (path: string) => {
        changing(path, this.#folders.has(path));
        for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) this.#folders.add(folder);
      },
      readdirSync: (path: string) => {
        reading(path);
        if (!this.#folders.has(path)) throw failure("ENOENT", path);
        const within = [...this.files.keys(), ...this.#folders].filter((file) => dirname(file) === path);
        return within.map((file) => file.slice(path.length + 1)).sort();
      },
      readFileSync: (path: string) => {
        reading(path);
        return found(path).text;
      },
      statSync: stat,
      lstatSync: stat,
      writeFileSync: (path: string, text: string, options?: { flag?: string }) => {
        changing(path, true);
        if (!this.#folders.has(dirname(path))) throw failure("ENOENT", path);
        if (options?.flag?.includes("x") && this.files.has(path)) throw failure("EEXIST", path);
        this.files.set(path, { text: "", mtimeMs: this.#now() });
        changing(path, text === "");
        this.files.set(path, { text: String(text), mtimeMs: this.#now() });
      },
      appendFileSync: (path: string, text: string) => {
        const before = this.files.has(path) ? found(path).text : "";
        if (before !== "") changing(path);
        known.writeFileSync(path, before + text);
      },
      renameSync: (from: string, to: string) => {
        if (!isAlive()) throw failure("EIO", from);
        if (this.notes === "unwritable" && isOwn(to)) throw failure("EROFS", to);
        const file = found(from);
        this.files.delete(from);
        this.files.set(to, file);
      },
      linkSync: (from: string, to: string) => {
        changing(from);
        if (this.files.has(to)) throw failure("EEXIST", to);
        this.files.set(to, found(from));
      },
      utimesSync: (path: string, _: unknown, mtime: number | Date) => {
        changing(path);
        found(path).mtimeMs = typeof mtime === "number" ? mtime * 1000 : mtime.getTime();
      },
      unlinkSync: (path: string) => {
        if (!isAlive()) throw failure("EIO", path);
        found(path);
        this.files.delete(path);
      },
      rmdirSync: (path: string) => {
        changing(path);
        const isUsed = [...this.files.keys(), ...this.#folders].some((each) => dirname(each) === path && each !== path);
        if (isUsed) throw failure("ENOTEMPTY", path);
        if (!this.#folders.delete(path)) throw failure("ENOENT", path);
      },
      rmSync: (path: string, options?: { force?: boolean }) => {
        if (!isAlive()) throw failure("EIO", path);
        if (!this.files.delete(path) && options?.force !== true) throw failure("ENOENT", path);
      },
    };
    return this.#complete(known, "node:fs");
  }

  promises(isAlive: () => boolean): object {
    const sync = this.sync(isAlive) as Record<string, (...given: unknown[]) => unknown>;
    const names = Object.keys(sync).filter((name) => name !== "constants");
    const functions = names.map((name) => [
      name.replace(/Sync$/, ""),
      async (...given: unknown[]) => sync[name]?.(...given),
    ]);
    const open = async (path: string, flags: string) => {
      const descriptor = sync.openSync?.(path, flags);
      return {
        writeFile: async (text: string) => void sync.writeSync?.(descriptor, text),
        sync: async () => void sync.fsyncSync?.(descriptor),
        close: async () => void sync.closeSync?.(descriptor),
      };
    };
    return this.#complete({ ...Object.fromEntries(functions), open }, "node:fs/promises");
  }

  /** What is missing is said by name, also where the package goes on without it: it is to be added here. */
  #complete(known: object, name: string): object {
    return new Proxy(known, {
      get: (target, key) => {
        if (typeof key === "string" && !(key in target) && key !== "default" && key !== "__esModule") {
          return () => {
            this.lacking ??= `test/histories/disk.mts has no ${key} of ${name}.`;
            throw new Error(this.lacking);
          };
        }
        return Reflect.get(target, key);
      },
    });
  }
}
