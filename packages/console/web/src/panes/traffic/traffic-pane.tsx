import { ArrowDownLeft, ArrowUpRight, Download, Pause, Play } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useOverview } from '../../data/current.js';
import { messages, useRecords } from '../../data/live.js';
import { go, useRoute } from '../../shell/route.js';
import { Badge, Empty, SearchField, type Tone, Button } from '../../ui/pieces.js';
import { formatClock, wordsOf } from '../../ui/words.js';
import { ClearButton, FilterSelect, RecordPane, valuesOf } from '../../ui/records/record-pane.js';
import { RecordTable, type Column } from '../../ui/records/record-table.js';
import {
  type MessageKind,
  type MessageRow,
  aboutOf,
  answeredAfter,
  clientOf,
  download,
  filterMessages,
  formatAnsweredAfter,
  jsonLines,
  messageRows,
  methodOf,
} from './message-rows.js';
import { MessageView } from './message-view.js';

/** Every JSON-RPC message as it comes and goes. One opens as a tree, with the one that it belongs to. */
export default function TrafficPane() {
  const live = useDeferredValue(useRecords(messages));
  const [held, setHeld] = useState<typeof live>();
  const records = held ?? live;
  const rows = useMemo(() => messageRows.of(records).reverse(), [records]);
  const [filter, setFilter] = useState(everything);
  const words = useDeferredValue(filter.text);
  const found = useMemo(
    () => filterMessages(rows, { ...filter, words: wordsOf(words) }),
    [rows, filter, words],
  );
  const { rest } = useRoute();
  const open = rest[0] === undefined ? undefined : rows.find(({ seq }) => String(seq) === rest[0]);
  const mayChange = useOverview()?.access.includes('change') ?? false;
  const choose = (change: Partial<typeof everything>) => setFilter({ ...filter, ...change });
  const { text, channel, client, method, direction, onlyErrors } = filter;

  const filters = (
    <>
      <SearchField label="Search messages" value={text} change={(next) => choose({ text: next })} />
      <FilterSelect
        label="Method"
        value={method}
        options={valuesOf(rows, methodOf)}
        change={(next) => choose({ method: next })}
      />
      <FilterSelect
        label="Client"
        value={client}
        options={valuesOf(rows, clientOf)}
        change={(next) => choose({ client: next })}
      />
      <FilterSelect
        label="Channel"
        value={channel}
        options={valuesOf(rows, channelOf).slice(0, MAX_CHANNELS)}
        change={(next) => choose({ channel: next })}
      />
      <FilterSelect
        label="Direction"
        value={direction}
        options={directions}
        change={(next) => choose({ direction: next })}
      />
      <Button className="chip" aria-pressed={onlyErrors} onClick={() => choose({ onlyErrors: !onlyErrors })}>
        Errors
      </Button>
      <span className="faint record-count">
        {found.length.toLocaleString('en')} of {rows.length.toLocaleString('en')}
        {held && `, ${countNewer(live, held).toLocaleString('en')} newer`}
      </span>
      <span className="grow" />
      <Button look="small" aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : live)}>
        {held ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />} {held ? 'Go on' : 'Pause'}
      </Button>
      <Button
        look="small"
        title="The messages that the filters show, as JSON lines"
        disabled={found.length === 0}
        onClick={() => download('traffic.jsonl', jsonLines([...found].reverse()))}
      >
        <Download size={14} aria-hidden /> Export
      </Button>
      {mayChange && <ClearButton before={() => setHeld(undefined)} />}
    </>
  );
  const detail = open ? (
    <MessageView key={open.seq} row={open} />
  ) : (
    rest.length > 0 && <p className="faint">The console does not remember this message any more.</p>
  );
  return (
    <RecordPane
      filters={filters}
      detail={detail || undefined}
      detailLabel="Message"
      close={() => go('traffic')}
      list={
        rows.length === 0 ? (
          <Empty title="No messages yet">
            Every message between a client and the server appears here, over HTTP and over stdio.
          </Empty>
        ) : (
          <RecordTable
            rows={found}
            keyOf={keyOf}
            columns={columns}
            label="Messages"
            chosen={open && keyOf(open)}
            choose={({ seq }) => go('traffic', String(seq))}
          />
        )
      }
    />
  );
}

const everything = { text: '', channel: '', client: '', method: '', direction: '', onlyErrors: false };
const directions = ['received', 'sent'];

/** Each request of the newest revision is a channel of its own. */
const MAX_CHANNELS = 200;

const keyOf = ({ seq }: MessageRow) => String(seq);
const channelOf = ({ record }: MessageRow) => record.channel;

function countNewer(live: readonly { readonly seq: number }[], held: readonly { readonly seq: number }[]) {
  return Math.max(0, (live.at(-1)?.seq ?? 0) - (held.at(-1)?.seq ?? 0));
}

const kindTones: Readonly<Record<MessageKind, Tone>> = {
  request: 'info',
  notification: 'plain',
  result: 'good',
  error: 'bad',
  other: 'plain',
};

const columns: readonly Column<MessageRow>[] = [
  {
    title: 'Time',
    width: '7.4rem',
    cell: ({ record }) => <time className="mono">{formatClock(record.at)}</time>,
  },
  {
    title: 'Kind',
    width: '7.6rem',
    cell: ({ record: { direction }, kind, hasFailed }) => (
      <>
        {direction === 'received' ? (
          <ArrowDownLeft size={14} role="img" aria-label="received" />
        ) : (
          <ArrowUpRight size={14} role="img" aria-label="sent" />
        )}{' '}
        <Badge tone={hasFailed ? 'bad' : kindTones[kind]}>{kind}</Badge>
      </>
    ),
  },
  { title: 'Method', width: 'minmax(8rem, 0.8fr)', cell: methodOf },
  { title: 'About', width: 'minmax(6rem, 1fr)', cell: aboutOf },
  { title: 'Id', width: '3rem', isExtra: true, cell: ({ id }) => id },
  {
    title: 'After',
    width: '4.5rem',
    isNumber: true,
    cell: (row) => {
      const took = answeredAfter(row);
      return took === undefined ? '' : formatAnsweredAfter(took);
    },
  },
  {
    title: 'Client',
    width: 'minmax(5rem, 0.6fr)',
    isExtra: true,
    cell: ({ record }) => record.client?.name ?? '',
  },
];
