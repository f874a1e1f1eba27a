/** What a terminal shows, as an SVG image: a line each, in the colours that the text asks for. */

const COLUMN = 8.4;
const LINE = 20;
const MARGIN = 20;
const TITLE_BAR = 36;

const BACKGROUND = "#1e1e2e";
const FOREGROUND = "#cdd6f4";

/** The first sixteen colours of a terminal. */
const PALETTE = [
  ...["#6c7086", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de"],
  ...["#7f849c", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#cdd6f4"],
];

/** Text of one look. */
interface Run {
  text: string;
  colour: string;
  bold: boolean;
}

/**
 * @param text what a program printed, with the escape sequences of colours
 * @param title what the image is of, for a reader who does not see it
 */
export function svgOf(text: string, title: string): string {
  const lines = runsOf(text.trimEnd());
  const columns = Math.max(...lines.map((runs) => lengthOf(runs.map((run) => run.text).join(""))));
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = TITLE_BAR + lines.length * LINE + MARGIN;
  const buttons = ["#f38ba8", "#f9e2af", "#a6e3a1"].map(
    (colour, index) => `<circle cx="${MARGIN + index * 20}" cy="20" r="6" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...buttons,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">',
    ...lines.flatMap((runs, index) => lineOf(runs, TITLE_BAR + (index + 1) * LINE)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** A run has a place of its own, so that columns stay columns in any font. */
function lineOf(runs: readonly Run[], y: number): string[] {
  let column = 0;
  const spans = runs.flatMap(({ text, colour, bold }) => {
    const x = (MARGIN + column * COLUMN).toFixed(1);
    column += lengthOf(text);
    const weight = bold ? ' font-weight="bold"' : "";
    return text.trim() === "" ? [] : [`<tspan x="${x}" fill="${colour}"${weight}>${escaped(text)}</tspan>`];
  });
  return spans.length === 0 ? [] : [`<text y="${y}">${spans.join("")}</text>`];
}

function runsOf(text: string): Run[][] {
  const lines: Run[][] = [[]];
  let look = { colour: FOREGROUND, bold: false };
  const [plain = "", ...sequences] = text.split("\u001b[");
  for (const piece of [`0m${plain}`, ...sequences]) {
    const end = piece.indexOf("m");
    look = looksAfter(piece.slice(0, end), look);
    for (const [index, part] of piece
      .slice(end + 1)
      .split("\n")
      .entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, ...look });
    }
  }
  return lines;
}

/** `38;5;n` is a colour, `1` is bold, and `0` ends both. */
function looksAfter(codes: string, look: Omit<Run, "text">): Omit<Run, "text"> {
  const colour = /^38;5;(\d+)$/.exec(codes)?.[1];
  if (colour !== undefined) return { ...look, colour: PALETTE[Number(colour)] ?? FOREGROUND };
  if (codes === "1") return { ...look, bold: true };
  return { colour: FOREGROUND, bold: false };
}

const lengthOf = (text: string): number => [...text].length;

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
