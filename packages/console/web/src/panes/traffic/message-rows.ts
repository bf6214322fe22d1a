import type { RecordedMessage, Sequenced } from '../../../../src/api/record-api.js';
import { formatMs } from '../../ui/format-time.js';
import { describeMessage, type DescribedMessage } from './describe-message.js';

/** A message, and the one that it belongs to. Rows are joined while messages come, so the other one may follow. */
export interface MessageRow extends DescribedMessage {
  readonly seq: number;
  readonly record: RecordedMessage;
  /** Of an answer its request, of a request its answer. */
  other?: MessageRow;
}

/** Requests without an answer, beyond which the oldest are forgotten: notifications of a broken client, for example. */
const MAX_OPEN = 5_000;

/** Makes rows of messages, each once, and joins requests and answers. */
export class MessageRows {
  readonly #rows = new WeakMap<RecordedMessage, MessageRow>();
  /** By server, run, channel, who asked, and id. */
  readonly #open = new Map<string, MessageRow>();

  /** The rows of messages, oldest first. */
  of(records: readonly Sequenced<RecordedMessage>[]): MessageRow[] {
    return records.map((each) => this.#rows.get(each.record) ?? this.#make(each));
  }

  #make({ seq, record }: Sequenced<RecordedMessage>): MessageRow {
    const row: MessageRow = { seq, record, ...describeMessage(record.message) };
    this.#rows.set(record, row);
    if (row.id === undefined) return row;
    const asker = (row.kind === 'request') === (record.direction === 'received') ? 'client' : 'server';
    const key = [record.server, record.run, record.channel, asker, row.id].join('\n');
    if (row.kind === 'request') {
      this.#open.set(key, row);
      if (this.#open.size > MAX_OPEN) this.#open.delete(this.#open.keys().next().value!);
    } else {
      const request = this.#open.get(key);
      this.#open.delete(key);
      if (request) join(request, row);
    }
    return row;
  }
}

function join(request: MessageRow, answer: MessageRow): void {
  request.other = answer;
  answer.other = request;
}

/** The method of a message; of an answer that of its request. */
export function methodOf(row: MessageRow): string | undefined {
  return row.method ?? row.other?.method;
}

/** How long the answer took, in milliseconds. Undefined for what is no answer. */
export function answeredAfter({ kind, record, other }: MessageRow): number | undefined {
  return other && kind !== 'request' ? Math.max(0, record.at - other.record.at) : undefined;
}

/** What a message is about. Of an answer that is what its request is about, unless it says that something is special. */
export function aboutOf({ kind, about, other, hasFailed }: MessageRow): string | undefined {
  if (kind !== 'result' || hasFailed || (about !== undefined && about !== 'complete')) return about;
  return other?.about;
}

/** How long an answer took, as text: the clock of messages counts milliseconds. */
export function formatAnsweredAfter(ms: number): string {
  return ms < 1 ? '< 1 ms' : formatMs(ms);
}
