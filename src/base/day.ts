export const DAY_MS = 86_400_000;

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** Whether a text is a day, `YYYY-MM-DD`, and there is such a one: no 31 February. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return dayIn(text) === text && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day that a time begins with. */
export const dayIn = (time = ""): string | undefined => DAY.exec(time)?.[0];
