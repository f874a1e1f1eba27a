import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mts";

const WIDTH = 900;
const TIMEOUT_MS = 60_000;

/** Like a forge's page. */
const STYLE = `
body { margin: 0; padding: 24px 28px; font: 14px/1.5 "Liberation Sans", Arial, sans-serif; color: #1f2328; background: #fff; }
main { border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px 20px; }
h1 { font-size: 20px; font-weight: 600; margin: 0 0 12px; } h3 { font-size: 17px; margin: 0 0 12px; }
code, pre { font: 12px "Liberation Mono", monospace; background: #f0f1f3; border-radius: 4px; }
code { padding: 2px 5px; } pre { padding: 12px; white-space: pre-wrap; }
table { border-collapse: collapse; margin: 0 0 14px; } td, th { border: 1px solid #d1d9e0; padding: 5px 12px; text-align: left; }
td.right, th.right { text-align: right; } tr:nth-child(even) td { background: #f6f8fa; } p { margin: 0 0 12px; } ul { margin: 0 0 12px; padding-left: 24px; }
`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Within a line. */
const inline = (text: string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/(^|\s)_([^_]+)_/g, "$1<em>$2</em>")
    .replace(/\\([\\`*_{}[\]<>|~])/g, "$1");

function tableOf(lines: readonly string[]): string {
  const [heads = [], rules = [], ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell, n) => `<${tag}${rules[n]?.endsWith(":") ? ' class="right"' : ""}>${inline(cell)}</${tag}>`).join("");
  return `<table><tr>${cells(heads, "th")}</tr>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</table>`;
}

/** What the package writes of Markdown, as HTML. Details are shown. */
export function htmlOf(markdown: string): string {
  const blocks = markdown
    .replace(/^<!--.*-->\n/, "")
    .trim()
    .split(/\n{2,}/);
  return blocks
    .map((block) => {
      const lines = block.split("\n");
      if (block.startsWith("```")) return `<pre>${escaped(lines.slice(1, -1).join("\n"))}</pre>`;
      if (block.startsWith("|")) return tableOf(lines);
      if (block.startsWith("- "))
        return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`;
      if (block.startsWith("### ")) return `<h3>${inline(block.slice(4))}</h3>`;
      return /^<\/?details/.test(block) ? block.replace("<details>", "<details open>") : `<p>${inline(block)}</p>`;
    })
    .join("\n");
}

/** Takes a picture of Markdown, as a forge shows it. */
export async function pictureOf(markdown: string, file: string, title?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-brightdata-picture-"));
  const chromium = process.env.CHROMIUM ?? "chromium";
  const page = join(folder, "page.html");
  const look = (...args: string[]) => {
    const always = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      `--user-data-dir=${folder}/user`,
    ];
    return run(chromium, [...always, ...args, `file://${page}`], { timeoutMs: TIMEOUT_MS });
  };
  try {
    const head = title === undefined ? "" : `<h1>${inline(title)}</h1>`;
    const measure = "<script>document.title = document.documentElement.offsetHeight</script>";
    const html = `<meta charset="utf-8"><style>${STYLE}</style>${head}<main>${htmlOf(markdown)}</main>${measure}`;
    await writeFile(page, `<!doctype html><html><body>${html}</body></html>`);
    const { stdout } = await look(`--window-size=${WIDTH},400`, "--dump-dom");
    const height = /<title>(\d+)<\/title>/.exec(stdout)?.[1];
    if (height === undefined) throw new Error(`${chromium} has not shown the page.`);
    const { status, stderr } = await look(`--window-size=${WIDTH},${height}`, `--screenshot=${file}`);
    if (status !== 0) throw new Error(stderr);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
