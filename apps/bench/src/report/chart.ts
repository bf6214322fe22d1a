import { contestants } from '../contestants/catalogue.js';
import type { Workload } from '../workloads/workload.js';
import { formatNumber } from './format.js';
import { Figures, type Results } from './results.js';

const WIDTH = 860;
const LABEL = 315;
const VALUE = 70;
const BAR = 14;
const ROW_GAP = 10;
const PANEL_GAP = 46;

/**
 * Colours for light and dark pages. Bars of Toolwright are full, those of others pale. A text has a contrast of at least
 * 4.5 on the background, a bar one of at least 3 if it is ours.
 */
const STYLE = `
svg { --page: #ffffff; --text: #1f2937; --ours-0: #1d4ed8; --ours-1: #b45309; --ours-2: #047857; --other-0: #b6c7ee; --other-1: #ecd1a8; --other-2: #b0dccb; }
@media (prefers-color-scheme: dark) {
  svg { --page: #16181d; --text: #e5e7eb; --ours-0: #60a5fa; --ours-1: #fbbf24; --ours-2: #34d399; --other-0: #33415f; --other-1: #574622; --other-2: #1f4a3c; }
}
.page { fill: var(--page); }
text { fill: var(--text); }
.strong { font-weight: 700; }
${[0, 1, 2].map((index) => `.ours-${index} { fill: var(--ours-${index}); } .other-${index} { fill: var(--other-${index}); }`).join('\n')}
`;
const COLOURS = 3;

interface Row {
  title: string;
  /** Whether it is a server of Toolwright. */
  isOurs: boolean;
  /** One per Node.js. */
  values: (number | undefined)[];
}

/** Bars of the first metric: a panel per workload, a row per contestant, a colour per Node.js. */
export function chart(workloads: Workload[], results: Results): string {
  const figures = new Figures(results);
  let y = 20;
  const parts = [legend(results.nodes, y)];
  y += PANEL_GAP;
  for (const workload of workloads) {
    const rows = rowsOf(workload, results.nodes, figures);
    parts.push(text({ x: 10, y, strong: true }, `${workload.title} (${workload.metrics[0].unit})`));
    y += ROW_GAP;
    const largest = Math.max(...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
    for (const row of rows) {
      parts.push(barsOf(row, y, largest));
      y += results.nodes.length * BAR + ROW_GAP;
    }
    y += PANEL_GAP - ROW_GAP;
  }
  const style = 'font-family="system-ui, sans-serif" font-size="12"';
  const frame = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" ${style}`;
  const page = '<rect class="page" width="100%" height="100%"/>';
  return `<svg ${frame}>\n<style>${STYLE}</style>\n${page}\n${parts.join('\n')}\n</svg>\n`;
}

function rowsOf({ name, metrics, titleOf }: Workload, nodes: string[], figures: Figures): Row[] {
  return contestants
    .map((contestant) => ({
      title: titleOf?.(contestant) ?? contestant.title,
      isOurs: contestant.name.startsWith('toolwright'),
      values: nodes.map((node) => figures.summary(name, contestant.name, node, metrics[0].name)?.median),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
    .sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
}

function barsOf({ title, isOurs, values }: Row, top: number, largest: number): string {
  const bars = values.map((value, index) => {
    const y = top + index * BAR;
    const width = ((value ?? 0) / largest) * (WIDTH - LABEL - VALUE - 10);
    const label = value === undefined ? 'failed' : formatNumber(value);
    const box = `x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}"`;
    const style = `${isOurs ? 'ours' : 'other'}-${index % COLOURS}`;
    return `<rect class="${style}" ${box}/>${text({ x: LABEL + width + 5, y: y + 10, strong: isOurs }, label)}`;
  });
  return text({ x: 10, y: top + 10, strong: isOurs }, title) + bars.join('');
}

function legend(nodes: string[], y: number): string {
  const pairs = nodes.map((node, index) => {
    const x = 10 + index * 150;
    const box = (kind: string, left: number) =>
      `<rect class="${kind}-${index % COLOURS}" x="${left}" y="${y - 10}" width="12" height="12"/>`;
    return box('ours', x) + box('other', x + 14) + text({ x: x + 32, y }, `Node ${node}`);
  });
  const key = text({ x: 10 + nodes.length * 150, y, strong: true }, 'Toolwright: bold, full colours');
  return pairs.join('') + key;
}

interface Place {
  x: number;
  y: number;
  strong?: boolean;
}

function text({ x, y, strong = false }: Place, content: string): string {
  const escaped = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text ${strong ? 'class="strong" ' : ''}x="${x.toFixed(1)}" y="${y}">${escaped}</text>`;
}
