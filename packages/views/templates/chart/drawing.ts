import type { ViewOf } from '@toolwright/views';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export type Figures = ViewOf<'view_name'>['result'];

/** What people hear who do not see the chart. */
export function describeChart({ labels, series, unit }: Figures, locale: string): string {
  const ranges = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return `${name} from ${least.toLocaleString(locale)} to ${most.toLocaleString(locale)} ${unit}`;
  });
  return `Chart, ${labels[0]} to ${labels.at(-1)}: ${ranges.join('; ')}. The table below has all figures.`;
}

/** Lines differ in their dashes where colours do not. Each is twice as long as the pattern in the legend at least. */
const dashes = [[], [10, 4], [2, 4], [10, 4, 2, 4]];

/** Draws bars for one series, and lines for several. @returns a function that removes the chart */
export function drawChart(box: HTMLElement, { labels, series, unit }: Figures, locale: string): () => void {
  const number = new Intl.NumberFormat(locale);
  const axis = {
    font: `12px ${getComputedStyle(box).fontFamily}`,
    stroke: colourOf(box, '--chart-text'),
    grid: { stroke: colourOf(box, '--chart-grid'), width: 1 },
    ticks: { stroke: colourOf(box, '--chart-grid'), width: 1 },
  };
  const isAlone = series.length === 1;
  const lines = series.map(({ name }, index): uPlot.Series => {
    const stroke = colourOf(box, `--chart-${(index % 4) + 1}`);
    return {
      label: name,
      stroke,
      width: 2,
      dash: dashes[index % 4],
      // There is no index while the pointer is elsewhere.
      value: (_, value: number | null, _series, at) =>
        at === null ? '' : value === null ? '–' : `${number.format(value)} ${unit}`,
      ...(isAlone && {
        fill: stroke,
        paths: uPlot.paths.bars!({ size: [0.7, 48] }),
        points: { show: false },
      }),
    };
  });
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height: 260,
      scales: {
        x: { time: false, range: [-0.5, labels.length - 0.5] },
        y: { range: { min: { pad: 0.1, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 0, mode: 1 } } },
      },
      axes: [
        { ...axis, incrs: [1, 2, 3, 6, 12, 24, 60], values: (_, at) => at.map((each) => labels[each] ?? '') },
        { ...axis, size: 64, values: (_, at) => at.map((each) => number.format(each)) },
      ],
      series: [{ label: ' ', value: (_, at: number | null) => labels[at ?? -1] ?? '' }, ...lines],
      cursor: { drag: { x: false, y: false } },
      hooks: {
        init: [
          ({ root }) => {
            const [, ...markers] = root.querySelectorAll('.u-legend .u-marker');
            if (!isAlone) markers.forEach((marker, at) => marker.append(sampleOf(lines[at]!)));
          },
        ],
      },
    },
    [labels.map((_, index) => index), ...series.map(({ values }) => values)],
    box,
  );
  const fit = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: 260 }));
  fit.observe(box);
  return () => {
    fit.disconnect();
    chart.destroy();
  };
}

/** A piece of a line for the legend. */
function sampleOf({ stroke, dash = [] }: uPlot.Series): HTMLElement {
  const canvas = Object.assign(document.createElement('canvas'), { width: 80, height: 24 });
  const pen = canvas.getContext('2d')!;
  pen.scale(2, 2);
  pen.setLineDash(dash);
  Object.assign(pen, { strokeStyle: stroke, lineWidth: 2 });
  pen.moveTo(0, 6);
  pen.lineTo(40, 6);
  pen.stroke();
  return canvas;
}

/** A canvas takes no custom properties, so the style of an element is read. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = box.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
