import type { Surroundings } from "../../src/run/session";

/** What a run under test is in. */
export const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  lifecycleOf: () => undefined,
  cancelled: new AbortController().signal,
  folder: process.cwd(),
  say: (words) => console.log(`brightdata: ${words}`),
  ...more,
});
