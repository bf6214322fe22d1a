import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The height of a row in pixels, about. */
  readonly height: number;
  readonly row: (item: T, index: number) => ReactNode;
  readonly label: string;
}

/** A long list, of which only the rows in sight are drawn. Arrow keys go from row to row. */
export function VirtualList<T>({ items, keyOf, height, row, label }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => keyOf(items[index]!),
  });
  const press = (event: KeyboardEvent) => {
    const row = document.activeElement?.closest('li[data-index]');
    const open = box.current?.querySelector('[aria-current]')?.closest('li[data-index]');
    const at = Number((row ?? open)?.getAttribute('data-index') ?? -1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: items.length - 1,
    };
    const wanted = steps[event.key];
    if (wanted === undefined || items.length === 0) return;
    event.preventDefault();
    const next = Math.min(Math.max(wanted, 0), items.length - 1);
    rows.scrollToIndex(next);
    focusRow(box, next);
  };
  return (
    <div ref={box} className="virtual" tabIndex={0} role="region" aria-label={label} onKeyDown={press}>
      <ul style={{ height: rows.getTotalSize() }} aria-label={label}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            data-index={index}
            ref={rows.measureElement}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(items[index]!, index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const PAGE = 12;

/** A row that comes into sight is drawn with one of the next frames. */
function focusRow(box: RefObject<HTMLElement | null>, index: number, frames = 10): void {
  const row = box.current?.querySelector<HTMLElement>(`li[data-index="${index}"] :is(a, button)`);
  if (row) row.focus();
  else if (frames > 0) requestAnimationFrame(() => focusRow(box, index, frames - 1));
}
