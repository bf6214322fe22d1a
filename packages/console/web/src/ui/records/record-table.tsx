import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import './records.css';

export interface Column<T> {
  readonly title: string;
  /** The width as a track of a CSS grid, such as `7rem` or `minmax(6rem, 1fr)`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Left out where the table is narrow, as beside an open record. */
  readonly isExtra?: boolean;
  readonly cell: (row: T) => ReactNode;
}

interface Props<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly label: string;
  /** The key of the row that is open. */
  readonly chosen?: string | undefined;
  readonly choose: (row: T) => void;
}

/** Every row has this height in pixels, so that none has to be measured when a thousand come in a second. */
const HEIGHT = 30;
const PAGE = 20;

/**
 * Records, newest first. Only the rows in sight are drawn. Arrow keys move from row to row. While the person looks at
 * older rows, new ones do not move them away.
 */
export function RecordTable<T>({ rows, keyOf, columns, label, chosen, choose }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef<string>(undefined);
  const id = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    overscan: 10,
    scrollPaddingStart: HEIGHT,
  });
  const tracks = tracksOf(columns);
  const current = chosen === undefined ? -1 : rows.findIndex((row) => keyOf(row) === chosen);
  const drawn = virtual.getVirtualItems();

  useLayoutEffect(() => {
    const { current: element } = box;
    if (element && element.scrollTop > 0 && first.current !== undefined) {
      const added = rows.findIndex((row) => keyOf(row) === first.current);
      if (added > 0) element.scrollTop += added * HEIGHT;
    }
    first.current = rows[0] && keyOf(rows[0]);
  }, [rows, keyOf]);

  const press = (event: KeyboardEvent) => {
    const next = target(event.key, current, rows.length);
    if (next === undefined || !rows[next]) return;
    event.preventDefault();
    virtual.scrollToIndex(next);
    choose(rows[next]);
  };

  return (
    <div
      ref={box}
      className="records"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={drawn.some(({ index }) => index === current) ? `${id}${current}` : undefined}
      onKeyDown={press}
    >
      <div role="rowgroup" className="records-head">
        <div role="row" aria-rowindex={1} style={tracks}>
          {columns.map(({ title, isNumber, isExtra }) => (
            <div key={title} role="columnheader" className={lookOf({ isNumber, isExtra })}>
              {title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="records-body" style={{ height: virtual.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <div
              key={keyOf(row)}
              id={`${id}${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === current}
              style={{ ...tracks, transform: `translateY(${start}px)` }}
              onClick={() => choose(row)}
            >
              {columns.map(({ title, isNumber, isExtra, cell }) => (
                <div key={title} role="gridcell" className={lookOf({ isNumber, isExtra })}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface Look {
  readonly isNumber?: boolean | undefined;
  readonly isExtra?: boolean | undefined;
}

const lookOf = ({ isNumber, isExtra }: Look) =>
  `${isNumber ? 'number' : ''} ${isExtra ? 'extra' : ''}`.trim();

/** The widths of all columns, and of the columns that a narrow table has. */
function tracksOf(columns: readonly (Look & { readonly width: string })[]): CSSProperties {
  const widths = (some: typeof columns) => some.map(({ width }) => width).join(' ');
  return {
    '--tracks': widths(columns),
    '--few-tracks': widths(columns.filter(({ isExtra }) => !isExtra)),
  } as CSSProperties;
}

/** The row that a key goes to. Without an open row, every key goes to the first or last one. */
function target(key: string, current: number, count: number): number | undefined {
  const last = count - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + PAGE,
    PageUp: current - PAGE,
    Home: 0,
    End: last,
    ...(current < 0 && { Enter: 0, ' ': 0 }),
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), last);
}
