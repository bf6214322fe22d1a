import { useEffect, useState } from 'react';
import type { AuditEntry } from '../../../../src/api/audit-api.js';
import { ask, useAsk } from '../../data/ask.js';
import { useServer } from '../../data/current.js';
import { onEvent } from '../../data/live.js';
import { notifyError } from '../../ui/notices.js';
import { Empty, Button, Notes } from '../../ui/pieces.js';
import './audit.css';
import { RecordRows, VerdictView } from './verdict-view.js';

const PAGE = 50;
/** The server follows the log for half a minute after a question. */
const RENEW_MS = 20_000;
const fields = ['name', 'subject', 'outcome', 'text'] as const;

/** The audit log: its last records as they come, the records that a search finds, and whether its chain holds. */
export default function AuditPane() {
  const [server] = useServer();
  const [query, setQuery] = useState<Query>({});
  const [asked, setAsked] = useState<Query>({});
  const params = server && { server: server.id, limit: PAGE, ...asked };
  const { data: page, error } = useAsk('auditRecords', params, {
    refetchInterval: RENEW_MS,
    keepsLast: true,
  });
  const [older, setOlder] = useState<{ records: readonly AuditEntry[]; next?: string }>();
  const live = useLive(server?.id, asked);
  const search = (next: Query) => {
    setOlder(undefined);
    setAsked(next);
  };
  if (error) return <Empty title="The audit log cannot be read">{error.message}</Empty>;
  if (!page || !server || !params) return <p className="loading">Loading…</p>;
  if (page.unavailable !== undefined)
    return <Empty title="There is no audit log to read">{page.unavailable}</Empty>;
  const records = unique([...live, ...page.records, ...(older?.records ?? [])]);
  const next = older ? older.next : page.next;
  const more = async () => {
    const found = await ask('auditRecords', { ...params, before: next! });
    setOlder({
      records: [...(older?.records ?? []), ...found.records],
      ...(found.next !== undefined && { next: found.next }),
    });
  };
  return (
    <div className="pane-of-lists" tabIndex={0} role="region" aria-label="Audit log">
      <VerdictView server={server.id} />
      <section className="card stack" aria-label="Records">
        <p className="faint">
          <code>{page.file}</code>
        </p>
        <Notes notes={page.notes} />
        <form
          className="row"
          role="search"
          aria-label="Search the audit log"
          onSubmit={(event) => {
            event.preventDefault();
            search(query);
          }}
        >
          {fields.map((field) => (
            <label key={field} className="audit-field">
              <span>{field}</span>
              <input
                {...(field === 'text' && { 'data-search': true })}
                value={query[field] ?? ''}
                onChange={({ target }) => setQuery(withField(query, field, target.value))}
              />
            </label>
          ))}
          <Button type="submit" look="primary">
            Search
          </Button>
        </form>
        <RecordRows records={records} />
        {next !== undefined && <Button onClick={() => void more().catch(notifyError)}>Older records</Button>}
      </section>
    </div>
  );
}

function withField(query: Query, field: keyof Query, value: string): Query {
  const { [field]: _, ...rest } = query;
  return value === '' ? rest : { ...rest, [field]: value };
}

/** The records that were sealed while the pane is open, the latest first. */
function useLive(server: string | undefined, query: Query): readonly AuditEntry[] {
  const [records, setRecords] = useState<readonly AuditEntry[]>([]);
  useEffect(() => {
    setRecords([]);
    return onEvent((event) => {
      if (event.type !== 'audit' || event.server !== server) return;
      const fresh = event.records.filter((record) => fitsQuery(record, query));
      setRecords((known) => unique([...fresh, ...known]));
    });
  }, [server, query]);
  return records;
}

/** Each record once, the latest first. */
function unique(records: readonly AuditEntry[]): AuditEntry[] {
  return [...new Map(records.map((record) => [record.id, record])).values()].sort(
    (one, other) => other.time - one.time || other.seq - one.seq,
  );
}

/** What the person looks for. */
interface Query {
  readonly name?: string;
  readonly subject?: string;
  readonly outcome?: string;
  readonly text?: string;
}

/** True for a record that the server would have found. */
function fitsQuery(record: AuditEntry, { name, subject, outcome, text }: Query): boolean {
  if (name !== undefined && record.name !== name) return false;
  if (subject !== undefined && record.principal?.subject !== subject) return false;
  if (outcome !== undefined && record.outcome !== outcome) return false;
  return text === undefined || JSON.stringify(record).toLowerCase().includes(text.toLowerCase());
}
