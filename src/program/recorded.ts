import { acknowledge, placeId } from "../run/notes";

/** Stand for the places of the resources of which the engine has told the program since the last look at the notes. */
const places = new Set<string>();

/** What was told before is of an earlier run. */
const began = Date.now();

let timer: NodeJS.Timeout | undefined;

/** All that is registered together is noted together. */
const PAUSE_MS = 50;

/**
 * Notes that the engine has answered a registration: it does so once its state has the resource, so that what the provider has
 * noted of the creation is history.
 */
export function isRecorded(kind: string, place: string): void {
  if (places.size === 0) {
    timer = setTimeout(flush, PAUSE_MS);
    timer.unref();
    process.once("exit", flush);
  }
  places.add(placeId(kind, place));
}

function flush(): void {
  clearTimeout(timer);
  process.off("exit", flush);
  acknowledge(places, began);
  places.clear();
}
