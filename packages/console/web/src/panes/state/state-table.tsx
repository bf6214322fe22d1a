import { useId, type ReactNode } from 'react';

interface Row {
  readonly key: string;
  readonly cells: readonly ReactNode[];
  readonly action?: ReactNode;
}

interface TableProps {
  readonly title: string;
  /** How many there are; there may be more than rows. */
  readonly count: number;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Stands beside the title. */
  readonly extra?: ReactNode;
  /** Stands in place of an empty table. */
  readonly empty?: string | undefined;
}

/** One list of the state. */
export function StateTable({ title, count, columns, rows, extra, empty = 'None.' }: TableProps) {
  const id = useId();
  const hasActions = rows.some(({ action }) => Boolean(action));
  return (
    <section className="card state-list" aria-labelledby={id}>
      <div className="row">
        <h2 id={id} className="grow">
          {title} <span className="faint">{count}</span>
        </h2>
        {extra}
      </div>
      {rows.length === 0 ? (
        <p className="faint">{empty}</p>
      ) : (
        <div className="state-scroll" tabIndex={0} role="region" aria-label={`${title}, table`}>
          <table className="table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
                {hasActions && (
                  <th scope="col">
                    <span className="unseen">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, cells, action }) => (
                <tr key={key}>
                  {cells.map((cell, index) => (
                    <td key={columns[index]}>{cell}</td>
                  ))}
                  {hasActions && <td>{action}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {count > rows.length && rows.length > 0 && <p className="faint">{count - rows.length} more.</p>}
    </section>
  );
}
