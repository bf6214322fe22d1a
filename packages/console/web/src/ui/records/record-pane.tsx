import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import './records.css';

interface Props {
  readonly filters: ReactNode;
  readonly list: ReactNode;
  /** The open record. */
  readonly detail?: ReactNode;
  readonly detailLabel: string;
  readonly close: () => void;
}

/** Filters above a list of records, and the open one beside it. Escape closes it. */
export function RecordPane({ filters, list, detail, detailLabel, close }: Props) {
  const press = ({ key, target }: KeyboardEvent) => {
    const isInDialog = target instanceof Element && target.closest('dialog') !== null;
    if (key === 'Escape' && detail && !isInDialog) close();
  };
  return (
    <div className="record-pane" onKeyDown={press}>
      <div className="record-filters" role="search">
        {filters}
      </div>
      <div className={detail ? 'record-split open' : 'record-split'}>
        {list}
        {detail && (
          <section className="record-detail" aria-label={detailLabel} tabIndex={0}>
            <button
              type="button"
              className="icon-button close"
              aria-label="Close"
              title="Close (Esc)"
              onClick={close}
            >
              <X size={15} aria-hidden />
            </button>
            {detail}
          </section>
        )}
      </div>
    </div>
  );
}
