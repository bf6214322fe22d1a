import type { ViewOf } from '@toolwright/views';
import './weather-chart.css';

type Props = ViewOf<'chart_weather'>;
type Chart = Props['result'];

const TOP = 10;
const BOTTOM = 230;
const LEFT = 52;
const STEP = 49;

/** A chart that a person chose, in place of the one that the model asked for. */
let chosen: Chart | undefined;
let trouble = '';

/** A bar for each month, from low to high. It loads nothing from anywhere. */
export default function show(props: Props, root: HTMLElement): void {
  const chart = chosen ?? props.result;
  const focused = document.activeElement?.id;
  root.replaceChildren(
    make('h1', { id: 'title' }, [`${chart.city}, ${chart.year}`]),
    ...(props.view.host.capabilities['serverTools'] ? [choice(chart, props, root)] : []),
    make('p', { id: 'status', role: 'status' }, [trouble || EXPLANATION]),
    drawing(chart),
    asTable(chart),
  );
  if (focused) document.getElementById(focused)?.focus();
}

const EXPLANATION =
  'Each bar reaches from the mean lowest to the mean highest temperature of a day of that month.';

/** Lets a person choose another city or year. */
function choice({ city, year }: Chart, props: Props, root: HTMLElement): HTMLElement {
  const cities = select('city', ['New York', 'Seattle'], city);
  const years = select('year', ['2012', '2013', '2014', '2015'], String(year));
  const form = make('form', {}, [label('City', cities), ' ', label('Year', years)]);
  form.addEventListener('change', () => {
    const wanted = { city: cities.value as Chart['city'], year: Number(years.value) };
    props.view
      .call('chart_weather', wanted)
      .then(
        (chart) => {
          chosen = chart;
          trouble = '';
        },
        ({ message }: Error) => {
          trouble = message;
        },
      )
      .finally(() => show(props, root));
  });
  return form as HTMLElement;
}

function select(id: string, values: string[], selected: string): HTMLSelectElement {
  const element = document.createElement('select');
  element.id = id;
  for (const value of values) element.add(new Option(value, value, false, value === selected));
  return element;
}

function label(text: string, control: HTMLElement): HTMLElement {
  const element = document.createElement('label');
  element.append(`${text} `, control);
  return element;
}

function drawing({ months }: Chart): Element {
  const from = Math.floor(Math.min(...months.map(({ low }) => low)) / 10) * 10;
  const to = Math.ceil(Math.max(...months.map(({ high }) => high)) / 10) * 10;
  const y = (value: number) => BOTTOM - ((value - from) / (to - from)) * (BOTTOM - TOP);
  const parts: Element[] = [];
  for (let value = from; value <= to; value += 10) {
    const at = y(value);
    parts.push(
      draw('line', { class: 'tick', 'data-value': value, x1: LEFT, x2: 640, y1: at, y2: at }),
      draw('text', { x: LEFT - 6, y: at + 4, 'text-anchor': 'end' }, [`${value} °C`]),
    );
  }
  months.forEach(({ month, low, high }, index) => {
    const x = LEFT + index * STEP + 8;
    const size = { x, y: y(high), width: STEP - 16, height: y(low) - y(high) };
    parts.push(
      draw('rect', { class: 'month', ...size, rx: 3 }, [
        draw('title', {}, [`${month}: ${low} to ${high} °C`]),
      ]),
      draw('text', { x: x + size.width / 2, y: 250, 'text-anchor': 'middle' }, [shortMonth(month)]),
    );
  });
  return draw(
    'svg',
    { id: 'chart', role: 'img', 'aria-labelledby': 'title status', viewBox: '0 0 640 260' },
    parts,
  );
}

const shortMonth = (month: string) =>
  new Date(`${month}-01T00:00Z`).toLocaleDateString('en', { month: 'short', timeZone: 'UTC' });

function asTable({ months }: Chart): Element {
  const row = (name: 'td' | 'th', cells: string[], first: object) =>
    make(
      'tr',
      {},
      cells.map((cell, index) => make(index === 0 ? 'th' : name, index === 0 ? first : {}, [cell])),
    );
  const head = ['Month', 'Low (°C)', 'High (°C)', 'Precipitation (mm)'];
  const rows = months.map(({ month, low, high, precipitation }) =>
    row('td', [month, ...[low, high, precipitation].map((value) => value.toFixed(1))], { scope: 'row' }),
  );
  return make('details', { id: 'details' }, [
    make('summary', {}, ['The same as a table']),
    make('table', {}, [
      make('thead', {}, [
        make(
          'tr',
          {},
          head.map((text) => make('th', { scope: 'col' }, [text])),
        ),
      ]),
      make('tbody', { id: 'rows' }, rows),
    ]),
  ]);
}

type Attributes = Record<string, string | number>;

/** Whatever comes from outside is set as text, never as markup. */
const make = (name: string, attributes: object, children: (Element | string)[] = []): Element =>
  fill(document.createElement(name), attributes as Attributes, children);

const draw = (name: string, attributes: Attributes, children: (Element | string)[] = []): Element =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

function fill(element: Element, attributes: Attributes, children: (Element | string)[]): Element {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
