import { isObject } from '../../../../../json/src/base/json-values.js';
import { cutText } from '../../../../../json/src/text/cut-text.js';
import type { RecordedMessage, Sequenced } from '../../../../src/api/record-api.js';
import { searchedText } from '../../ui/records/record-pane.js';
import { formatMs } from '../../ui/words.js';

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
class MessageRows {
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

/** The rows of all messages of the page. */
export const messageRows = new MessageRows();

function join(request: MessageRow, answer: MessageRow): void {
  request.other = answer;
  answer.other = request;
}

/** The method of a message; of an answer that of its request. */
export function methodOf(row: MessageRow): string | undefined {
  return row.method ?? row.other?.method;
}

/** How long the answer took, in milliseconds. Undefined for messages that do not answer. */
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

/** What a JSON-RPC message is. `other`: a batch, or what could not be read. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'other';

interface DescribedMessage {
  readonly kind: MessageKind;
  readonly method?: string;
  /** The id as JSON: `1` and `"1"` are different ids. */
  readonly id?: string;
  /** What the message is about, in a few words: the tool, the URI, the text of an error. */
  readonly about?: string;
  readonly hasFailed: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

function describeMessage(message: unknown): DescribedMessage {
  if (!isObject(message)) return { kind: 'other', hasFailed: false };
  const { method, id, params, result, error } = message;
  const known = id === undefined || id === null ? {} : { id: JSON.stringify(id) };
  if (typeof method === 'string') {
    const about = aboutParams(isObject(params) ? params : {});
    const kind = 'id' in known ? 'request' : 'notification';
    return { kind, method, ...known, hasFailed: false, ...(about !== undefined && { about }) };
  }
  if (error !== undefined) {
    const { code, message: text } = isObject(error) ? error : {};
    return {
      kind: 'error',
      ...known,
      about: `${shortText(code)} ${shortText(text)}`.trim(),
      hasFailed: true,
    };
  }
  if (result === undefined) return { kind: 'other', ...known, hasFailed: false };
  const { isError, resultType } = isObject(result) ? result : {};
  const about = isError === true ? 'isError' : typeof resultType === 'string' ? resultType : undefined;
  return { kind: 'result', ...known, hasFailed: isError === true, ...(about !== undefined && { about }) };
}

/** The parameters that name something, the most telling first. */
const telling = ['name', 'uri', 'taskId', 'requestId', 'level', 'message', 'protocolVersion'];

function aboutParams(params: Fields): string | undefined {
  const key = telling.find((each) => ['string', 'number'].includes(typeof params[each]));
  return key && shortText(params[key]);
}

function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? cutText(String(value), 200) : '';
}

interface MessageFilter {
  readonly channel: string;
  readonly client: string;
  readonly method: string;
  readonly direction: string;
  readonly onlyErrors: boolean;
  readonly words: readonly string[];
}

/** The messages that fit. Of an exchange that fits by its method, request and answer both do. */
export function filterMessages(rows: readonly MessageRow[], filter: MessageFilter): readonly MessageRow[] {
  const { channel, client, method, direction, onlyErrors, words } = filter;
  if (!channel && !client && !method && !direction && !onlyErrors && words.length === 0) return rows;
  return rows.filter((row) => {
    const { record } = row;
    if (channel && record.channel !== channel) return false;
    if (client && clientOf(row) !== client) return false;
    if (method && methodOf(row) !== method) return false;
    if (direction && record.direction !== direction) return false;
    if (onlyErrors && !row.hasFailed && !row.other?.hasFailed) return false;
    if (words.length === 0) return true;
    const text = searchedText(record);
    return words.every((word) => text.includes(word));
  });
}

export function clientOf({ record }: MessageRow): string | undefined {
  return record.client?.name;
}

/** The messages as JSON lines, oldest first: one record of the console a line, with the message inside. */
export function jsonLines(rows: readonly MessageRow[]): string {
  return rows.map(({ seq, record }) => `${JSON.stringify({ seq, ...record })}\n`).join('');
}

/** Gives the person a file. */
export function download(name: string, text: string, type = 'application/jsonl'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser has taken the address when the click is over, but reads the file later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
