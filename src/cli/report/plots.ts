import { html, type Markup } from "./markup";

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** What a plot is of, in words; it is read out where it cannot be seen. */
export interface Words {
  readonly title: string;
  readonly description: string;
  shown(value: number): string;
  tick(value: number): string;
}

const WIDTH = 480;
const HEIGHT = 240;
const LEFT = 44;
const RIGHT = WIDTH - 8;
const TOP = 12;
const BOTTOM = HEIGHT - 26;

/** Seen on white and on black. The page has its own for either, by the class; where style is blocked, there are these. */
const COLORS = ["#3b82f6", "#f59e0b", "#10b981", "#ef4444", "#8b5cf6", "#06b6d4", "#ec4899", "#84cc16"];
const OTHER_COLOR = "#8b98a9";

export const MOST_SERIES = COLORS.length;

const colorOf = (index: number): string => COLORS[index] ?? OTHER_COLOR;
const className = (index: number): string => `s${Math.min(index, MOST_SERIES)}`;

const places = (value: number): string => String(Math.round(value * 10) / 10);

const svg = ({ title, description }: Words, content: readonly Markup[], height = HEIGHT): Markup =>
  html`<svg viewBox="0 0 ${WIDTH} ${height}" width="100%" role="img" font-size="13" fill="currentColor"><title>${title}</title><desc>${description}</desc>${content}</svg>`;

/** Stacked bars, one for each day. Those from `complete` on are of days that are not over. */
export function bars(series: readonly Series[], days: readonly string[], complete: number, words: Words): Markup {
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const scale = scaleOf(Math.max(...sums), days, words);
  const step = (RIGHT - LEFT) / days.length;
  const rects = days.flatMap((day, index) => {
    let sum = 0;
    return series.flatMap(({ name, values }, which) => {
      const value = values[index] ?? 0;
      if (value <= 0) return [];
      const from = scale.y(sum);
      sum += value;
      const to = scale.y(sum);
      const isOpen = index >= complete;
      const tip = `${day}${isOpen ? ", incomplete" : ""}: ${name}, ${words.shown(value)}`;
      return html`<rect class="${className(which)}" x="${places(LEFT + index * step + step * 0.1)}" y="${places(to)}" width="${places(step * 0.8)}" height="${places(Math.max(from - to, 0.5))}" fill="${colorOf(which)}"${isOpen ? html` fill-opacity="0.45"` : ""}><title>${tip}</title></rect>`;
    });
  });
  return svg(words, [...scale.axes, ...rects]);
}

interface Course {
  readonly days: readonly string[];
  readonly values: readonly number[];
  readonly complete: number;
  readonly before: readonly number[];
  readonly forecast: number | undefined;
}

/** The sums up to each day: of these days, of those before, and to the end of the month at the same pace. */
export function sums({ days, values, complete, before, forecast }: Course, words: Words): Markup {
  const [own, earlier] = [running(values), running(before)];
  const scale = scaleOf(Math.max(0, ...own, ...earlier, forecast ?? 0), days, words);
  const line = (points: readonly [number, number][]) =>
    points.map(([day, value]) => `${places(scale.x(day))},${places(scale.y(value))}`).join(" ");
  const atEnds = (all: readonly number[]) => [0, ...all].map((value, day): [number, number] => [day, value]);
  // A month before may be longer: it ends where this one does.
  const share = Math.min(1, days.length / earlier.length);
  const earlierAtEnds = atEnds(earlier).map(([day, value]): [number, number] => [day * share, value]);
  const over = own[complete - 1] ?? 0;
  const ahead =
    forecast === undefined
      ? []
      : [
          html`<polyline class="l0" points="${line([
            [complete, over],
            [days.length, forecast],
          ])}" fill="none" stroke="${colorOf(0)}" stroke-width="2" stroke-dasharray="5 4"/>`,
          html`<circle class="s0" cx="${places(scale.x(days.length))}" cy="${places(scale.y(forecast))}" r="4" fill="${colorOf(0)}"><title>Forecast: ${words.shown(forecast)}</title></circle>`,
        ];
  return svg(words, [
    ...scale.axes,
    html`<polyline class="l8" points="${line(earlierAtEnds)}" fill="none" stroke="${OTHER_COLOR}" stroke-width="2"/>`,
    html`<polyline class="l0" points="${line(atEnds(own))}" fill="none" stroke="${colorOf(0)}" stroke-width="3"/>`,
    ...ahead,
  ]);
}

