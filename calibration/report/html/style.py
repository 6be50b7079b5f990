"""The style of the HTML report: one sheet for desktop, phone and paper, light and dark."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --back: #ffffff; --card: #f5f6f8; --text: #1b1f24; --soft: #545c66; --edge: #d5d9df; --grid: #e4e7eb;
  --clear: #0b5fb5; --ambiguous: #b04a00; --gate: #3d444d; --recommended: #0a7038;
  --good: #e4f4ea; --poor: #fdf0e0;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1d2126; --text: #e8eaed; --soft: #aab2bc; --edge: #3a4048; --grid: #2b3037;
    --clear: #79b5ff; --ambiguous: #ffa95e; --gate: #d5dae0; --recommended: #6bd698;
    --good: #16301f; --poor: #382812;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 68rem; padding: 1.25rem 1rem 3rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: break-word;
}
bdi, dd, tbody th, .verdict, caption, li { overflow-wrap: anywhere; }
h1 { font-size: 1.05rem; margin: 0 0 .75rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; line-height: 1.3; }
h3 { font-size: 1rem; margin: 1rem 0 .35rem; }
p { margin: .4rem 0; max-width: 46rem; }
ul { margin: .4rem 0; padding-left: 1.2rem; max-width: 46rem; }
.verdict { border-radius: .6rem; padding: 1rem 1.1rem; border: 1px solid var(--edge); }
.verdict strong { display: block; font-size: 1.1rem; line-height: 1.4; max-width: 46rem; }
.verdict dl.rates {
  display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.25rem; margin: 0 0 .75rem; max-width: 46rem;
}
.rates dt { font-weight: 600; }
.rates dd { margin: 0; font-size: .875rem; }
.rates dd.big { font-size: 2rem; line-height: 1.2; font-weight: 700; }
.verdict p.calls { font-weight: 600; margin: 0; }
.verdict p.unset { font-weight: 700; font-size: 1.1rem; margin: 0 0 .6rem; }
.verdict.good { background: var(--good); border-left: .35rem solid var(--recommended); }
.verdict.poor { background: var(--poor); border-left: .35rem solid var(--ambiguous); }
.soft { color: var(--soft); font-size: .9rem; }
dl.facts {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .5rem 1rem; margin: 1rem 0;
}
dl.facts dt { color: var(--soft); font-size: .875rem; }
dl.facts dd { margin: 0; font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: .5rem 2rem; }
.pair > * { min-width: 0; }
figure { margin: .6rem 0; max-width: 30rem; }
figcaption { color: var(--soft); font-size: .875rem; margin-top: .35rem; }
svg { display: block; width: 100%; height: auto; }
svg text {
  font: 11.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--soft);
  paint-order: stroke; stroke: var(--back); stroke-width: 4px; stroke-linejoin: round;
}
svg text.name { font-weight: 600; }
svg text.mid { text-anchor: middle; }
svg text.end { text-anchor: end; }
svg .clear { fill: var(--clear); } svg .ambiguous { fill: var(--ambiguous); }
svg text.gate, svg text.block { fill: var(--gate); } svg text.recommended, svg text.pass { fill: var(--recommended); }
svg rect.zone { fill: var(--grid); fill-opacity: .7; }
svg path { fill: none; stroke-width: 1.5; }
svg path.axis { stroke: var(--soft); stroke-width: 1; }
svg path.grid { stroke: var(--grid); stroke-width: 1; }
svg path.stroke { fill: none; stroke-width: 2; }
svg path.band { fill-opacity: .16; stroke: none; }
svg path.stroke.clear { stroke: var(--clear); }
svg path.stroke.ambiguous { stroke: var(--ambiguous); }
svg rect.box { fill-opacity: .35; }
svg path.median { stroke: var(--text); stroke-width: 2; }
svg path.line { stroke-width: 1.5; stroke-dasharray: 4 3; }
svg path.line.gate, svg path.line.block { stroke: var(--gate); }
svg path.line.recommended, svg path.line.pass { stroke: var(--recommended); }
svg path.line.recommended, svg path.line.pass, svg path.line.block { stroke-dasharray: none; }
svg path.curve { stroke: var(--clear); stroke-width: 2; stroke-linejoin: round; }
svg path.chance, svg path.limit { stroke: var(--soft); stroke-dasharray: 3 4; stroke-width: 1; }
svg path.limit { stroke: var(--recommended); }
svg path.point { stroke-width: 2.5; }
svg path.point.gate { stroke: var(--gate); fill: var(--back); }
svg path.point.recommended { stroke: var(--recommended); fill: var(--recommended); }
.key {
  list-style: none; padding: 0; margin: .3rem 0; display: flex; flex-wrap: wrap; gap: .15rem 1rem; font-size: .875rem;
}
.key svg { display: inline-block; width: 1rem; height: 1rem; vertical-align: -.15rem; margin-right: .35rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .875rem; padding-bottom: .3rem; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--edge); vertical-align: top; }
thead th { font-size: .875rem; color: var(--soft); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; min-width: 7.5rem; }
tr.chosen > * { background: var(--good); }
ol.cases { list-style: none; padding: 0; margin: .4rem 0; }
ol.cases li {
  background: var(--card); border-radius: .5rem; padding: .6rem .8rem; margin: .5rem 0; break-inside: avoid;
}
ol.cases q { font-weight: 600; }
.mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; }
.lacking { color: var(--soft); font-style: italic; }
@media (max-width: 40rem) {
  body { padding: 1rem 1rem 2rem; }
  .verdict strong { font-size: 1.05rem; }
  table.stack, table.stack tbody, table.stack tr, table.stack th, table.stack td { display: block; width: 100%; }
  table.stack caption { display: block; }
  table.stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.stack tr { border-bottom: 1px solid var(--edge); padding: .5rem 0; }
  table.stack th, table.stack td { border: 0; padding: .1rem 0; }
  table.stack td { display: flex; justify-content: space-between; gap: 1rem; }
  table.stack td::before { content: attr(data-name); color: var(--soft); font-size: .875rem; flex: 0 0 38%; }
  table.stack td > span { text-align: right; }
  table.stack tr.chosen { background: var(--good); padding: .5rem .6rem; border-radius: .4rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3, h3 + p { break-after: avoid; }
  figure, table, .verdict, ol.cases li { break-inside: avoid; }
  .verdict, ol.cases li, tr.chosen > * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure { max-width: 19rem; }
  th, td { padding-top: .2rem; padding-bottom: .2rem; }
  h2 { margin-top: 1.4rem; }
}
"""
