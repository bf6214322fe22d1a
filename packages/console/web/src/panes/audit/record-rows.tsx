import { Fragment, useState } from 'react';
import type { AuditEntry } from '../../../../src/api/audit-api.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { formatClock } from '../../ui/format-time.js';
import { JsonView } from '../../ui/json-view.js';

/** The records as a table. One opens to its whole content. */
export function RecordRows({ records }: { records: readonly AuditEntry[] }) {
  const [open, setOpen] = useState<string>();
  if (records.length === 0) return <p className="faint">No record is like this.</p>;
  return (
    <div className="audit-scroll">
      <table className="table">
        <thead>
          <tr>
            {['Time', 'Event', 'Operation', 'Name', 'Who', 'Outcome'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Fragment key={record.id}>
              <tr>
                <td title={new Date(record.time).toISOString()}>{formatClock(record.time)}</td>
                <td>{record.event}</td>
                <td>{record.operation}</td>
                <td>
                  <button
                    type="button"
                    className="link"
                    aria-expanded={open === record.id}
                    onClick={() => setOpen(open === record.id ? undefined : record.id)}
                  >
                    {record.name || 'request'}
                  </button>
                </td>
                <td>{record.principal?.subject ?? 'anonymous'}</td>
                <td>
                  <Badge tone={toneOf(record)}>{record.reason ?? record.outcome ?? 'open'}</Badge>
                </td>
              </tr>
              {open === record.id && (
                <tr>
                  <td colSpan={6}>
                    <JsonView value={record} label={`Record ${record.seq}`} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toneOf({ outcome }: AuditEntry): Tone {
  if (outcome === undefined) return 'plain';
  return outcome === 'ok' ? 'good' : outcome === 'denied' || outcome === 'error' ? 'bad' : 'warn';
}
