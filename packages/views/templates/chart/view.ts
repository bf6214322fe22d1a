import type { ViewOf } from '@toolwright/views';
import { type Figures, describeChart, drawChart } from './view-name-drawing';
import './view-name.css';

let drawn = '';
let remove = () => {};

export default function show({ result, view }: ViewOf<'view_name'>, root: HTMLElement): void {
  const { locale, theme } = view.host;
  const look = JSON.stringify([result, locale, theme]);
  if (look === drawn) return;
  drawn = look;
  remove();
  const { title, unit, labels } = result;
  if (labels.length === 0) {
    root.replaceChildren(make('p', { role: 'status' }, 'There are no figures.'));
    return;
  }
  const box = make('div', { className: 'chart', role: 'img', ariaLabel: describeChart(result, locale) });
  const caption = make('figcaption', {}, make('h1', {}, `${title} (${unit})`));
  root.replaceChildren(make('figure', { ariaLabel: title }, caption, box, makeTable(result, locale)));
  // The chart is drawn again with the colours of another theme. Nothing in it moves by itself.
  remove = drawChart(box, result, locale);
}

function makeTable({ title, labels, series }: Figures, locale: string): HTMLElement {
  const heads = series.map(({ name }) => make('th', { scope: 'col' }, name));
  const rows = labels.map((label, index) => {
    const cells = series.map(({ values }) => make('td', {}, values[index]?.toLocaleString(locale) ?? '–'));
    return make('tr', {}, make('th', { scope: 'row' }, label), ...cells);
  });
  const head = make('thead', {}, make('tr', {}, make('td'), ...heads));
  const table = make('table', { ariaLabel: title }, head, make('tbody', {}, ...rows));
  const scroll = make('div', { className: 'scroll', role: 'region', ariaLabel: title, tabIndex: 0 }, table);
  return make('details', {}, make('summary', {}, 'Show the figures'), scroll);
}

/** Makes an element. Texts stay texts: nothing of a result becomes markup. */
function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  members: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), members);
  element.append(...children);
  return element;
}
