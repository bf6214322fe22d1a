import type { ViewOf } from '@toolwright/views';
import './view-name.css';

type Page = ViewOf<'view_name'>['result'];
type Query = ViewOf<'view_name'>['args'];
type Row = Page['orders'][number];

/** What the table shows: a page, the arguments that it was asked with, and the cursors of the pages before it. */
interface Shown {
  page: Page;
  query: Query;
  before: string[];
}

type Props = ViewOf<'view_name', Shown>;

interface Column {
  title: string;
  /** The value of the argument `sort`. Without it, nobody can sort by the column. */
  sort?: NonNullable<Query['sort']>;
  isNumber?: boolean;
  text(row: Row, locale: string): string;
}

/** The columns, from left to right. The first one names the row. */
const columns: Column[] = [
  { title: 'Order', text: ({ id }) => id },
  { title: 'Customer', sort: 'customer', text: ({ customer }) => customer },
  {
    title: 'Placed',
    sort: 'placed',
    text: ({ placed }, locale) =>
      new Date(placed).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  },
  {
    title: 'Total',
    sort: 'total',
    isNumber: true,
    text: ({ total }, locale) => total.toLocaleString(locale, { style: 'currency', currency: 'EUR' }),
  },
];

/** The elements are made once, and keep the focus. After that, only their contents change. */
export default function show(props: Props, root: HTMLElement): void {
  if (!root.firstChild) startTable(props, root);
}

function startTable({ result, args, view }: Props, root: HTMLElement): void {
  let shown: Shown = view.state ?? { page: result, query: args, before: [] };
  let isPending = false;

  const status = make('p', { role: 'status' });
  const alert = make('p', { role: 'alert', hidden: true });
  const rows = make('tbody');
  const heads = columns.map(({ title, sort, isNumber }) => {
    const content = sort === undefined ? title : makeButton(title, () => sortBy(sort));
    return make('th', { scope: 'col', className: isNumber ? 'number' : '' }, content);
  });
  const table = make('table', { ariaLabel: 'Orders' }, make('thead', {}, make('tr', {}, ...heads)), rows);
  // It can be scrolled with the keyboard where the table is wider than the page.
  const scroll = make(
    'div',
    { className: 'scroll', role: 'region', ariaLabel: 'Orders', tabIndex: 0 },
    table,
  );
  const previous = makeButton('Previous', () => {
    const { cursor, ...first } = shown.query;
    if (cursor !== undefined) void load(first, shown.before);
  });
  const next = makeButton('Next', () => {
    const { cursor = '', ...first } = shown.query;
    const following = shown.page.next;
    if (following !== undefined) void load(first, [...shown.before, cursor, following]);
  });
  const pages = make('nav', { ariaLabel: 'Pages' }, previous, next);
  root.append(make('h1', {}, 'Orders'), status, alert, scroll, pages);
  draw();

  /** @param from the cursors of the pages before the wanted one, and its own */
  async function load(wanted: Query, from: string[] = []) {
    if (isPending) return;
    isPending = true;
    alert.hidden = true;
    draw();
    const cursor = from.at(-1) ?? '';
    const query = cursor === '' ? wanted : { ...wanted, cursor };
    try {
      shown = { page: await view.call('view_name', query), query, before: from.slice(0, -1) };
      view.setState(shown);
    } catch (error) {
      const again = makeButton('Try again', () => void load(wanted, from));
      alert.replaceChildren(`The page was not loaded. ${(error as Error).message} `, again);
      alert.hidden = false;
    } finally {
      isPending = false;
      draw();
    }
  }

  function sortBy(sort: NonNullable<Query['sort']>) {
    const { cursor: _, ...first } = shown.query;
    const isTurned = sort === (first.sort ?? 'placed') && first.direction === 'ascending';
    void load({ ...first, sort, direction: isTurned ? 'descending' : 'ascending' });
  }

  function draw() {
    const { page, query, before } = shown;
    const { sort = 'placed', direction = 'descending', limit = 10 } = query;
    const start = before.length * limit + 1;
    status.textContent = isPending
      ? 'Loading…'
      : page.orders.length === 0
        ? 'No orders.'
        : `${start} to ${start + page.orders.length - 1} of ${page.count}, by ${sort}, ${direction}.`;
    scroll.hidden = page.orders.length === 0;
    table.ariaBusy = String(isPending);
    columns.forEach((column, index) => {
      if (column.sort) heads[index]!.ariaSort = column.sort === sort ? direction : 'none';
    });
    rows.replaceChildren(...page.orders.map((row) => make('tr', {}, ...cellsOf(row))));
    // A button that cannot be used keeps the focus, so that nobody loses their place.
    previous.ariaDisabled = String(isPending || query.cursor === undefined);
    next.ariaDisabled = String(isPending || page.next === undefined);
  }

  function cellsOf(row: Row): HTMLElement[] {
    return columns.map(({ isNumber, text }, index) => {
      const content = text(row, view.host.locale);
      return index === 0
        ? make('th', { scope: 'row' }, content)
        : make('td', { className: isNumber ? 'number' : '' }, content);
    });
  }
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

function makeButton(text: string, onclick: () => void): HTMLButtonElement {
  return make('button', { type: 'button', onclick }, text);
}
