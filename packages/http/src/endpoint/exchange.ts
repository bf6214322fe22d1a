import type { Clock } from '@toolwright/core/ports';
import type { ReaderOutlet } from '@toolwright/core/transport';
import type { HttpFailure } from './http-failure.js';

/**
 * Passes the body of a request: its text, or what an earlier parser made of it. Or the failure that prevented
 * it. It is a callback, because a promise per request would be the most expensive part of a small one.
 */
export type BodyCallback = (failure: HttpFailure | undefined, body?: unknown) => void;

/**
 * One HTTP request, and the way to answer it. The endpoint is written against it, so that a request means the
 * same over node:http and over web-standard objects.
 *
 * @template Source what the adapter was given: `IncomingMessage` or `Request`
 */
export interface Exchange<Source = unknown> {
  readonly source: Source;
  readonly method: string | undefined;
  /** The path with its query, as the client wrote it. */
  readonly target: string;
  /** The address of the other end of the connection. `undefined` where nobody knows it. */
  readonly address: string | undefined;
  /** True when the connection to this process is encrypted. A proxy in front may have ended TLS. */
  readonly isEncrypted: boolean;
  /** True when no answer can be sent any more: one was sent, or the client has gone. */
  readonly isAnswered: boolean;
  /** True when the client has gone, or its whole answer was sent. */
  readonly isClosed: boolean;
  /** A header of the request, by its lower-case name. Repeated ones are joined, equal ones of the protocol are one. */
  header(name: string): string | undefined;
  /** True when the request names two hosts. A proxy may have checked the other one. */
  readonly repeatsHost?: boolean;
  /** Reads the body, up to `maxBytes`. */
  receive(maxBytes: number, done: BodyCallback): void;
  /** Sets a header of the answer that follows. */
  setHeader(name: string, value: string): void;
  /** Adds to a header of the answer that follows, and keeps what the application has set. */
  addHeader(name: string, value: string): void;
  sendJson(status: number, text: string): void;
  /** As `sendJson`, while the client may still be sending its body. */
  sendJsonEarly(status: number, text: string, clock: Clock): void;
  /** Sends a whole page of HTML. */
  sendPage(status: number, text: string): void;
  sendEmpty(status: number): void;
  /** Begins an answer whose parts follow. @param status default 200 */
  openStream(headers: Readonly<Record<string, string>>, status?: number): ReaderOutlet;
  /** Ends the connection without an answer. */
  drop(): void;
  /**
   * Calls `listener` when the exchange has ended.
   *
   * @param listener gets true when the client has gone before its whole answer was sent
   */
  whenClosed(listener: (early: boolean) => void): void;
  /** Passes an error to the application around the endpoint. False when no application takes it. */
  passError(error: unknown): boolean;
}
