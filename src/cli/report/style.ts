/** Of the page. Plots are seen without it as well: it may be blocked. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f4f6f9; --card: #fff; --text: #17202e; --soft: #5b6675; --line: #dde3ea;
  --accent: #1d4ed8; --warn: #b45309; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --page: #0e141b; --card: #17202b; --text: #e6ebf1; --soft: #9aa7b6;
  --line: #2a3644; --accent: #7aa7ff; --warn: #fbbf24; --code: #0e141b; } .s0 { fill: #6ea2ff } .l0 { stroke: #6ea2ff }
  .s3 { fill: #f87171 } .s4 { fill: #a78bfa } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px 48px; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 1160px; margin: 0 auto }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em }
h2 { font-size: 19px; margin: 32px 0 12px }
h3 { font-size: 15px; margin: 0 0 10px }
p { margin: 0 0 8px }
.soft, footer { color: var(--soft) }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0 0; padding: 0 }
.tiles div { flex: 1 1 150px }
.tiles div, .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px }
.tiles dt { color: var(--soft); font-size: 13px }
.tiles dd { margin: 2px 0 0; font-size: 23px; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.25 }
.tiles small { display: block; font-size: 12px; font-weight: 400; color: var(--soft) }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 12px; margin: 12px 0 }
.card { min-width: 0 }
figure { margin: 0 }
svg { display: block; max-width: 100%; height: auto }
svg text { fill: var(--soft) }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; list-style: none; margin: 8px 0 0; padding: 0; font-size: 13px }
.legend svg, .spark { display: inline-block; vertical-align: -1px }
h3 + svg { margin-top: 2px }
.note { margin: 8px 0 0; font-size: 13px; color: var(--soft) }
details { margin-top: 10px; font-size: 13px }
summary { cursor: pointer; color: var(--accent) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { font-size: 15px; font-weight: 650; margin: 0 0 10px; text-align: left }
details caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
th, td { text-align: right; padding: 6px 10px; border-bottom: 1px solid var(--line) }
thead th { color: var(--soft); font-size: 13px; font-weight: 600 }
th, td, .tiles dd, .findings b { white-space: nowrap }
tbody th { font-weight: inherit; white-space: normal; overflow-wrap: anywhere }
.tiles small { white-space: normal }
th:first-child { text-align: left; padding-left: 0; min-width: 96px }
td:last-child, th:last-child { padding-right: 0 }
tfoot td, tfoot th { font-weight: 650; border-bottom: 0 }
th .soft { font-size: 12px }
.findings { list-style: none; margin: 0; padding: 0 }
.findings li { padding: 10px 0; min-width: 0 }
.findings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 0 28px }
.findings b { color: var(--warn) }
code { display: block; margin-top: 6px; padding: 8px 10px; background: var(--code); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12.5px/1.45 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace }
footer { margin-top: 32px; font-size: 13px }
@media (max-width: 640px) { .wide { display: none } h1 { font-size: 22px } .tiles dd { font-size: 19px }
  table { font-size: 12px } body { padding: 16px 12px 32px } .card { padding: 12px } th, td { padding: 6px 4px }
  th:first-child { min-width: 64px } thead th { font-size: 12px } }
@media print { body { background: #fff; padding: 0 } .card, .tiles div { break-inside: avoid } details { display: none }
  .wide { display: table-cell } }
`;
