import type { ReactNode } from 'react';

interface Fact {
  readonly name: string;
  /** A fact without a value is left out. */
  readonly value: ReactNode;
  readonly isWide?: boolean;
}

/** What is known of something, each with its name. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(
        ({ name, value, isWide }) =>
          value !== undefined && (
            <div key={name} className={isWide ? 'wide' : undefined}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
