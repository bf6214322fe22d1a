/** @jsxImportSource react */
import { useState } from 'react';
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

export default function Table({ result, args, view }: ViewOf<'view_name', Shown>) {
  const [shown, setShown] = useState<Shown>(view.state ?? { page: result, query: args, before: [] });
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<{ text: string; again(): void }>();
  const { page, query, before } = shown;
  const { sort = 'placed', direction = 'descending', limit = 10 } = query;
  const { cursor = '', ...first } = query;

  /** @param from the cursors of the pages before the wanted one, and its own */
  async function load(wanted: Query, from: string[] = []) {
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    const own = from.at(-1) ?? '';
    const asked = own === '' ? wanted : { ...wanted, cursor: own };
    try {
      const next = { page: await view.call('view_name', asked), query: asked, before: from.slice(0, -1) };
      setShown(next);
      view.setState(next);
    } catch (error) {
      setProblem({ text: (error as Error).message, again: () => void load(wanted, from) });
    } finally {
      setPending(false);
    }
  }

  function sortBy(column: NonNullable<Query['sort']>) {
    const isTurned = column === sort && direction === 'ascending';
    void load({ ...first, sort: column, direction: isTurned ? 'descending' : 'ascending' });
  }

  const start = before.length * limit + 1;
  const range = page.orders.length === 0 ? 'No orders.' : `${start} to ${start + page.orders.length - 1}`;
  const status = page.orders.length === 0 ? range : `${range} of ${page.count}, by ${sort}, ${direction}.`;
  const hasNext = page.next !== undefined;

  return (
    <section>
      <h1 id="title">Orders</h1>
      <p role="status">{isPending ? 'Loading…' : status}</p>
      {problem && (
        <p role="alert">
          The page was not loaded. {problem.text}{' '}
          <button type="button" onClick={problem.again}>
            Try again
          </button>
        </p>
      )}
      {page.orders.length > 0 && (
        // It can be scrolled with the keyboard where the table is wider than the page.
        <div className="scroll" role="region" aria-labelledby="title" tabIndex={0}>
          <table aria-labelledby="title" aria-busy={isPending}>
            <thead>
              <tr>
                {columns.map(({ title, sort: own, isNumber }) => (
                  <th
                    key={title}
                    scope="col"
                    className={isNumber ? 'number' : undefined}
                    aria-sort={own === undefined ? undefined : own === sort ? direction : 'none'}
                  >
                    {own === undefined ? (
                      title
                    ) : (
                      <button type="button" aria-disabled={isPending} onClick={() => sortBy(own)}>
                        {title}
                      </button>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.orders.map((row) => (
                <tr key={row.id}>
                  {columns.map(({ title, isNumber, text }, index) =>
                    index === 0 ? (
                      <th key={title} scope="row">
                        {text(row, view.host.locale)}
                      </th>
                    ) : (
                      <td key={title} className={isNumber ? 'number' : undefined}>
                        {text(row, view.host.locale)}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <nav aria-label="Pages">
        {/* A button that cannot be used keeps the focus, so that nobody loses their place. */}
        <button
          type="button"
          aria-disabled={isPending || cursor === ''}
          onClick={() => cursor !== '' && void load(first, before)}
        >
          Previous
        </button>
        <button
          type="button"
          aria-disabled={isPending || !hasNext}
          onClick={() => page.next !== undefined && void load(first, [...before, cursor, page.next])}
        >
          Next
        </button>
      </nav>
    </section>
  );
}
