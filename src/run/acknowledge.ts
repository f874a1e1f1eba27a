import { quietly } from "../base/disk";
import { backend } from "./backend";
import { notesIn } from "./formerNotes";
import { close, filesIn, intentsFolder } from "./intentFiles";
import { isBegun } from "./intents";
import { intentsLink } from "./runFiles";

/**
 * Forgets what the engine has recorded: it has answered the program with these marks, which it does once the state is saved,
 * unless it was told to save that at the end.
 *
 * @param marks by them, the runs: an inline program's workspace may have another backend, and another home, of which it knows nothing
 * @param folder one of the project, by which its backend is known
 */
export function acknowledge(marks: ReadonlyMap<string, Answering>, folder: string): void {
  const own = backend(folder);
  const links = new Set([...marks.values()].flatMap(({ file }) => (file === undefined ? [] : [intentsLink(file)])));
  const files = [...[intentsFolder(), ...links].flatMap((each) => quietly(() => filesIn(each)) ?? []), ...notesIn()];
  const closing = new Set<string>();
  for (const { mark, read } of files.filter(({ mark }) => marks.has(mark))) {
    const reading = read();
    if (reading?.is !== "open" || !isBegun(reading.begun)) continue;
    const { isSavedLast, backend: where, writer, follows = [] } = reading.begun;
    // A stack of the same name with another backend may be a copy, with the same marks.
    const engine = marks.get(mark)?.engine;
    const isKnown = where === own || (engine !== undefined && engine === writer.engine);
    if (!isSavedLast && isKnown) for (const known of [mark, ...follows]) closing.add(known);
  }
  for (const { file, mark } of files) if (closing.has(mark)) close(file);
}

/** The run of a program that the engine has answered: the engine's address, and the file in which that program has announced. */
export interface Answering {
  engine?: string | undefined;
  file?: string | undefined;
}
