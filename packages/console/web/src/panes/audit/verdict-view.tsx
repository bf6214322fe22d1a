import { useMutation } from '@tanstack/react-query';
import { Link2, ShieldCheck, ShieldQuestion, ShieldX } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { AuditEntry, ChainVerdict } from '../../../../src/api/audit-api.js';
import { ask } from '../../data/ask.js';
import { JsonView } from '../../ui/json-view.js';
import { notifyError } from '../../ui/notices.js';
import { Badge, type Tone, Button, Notes, Table } from '../../ui/pieces.js';
import { formatClock } from '../../ui/words.js';

/** The records as a table. One opens to its whole content. */
export function RecordRows({ records }: { records: readonly AuditEntry[] }) {
  const [open, setOpen] = useState<string>();
  if (records.length === 0) return <p className="faint">No record is like this.</p>;
  return (
    <div className="audit-scroll">
      <Table titles={['Time', 'Event', 'Operation', 'Name', 'Who', 'Outcome']}>
        {records.map((record) => (
          <Fragment key={record.id}>
            <tr>
              <td title={new Date(record.time).toISOString()}>{formatClock(record.time)}</td>
              <td>{record.event}</td>
              <td>{record.operation}</td>
              <td>
                <Button
                  className="link"
                  aria-expanded={open === record.id}
                  onClick={() => setOpen(open === record.id ? undefined : record.id)}
                >
                  {record.name || 'request'}
                </Button>
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
      </Table>
    </div>
  );
}

function toneOf({ outcome }: AuditEntry): Tone {
  if (outcome === undefined) return 'plain';
  return outcome === 'ok' ? 'good' : outcome === 'denied' || outcome === 'error' ? 'bad' : 'warn';
}

const verdicts = {
  genuine: {
    Icon: ShieldCheck,
    tone: 'good',
    text: 'Genuine: a writer with the trusted key wrote all of it.',
  },
  consistent: {
    Icon: ShieldQuestion,
    tone: 'info',
    text: 'Consistent: nothing contradicts itself. Only a public key from elsewhere shows who wrote it.',
  },
  broken: { Icon: ShieldX, tone: 'bad', text: 'Broken: something is not as a writer left it.' },
} as const;

/** Verifies the whole log, and shows its verdict, its head and the last links of its chain. */
export function VerdictView({ server }: { server: string }) {
  const verify = useMutation({ mutationFn: () => ask('verifyAudit', { server }), onError: notifyError });
  return (
    <section className="card stack" aria-label="Seal">
      <div className="row">
        <h2 className="grow">The seal</h2>
        <Button disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? 'Verifying…' : 'Verify every byte'}
        </Button>
      </div>
      <div role="status">{verify.data && <Verdict verdict={verify.data} />}</div>
    </section>
  );
}

function Verdict({ verdict }: { verdict: ChainVerdict }) {
  const { Icon, tone, text } = verdicts[verdict.verdict];
  return (
    <div className="stack">
      <p className={`verdict ${tone}`}>
        <Icon size={22} aria-hidden /> {text}
      </p>
      <p className="faint">
        Records: {verdict.records}. Bytes: {verdict.bytes}. Writers: {verdict.writers.length}. Checked at{' '}
        {formatClock(verdict.checkedAt)}.
      </p>
      {verdict.problems.length > 0 && (
        <ul aria-label="Problems" className="stack">
          {verdict.problems.map(({ kind, message, file, batch }) => (
            <li key={`${file} ${batch} ${kind} ${message}`} className="problem">
              {kind}
              {batch !== undefined && `, batch ${batch}`}: {message} <code>{file}</code>
            </li>
          ))}
        </ul>
      )}
      <Notes notes={verdict.notes} />
      {verdict.writers.map(({ slot, writer }) => (
        <Chain
          key={writer}
          title={`The chain of writer ${slot + 1}`}
          links={verdict.links.filter((link) => link.slot === slot)}
        />
      ))}
    </div>
  );
}

/** Each batch carries the hash of the one before. */
function Chain({ title, links }: { title: string; links: ChainVerdict['links'] }) {
  return (
    <div className="stack">
      <h3>{title}</h3>
      <ol className="links" reversed aria-label={title} tabIndex={0}>
        {links.map(({ batch, lines, seq, prev, hash }, index) => (
          <li key={batch} className={index === 0 ? 'link-block head' : 'link-block'}>
            <strong>
              {index === 0 ? 'Head: batch' : 'Batch'} {batch}
            </strong>
            <span className="faint">
              lines: {lines}, last record: {seq}
            </span>
            <code title={hash}>{hash.slice(0, 16)}</code>
            <span className="faint">
              <Link2 size={14} aria-label="follows" /> <code title={prev}>{prev.slice(0, 16)}</code>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
