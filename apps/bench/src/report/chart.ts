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
const COLOURS = ['#2563eb', '#f59e0b', '#10b981'];

interface Row {
  title: string;
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
    parts.push(text({ x: 10, y, weight: 600 }, `${workload.title} (${workload.metrics[0].unit})`));
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
  return `<svg ${frame}>\n<rect width="100%" height="100%" fill="#ffffff"/>\n${parts.join('\n')}\n</svg>\n`;
}

function rowsOf({ name, metrics, titleOf }: Workload, nodes: string[], figures: Figures): Row[] {
  return contestants
    .map((contestant) => ({
      title: titleOf?.(contestant) ?? contestant.title,
      values: nodes.map((node) => figures.summary(name, contestant.name, node, metrics[0].name)?.median),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
    .sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
}

function barsOf({ title, values }: Row, top: number, largest: number): string {
  const bars = values.map((value, index) => {
    const y = top + index * BAR;
    const width = ((value ?? 0) / largest) * (WIDTH - LABEL - VALUE - 10);
    const label = value === undefined ? 'failed' : formatNumber(value);
    const box = `x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}"`;
    return `<rect ${box} fill="${COLOURS[index % COLOURS.length]}"/>${text({ x: LABEL + width + 5, y: y + 10 }, label)}`;
  });
  return text({ x: 10, y: top + 10 }, title) + bars.join('');
}

function legend(nodes: string[], y: number): string {
  return nodes
    .map((node, index) => {
      const x = 10 + index * 130;
      const fill = COLOURS[index % COLOURS.length];
      const box = `<rect x="${x}" y="${y - 10}" width="12" height="12" fill="${fill}"/>`;
      return box + text({ x: x + 18, y }, `Node ${node}`);
    })
    .join('');
}

function text({ x, y, weight = 400 }: { x: number; y: number; weight?: number }, content: string): string {
  const escaped = content.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" font-weight="${weight}" fill="#1f2937">${escaped}</text>`;
}
