import type { ReactNode } from 'react';

interface ChipsProps<T> {
  /** What is chosen among, for who cannot see it. */
  label: string;
  items: readonly T[];
  chosen: T | undefined;
  choose: (item: T) => void;
  children: (item: T) => ReactNode;
}

/** A row of small buttons, one of which is pressed. */
export function Chips<T extends string>({ label, items, chosen, choose, children }: ChipsProps<T>) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {items.map((each) => (
        <button
          key={each}
          type="button"
          className="chip"
          aria-pressed={each === chosen}
          onClick={() => choose(each)}
        >
          {children(each)}
        </button>
      ))}
    </div>
  );
}
