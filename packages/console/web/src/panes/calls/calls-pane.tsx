import { Download } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useOverview } from '../../data/current.js';
import { calls, messages, useRecords } from '../../data/live.js';
import { go, useRoute } from '../../shell/route.js';
import { Empty, SearchField, Button } from '../../ui/pieces.js';
import { ClearButton, FilterSelect, RecordPane, valuesOf } from '../../ui/records/record-pane.js';
import { formatClock, formatMs, useNow, wordsOf } from '../../ui/words.js';
import { download, messageRows } from '../traffic/message-rows.js';
import { RecordTable, type Column } from '../../ui/records/record-table.js';
import { type CallRow, clientOf, callerOf, filterCalls, findRow, rowsOf, stateOf } from './call-rows.js';
import { CallChart, StateBadge } from './call-chart.js';
import { harOf } from './har.js';
import { recordingsOf } from './recording.js';
import { TraceView } from './trace-view.js';
import './calls.css';

/** The calls of all clients as they happen. One opens its trace. */
export default function CallsPane() {
  const records = useDeferredValue(useRecords(calls));
  const rows = useMemo(() => rowsOf(records), [records]);
  const [name, setName] = useState('');
  const [state, setState] = useState('');
  const [client, setClient] = useState('');
  const [caller, setCaller] = useState('');
  const [text, setText] = useState('');
  const words = useDeferredValue(text);
  const found = useMemo(
    () => filterCalls(rows, { name, state, client, caller, words: wordsOf(words) }),
    [rows, name, state, client, caller, words],
  );
  const { rest } = useRoute();
  const open = rest.length === 0 ? undefined : findRow(rows, rest);
  const overview = useOverview();
  const mayChange = overview?.access.includes('change') ?? false;
  const save = () => {
    const place = { endpoint: overview?.endpoint, version: overview?.toolwright ?? '' };
    download('calls.har', harOf(found, messageRows.of(messages.all), place), 'application/json');
  };
  const record = () => {
    const files = recordingsOf(found, messageRows.of(messages.all), overview?.servers ?? []);
    for (const { name, text } of files) download(name, text);
  };

  const filters = (
    <>
      <SearchField label="Search calls" value={text} change={setText} />
      <FilterSelect label="Name" value={name} options={valuesOf(rows, nameOf)} change={setName} />
      <FilterSelect label="Outcome" value={state} options={valuesOf(rows, stateOf)} change={setState} />
      <FilterSelect label="Caller" value={caller} options={valuesOf(rows, callerOf)} change={setCaller} />
      <FilterSelect label="Client" value={client} options={valuesOf(rows, clientOf)} change={setClient} />
      <span className="faint record-count">
        {found.length.toLocaleString('en')} of {rows.length.toLocaleString('en')}
      </span>
      <span className="grow" />
      <CallChart rows={found} />
      <Button
        look="small"
        title="The calls that the filters show, as an HTTP archive (HAR)"
        disabled={found.length === 0}
        onClick={save}
      >
        <Download size={14} aria-hidden /> Save as HAR
      </Button>
      <Button
        look="small"
        title="The calls that the filters show, for toolwright replay"
        disabled={found.length === 0}
        onClick={record}
      >
        <Download size={14} aria-hidden /> Save as recording
      </Button>
      {mayChange && <ClearButton />}
    </>
  );
  const detail = open ? (
    <TraceView key={open.key} row={open} />
  ) : (
    rest.length > 0 && <p className="faint">The console does not remember this call any more.</p>
  );
  return (
    <RecordPane
      filters={filters}
      detail={detail || undefined}
      detailLabel="Call"
      close={() => go('calls')}
      list={
        rows.length === 0 ? (
          <Empty title="No calls yet">
            Each call of each client appears here when it begins. Call a tool in the pane of tools, or connect
            a host.
          </Empty>
        ) : (
          <RecordTable
            rows={found}
            keyOf={keyOf}
            columns={columns}
            label="Calls"
            chosen={open?.key}
            choose={({ path }) => go('calls', ...path)}
          />
        )
      }
    />
  );
}

const keyOf = ({ key }: CallRow) => key;
const nameOf = ({ call }: CallRow) => call.name;

const columns: readonly Column<CallRow>[] = [
  {
    title: 'Time',
    width: '7.4rem',
    cell: ({ call }) => <time className="mono">{formatClock(call.at)}</time>,
  },
  { title: 'Outcome', width: '5.2rem', cell: (row) => <StateBadge state={stateOf(row)} /> },
  {
    title: 'Name',
    width: 'minmax(8rem, 1fr)',
    cell: ({ call: { kind, name } }) => (
      <>
        <span className={`dot ${kind}`} aria-hidden /> {name}
      </>
    ),
  },
  { title: 'Took', width: '5rem', isNumber: true, cell: (row) => <Duration row={row} /> },
  { title: 'Caller', width: 'minmax(5rem, 0.5fr)', cell: callerOf },
  {
    title: 'Client',
    width: 'minmax(5rem, 0.6fr)',
    isExtra: true,
    cell: ({ call }) => call.client?.name ?? '',
  },
];

/** How long a call took. Of one that runs, how long it has taken so far. */
function Duration({ row }: { row: CallRow }) {
  const isRunning = stateOf(row) === 'running';
  const now = useNow(500, isRunning);
  const { at, durationMs } = row.call;
  return <>{formatMs(isRunning ? Math.max(durationMs, now - at) : durationMs)}</>;
}
