const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What two columns of a terminal are for: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{M}\u200b-\u200d]+$/u;

const widthOfSegment = (segment: string): number => (INVISIBLE.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1);

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of SEGMENTS.segment(text)) width += widthOfSegment(segment);
  return width;
}

/** A text in no more columns than those. */
export function cut(text: string, width: number, end = "..."): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const { segment } of SEGMENTS.segment(text)) {
    if (widthOf(kept + segment) + widthOf(end) > width) break;
    kept += segment;
  }
  return kept + end;
}

export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));
export const padStart = (text: string, width: number): string => " ".repeat(Math.max(0, width - widthOf(text))) + text;
