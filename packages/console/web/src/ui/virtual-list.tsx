import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The height of a row in pixels, about. */
  readonly height: number;
  readonly row: (item: T, index: number) => ReactNode;
  readonly label: string;
}

/** A long list, of which only the rows in sight are drawn. */
export function VirtualList<T>({ items, keyOf, height, row, label }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => keyOf(items[index]!),
  });
  return (
    <div ref={box} className="virtual" tabIndex={0} role="region" aria-label={label}>
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
