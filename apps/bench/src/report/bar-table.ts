import { bars, type Bar } from './bars.js';
import { formatNumber, formatTable } from './format.js';
import { Figures, type Results } from './results.js';

/** The bars as a table: what was asked, what was measured, whether it was reached. */
export function barTable(results: Results): string {
  const figures = new Figures(results);
  const rows = bars.flatMap((bar) =>
    results.nodes.flatMap((node) => {
      const bound = boundOf(bar, node);
      if (bound === undefined) return [];
      const figure = figureOf(bar, figures, node);
      const { unit = 'x' } = bar;
      const asked = `${'atLeast' in bar ? 'at least' : 'at most'} ${bound}${unit}`;
      const measured =
        figure === undefined ? '-' : `${unit === 'x' ? figure.toFixed(2) : formatNumber(figure)}${unit}`;
      return [[bar.title, node, asked, measured, verdict(bar, figure, bound)]];
    }),
  );
  return formatTable([['Bar', 'Node', 'asked', 'measured', ''], ...rows]);
}

function boundOf(bar: Bar, node: string): number | undefined {
  const asked = 'atLeast' in bar ? bar.atLeast : bar.atMost;
  return Number(node.split('.')[0]) >= 24 ? asked[24] : asked[20];
}

function figureOf(bar: Bar, figures: Figures, node: string): number | undefined {
  const { contestant, metric } = bar;
  return bar.to === undefined
    ? figures.summary(bar.workload, contestant, node, metric)?.median
    : figures.ratio(bar.workload, [contestant, bar.to], node, metric)?.median;
}

function verdict(bar: Bar, figure: number | undefined, bound: number): string {
  if (figure === undefined) return 'not measured';
  return ('atLeast' in bar ? figure >= bound : figure <= bound) ? 'reached' : 'not reached';
}