const running = (values: readonly number[]): number[] => {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
};

export interface Share {
  readonly name: string;
  readonly part: number;
  readonly whole: number;
}

const ROW = 34;

/** A bar for each name: how much of its whole is a part. */
export function shares(all: readonly Share[], words: Words): Markup {
  const longest = Math.max(1, ...all.map(({ whole }) => whole));
  const rows = all.map(({ name, part, whole }, index) => {
    const [top, width] = [index * ROW, (value: number) => places(((WIDTH - 8) * value) / longest)];
    const label = `${words.shown(part)} of ${words.shown(whole)}`;
    return html`<text x="0" y="${top + 14}">${shortened(name)}</text><text x="${WIDTH - 8}" y="${top + 14}" text-anchor="end">${label}</text><rect class="s8" x="0" y="${top + 19}" width="${width(whole)}" height="9" rx="2" fill="${OTHER_COLOR}" fill-opacity="0.5"/><rect class="s1" x="0" y="${top + 19}" width="${width(part)}" height="9" rx="2" fill="${colorOf(1)}"><title>${name}: ${label}</title></rect>`;
  });
  return svg(words, rows, Math.max(1, all.length) * ROW);
}

const LONGEST_NAME = 40;
const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join("")}...` : name;
};

/** A line without axes, for a row of a table. */
export function spark(values: readonly number[], title: string): Markup {
  const [width, height] = [96, 22];
  const highest = Math.max(...values, 0) || 1;
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${places(index * step)},${places(height - 2 - (value / highest) * (height - 4))}`,
  );
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${title}</title><polyline class="l0" points="${points.join(" ")}" fill="none" stroke="${colorOf(0)}" stroke-width="1.5"/></svg>`;
}

/** What the colors of a plot stand for. */
export const legend = (names: readonly string[]): Markup =>
  html`<ul class="legend">${names.map(
    (name, index) =>
      html`<li><svg width="12" height="12" aria-hidden="true"><rect class="${className(index)}" width="12" height="12" rx="2" fill="${colorOf(index)}"/></svg> <bdi>${name}</bdi></li>`,
  )}</ul>`;

/** Where days and values stand in a plot. */
function scaleOf(highest: number, days: readonly string[], { tick }: Words) {
  const step = niceStep(highest);
  const count = Math.max(1, Math.ceil(highest / step));
  const x = (day: number) => LEFT + ((RIGHT - LEFT) * day) / days.length;
  const y = (value: number) => BOTTOM - ((BOTTOM - TOP) * value) / (count * step);
  const lines = Array.from({ length: count + 1 }, (_, index) => {
    const value = index * step;
    const at = places(y(value));
    return html`<line x1="${LEFT}" x2="${RIGHT}" y1="${at}" y2="${at}" stroke="currentColor" stroke-opacity="${value === 0 ? 0.5 : 0.15}"/><text x="${LEFT - 6}" y="${places(y(value) + 4)}" text-anchor="end">${tick(value)}</text>`;
  });
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const labels = [
    html`<text x="${LEFT}" y="${HEIGHT - 8}">${first}</text>`,
    ...(days.length > 1 ? [html`<text x="${RIGHT}" y="${HEIGHT - 8}" text-anchor="end">${last}</text>`] : []),
  ];
  return { x, y, axes: [...lines, ...labels] };
}

const MOST_TICKS = 4;

/** 1, 2 or 5 times a power of ten, so that there are few lines. */
function niceStep(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest / MOST_TICKS));
  return [1, 2, 5].map((factor) => factor * power).find((step) => highest / step <= MOST_TICKS) ?? 10 * power;
}
