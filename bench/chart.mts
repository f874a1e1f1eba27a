import { COLUMNS, type Column } from "./columns.mts";
import { STEPS } from "./steps.mts";
import type { Summary } from "./summary.mts";

const PANEL = { width: 300, height: 220, left: 56, right: 24, top: 30, bottom: 34 };
const PANELS_A_ROW = 3;
const LEGEND = { top: 20, row: 22 };

/** Light and dark, each legible on its background and told apart by the colour-blind. */
const COLOURS: readonly (readonly [light: string, dark: string])[] = [
  ["#0072b2", "#56b4e9"],
  ["#d55e00", "#ff8c42"],
  ["#7a7a7a", "#9aa0a6"],
  ["#000000", "#ffffff"],
  ["#009e73", "#2fd6a4"],
  ["#aa4499", "#e07acb"],
  ["#b8860b", "#ffd166"],
];
const DASHES = ["", "", "2 3", "8 4", "8 3 2 3", "4 2", "1 2"];

interface Scale {
  ticks: readonly number[];
  /** From 0 to 1. */
  position(value: number): number;
}

/** Seconds against the number of ports, both logarithmic: a panel for each step, a line for each column. */
export function chartOf(summary: Summary): string {
  const columns = COLUMNS.slice(0, COLOURS.length).filter(({ name }) => summary.sizes(name).length > 1);
  const legend = LEGEND.top + LEGEND.row * Math.ceil(columns.length / PANELS_A_ROW);
  const points = columns.flatMap(({ name }) => STEPS.flatMap(({ name: step }) => pointsOf(summary, name, step)));
  const horizontal = scaleOf(points.map(([size]) => size));
  const vertical = scaleOf(points.map(([, seconds]) => seconds));
  const rows = Math.ceil(STEPS.length / PANELS_A_ROW);
  const [width, height] = [PANELS_A_ROW * PANEL.width, legend + rows * PANEL.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    "<title>Seconds that each step takes, against the number of ports</title>",
    style(columns),
    '<rect class="background" width="100%" height="100%" rx="8"/>',
    ...columns.map((column, index) => legendOf(column, index)),
    ...STEPS.flatMap(({ name: step }, index) => {
      const x = (index % PANELS_A_ROW) * PANEL.width;
      const y = legend + Math.floor(index / PANELS_A_ROW) * PANEL.height;
      return [
        `<g transform="translate(${x} ${y})">`,
        `<text class="title" x="${PANEL.left}" y="20">${step}</text>`,
        ...gridOf(horizontal, vertical),
        ...columns.map(({ name }) => lineOf(name, pointsOf(summary, name, step), horizontal, vertical)),
        "</g>",
      ];
    }),
    "</svg>",
    "",
  ].join("\n");
}

/** What took no measurable time has no place on a logarithmic scale. */
function pointsOf(summary: Summary, column: string, step: string): [size: number, seconds: number][] {
  return summary
    .sizes(column)
    .map((size): [number, number] => [size, summary.seconds(column, size, step)])
    .filter(([, seconds]) => seconds >= 0.001);
}

/** Powers of ten around the values. */
function scaleOf(values: readonly number[]): Scale {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index));
  return { ticks, position: (value) => (Math.log10(value) - least) / (most - least) };
}

const xOf = (position: number): string => (PANEL.left + position * (PANEL.width - PANEL.left - PANEL.right)).toFixed(1);
const yOf = (position: number): string =>
  (PANEL.top + (1 - position) * (PANEL.height - PANEL.top - PANEL.bottom)).toFixed(1);

function gridOf(horizontal: Scale, vertical: Scale): string[] {
  const [left, right, top, bottom] = [xOf(0), xOf(1), yOf(1), yOf(0)];
  return [
    ...horizontal.ticks.flatMap((tick) => {
      const x = xOf(horizontal.position(tick));
      return [
        `<path class="grid" d="M${x} ${top}V${bottom}"/>`,
        `<text x="${x}" y="${Number(bottom) + 16}" text-anchor="middle">${tick.toLocaleString("en-US")}</text>`,
      ];
    }),
    ...vertical.ticks.flatMap((tick) => {
      const y = yOf(vertical.position(tick));
      return [
        `<path class="grid" d="M${left} ${y}H${right}"/>`,
        `<text x="${Number(left) - 6}" y="${Number(y) + 4}" text-anchor="end">${tick.toLocaleString("en-US")} s</text>`,
      ];
    }),
  ];
}

function lineOf(name: string, points: readonly [number, number][], horizontal: Scale, vertical: Scale): string {
  const places = points.map(([size, seconds]) => [xOf(horizontal.position(size)), yOf(vertical.position(seconds))]);
  const path = places.map(([x, y]) => `${x} ${y}`).join("L");
  const dots = places.map(([x, y]) => `<circle class="${name} dot" cx="${x}" cy="${y}" r="3"/>`).join("");
  return path === "" ? "" : `<path class="${name} line" d="M${path}"/>${dots}`;
}

function legendOf({ name, title }: Column, index: number): string {
  const x = PANEL.left + (index % PANELS_A_ROW) * PANEL.width;
  const y = 24 + Math.floor(index / PANELS_A_ROW) * LEGEND.row;
  return `<path class="${name} line" d="M${x} ${y}h28"/><circle class="${name} dot" cx="${x + 14}" cy="${y}" r="3"/><text x="${x + 36}" y="${y + 4}">${title}</text>`;
}

function style(columns: readonly Column[]): string {
  const look = (column: Column, theme: 0 | 1): string => {
    const colour = COLOURS[COLUMNS.indexOf(column)]?.[theme];
    return `.${column.name}.line { stroke: ${colour} } .${column.name}.dot { fill: ${colour} }`;
  };
  const dash = (column: Column): string =>
    `.${column.name}.line { stroke-dasharray: ${DASHES[COLUMNS.indexOf(column)] || "none"} }`;
  return [
    "<style>",
    ".background { fill: #ffffff } text { fill: #24292f } .grid { stroke: #d0d7de }",
    ".title { font-weight: 600; font-size: 14px } .line { fill: none; stroke-width: 2 }",
    ...columns.map(dash),
    ...columns.map((column) => look(column, 0)),
    "@media (prefers-color-scheme: dark) {",
    ".background { fill: #0d1117 } text { fill: #c9d1d9 } .grid { stroke: #30363d }",
    ...columns.map((column) => look(column, 1)),
    "}",
    "</style>",
  ].join("\n");
}
