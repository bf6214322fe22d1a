import type { ConsoleEvent } from '../api/events.js';
import type { RecordApi, RecordedCall, RecordedMessage, RecordedSpan } from '../api/record-api.js';
import { Ring } from './ring.js';

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
