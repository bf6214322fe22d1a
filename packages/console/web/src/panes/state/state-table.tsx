import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { ParamsOf, StateApi } from '../../../../src/api/console-api.js';
import { ask } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { notify, notifyError } from '../../ui/notices.js';
import './state.css';
import { Button, Table } from '../../ui/pieces.js';

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
  /** Is shown beside the title. */
  readonly extra?: ReactNode;
  /** Is shown in place of an empty table. */
  readonly empty?: string | undefined;
}

/** One list of the state. */
export function StateTable({ title, count, columns, rows, extra, empty = 'None.' }: TableProps) {
  const id = useId();
  const hasActions = rows.some(({ action }) => Boolean(action));
  const actions = <span className="unseen">Actions</span>;
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
          <Table titles={hasActions ? [...columns, actions] : columns}>
            {rows.map(({ key, cells, action }) => (
              <tr key={key}>
                {cells.map((cell, index) => (
                  <td key={columns[index]}>{cell}</td>
                ))}
                {hasActions && <td>{action}</td>}
              </tr>
            ))}
          </Table>
        </div>
      )}
      {count > rows.length && rows.length > 0 && <p className="faint">{count - rows.length} more.</p>}
    </section>
  );
}

type Change = Exclude<keyof StateApi, 'state'>;

interface Props<M extends Change> {
  readonly method: M;
  readonly params: ParamsOf<M>;
  readonly label: string;
  /** What it is done to, for those who do not see the row. */
  readonly of: string;
}

/** A button that changes the server. It is there only where the console may change something. */
export function ChangeButton<M extends Change>({ method, params, label, of }: Props<M>) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (!useOverview()?.access.includes('change')) return null;
  const change = async () => {
    setBusy(true);
    try {
      await ask(method, params);
      notify(`${label}: ${of}`);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['state'] });
    }
  };
  return (
    <Button look="small danger" aria-label={`${label} ${of}`} disabled={isBusy} onClick={() => void change()}>
      {label}
    </Button>
  );
}

/** How much of something is used: as a bar, and in numbers. */
export function Bar({ value, most }: { value: number; most: number | null }) {
  // JSON has no infinity: a limit without an end comes as null.
  const isLimited = most !== null && Number.isFinite(most);
  const share = isLimited ? Math.min(1, value / most) : 0;
  return (
    <span className="used">
      <span className={`used-bar ${share >= 1 ? 'full' : ''}`} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {isLimited ? `${value} of ${most}` : value}
    </span>
  );
}
