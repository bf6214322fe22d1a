import type { ConsoleEvent } from '../api/console-api.js';
import type { RecordApi, RecordedCall, RecordedMessage, RecordedSpan, Sequenced } from '../api/record-api.js';

const MAX_CALLS = 2_000;
const MAX_MESSAGES = 5_000;
const MAX_SPANS = 10_000;

/** What was recorded of calls, messages and spans, also of apps that have ended since. */
export class Recordings {
  readonly #calls = new Ring<RecordedCall>({ records: MAX_CALLS });
  readonly #messages = new Ring<RecordedMessage>({ records: MAX_MESSAGES });
  readonly #spans = new Ring<RecordedSpan>({ records: MAX_SPANS });
  #run = 1;

  /** A new process of the app begins: its numbers start again. */
  nextRun(): void {
    this.#run++;
  }

  /** Keeps what is worth keeping. Returns the event with its place in the order. */
  record(event: ConsoleEvent): ConsoleEvent {
    const run = this.#run;
    if (event.type === 'call') return { ...event, call: this.#calls.add({ ...event.call.record, run }) };
    if (event.type === 'message')
      return { ...event, message: this.#messages.add({ ...event.message.record, run }) };
    return event;
  }

  addSpan(span: RecordedSpan): void {
    this.#spans.add(span);
  }

  readonly api: RecordApi = {
    calls: ({ after }) => this.#calls.after(after),
    messages: ({ after }) => this.#messages.after(after),
    spans: ({ traceId }) =>
      this.#spans.after().flatMap(({ record }) => (record.traceId === traceId ? [record] : [])),
    clearRecords: () => {
      for (const ring of [this.#calls, this.#messages, this.#spans]) ring.clear();
      return {};
    },
  };
}

/** What all records of a ring may take together, in characters of JSON. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface RingLimits {
  /** How many records are kept. */
  readonly records: number;
  /** How large they may be together, in characters of JSON. Default: 64 Mi. */
  readonly characters?: number;
}

/** The last records of a kind, each with its place in the order of all that ever came. */
export class Ring<T> {
  #kept: Sequenced<T>[] = [];
  #sizes: number[] = [];
  #size = 0;
  #seq = 0;

  constructor(private readonly limits: RingLimits) {}

  add(record: T): Sequenced<T> {
    const sequenced = { seq: ++this.#seq, record };
    const size = JSON.stringify(record).length;
    this.#kept.push(sequenced);
    this.#sizes.push(size);
    this.#size += size;
    const { records, characters = MAX_CHARACTERS } = this.limits;
    // Cutting seldom is cheaper than cutting each time.
    if (this.#kept.length > records * 1.2) this.#cut(this.#kept.length - records);
    if (this.#size > characters) this.#cut(this.#excess(characters * 0.8));
    return sequenced;
  }

  after(seq = 0): readonly Sequenced<T>[] {
    const first = this.#kept.findIndex((each) => each.seq > seq);
    return first < 0 ? [] : this.#kept.slice(first);
  }

  clear(): void {
    this.#cut(this.#kept.length);
  }

  /** How many of the oldest have to go until the rest fits. The newest always stays. */
  #excess(characters: number): number {
    let size = this.#size;
    let count = 0;
    while (size > characters && count < this.#kept.length - 1) size -= this.#sizes[count++]!;
    return count;
  }

  #cut(count: number): void {
    for (const size of this.#sizes.slice(0, count)) this.#size -= size;
    this.#kept = this.#kept.slice(count);
    this.#sizes = this.#sizes.slice(count);
  }
}
