import type { CallTrace, ObservedMessage } from '@toolwright/core/operate';
import type { Awaitable } from './overview-api.js';

/** A call of any client, and what each guard did with it. `number` is unique within one console. */
export interface RecordedCall extends CallTrace {
  /** The `id` of the server. */
  readonly server: string;
  /** Counts how often the app was started: numbers of core begin anew with each. */
  readonly run: number;
}

/** A JSON-RPC message of any client. */
export interface RecordedMessage extends ObservedMessage {
  readonly server: string;
  readonly run: number;
}

/** A span of OpenTelemetry that the app sent. */
export interface RecordedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: string;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Pages of records: those after a number, oldest first. */
export interface Since {
  /** The sequence number of the last record that is known. Default: from the first that is kept. */
  readonly after?: number;
}

/** One record, and its place in the order of all. */
export interface Sequenced<T> {
  readonly seq: number;
  readonly record: T;
}

export interface RecordApi {
  calls(params: Since): Awaitable<readonly Sequenced<RecordedCall>[]>;
  messages(params: Since): Awaitable<readonly Sequenced<RecordedMessage>[]>;
  /** The spans of one trace. */
  spans(params: { readonly traceId: string }): Awaitable<readonly RecordedSpan[]>;
  clearRecords(params: Record<string, never>): Awaitable<Record<string, never>>;
}
