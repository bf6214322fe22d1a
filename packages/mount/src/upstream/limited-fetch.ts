import type { FetchLike } from '@modelcontextprotocol/client';
import { writeJson } from '@toolwright/core/transport';
import { hasLongDigits, mediaTypeIn, wellFormedJson } from '@toolwright/json';
import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BUDGET } from '../budget.js';
import { MountError } from '../errors.js';
import { ExactEvents } from './exact-events.js';
import { isTooHeavy } from './is-too-heavy.js';
import { readPlainMessage } from './plain-message.js';
import { ReopenPauses } from './reopen-pauses.js';
import { currentExchange } from './scope.js';

/**
 * A `fetch` that reads no more than the mount allows, and that gives each request the token of its own caller.
 *
 * @param most the bytes of one answer, and the values of one message
 */
export function limitedFetch(most: { readonly bytes: number; readonly values: number }): FetchLike {
  const pauses = new ReopenPauses();
  return async (url, init = {}) => {
    const exchange = currentExchange();
    const headers = new Headers(init.headers);
    // Streams are opened with GET: a server that ends them at once, and says `retry: 0`, would have us do nothing else.
    if (init.method !== 'POST' && init.method !== 'DELETE')
      await pauses.wait(headers.has('last-event-id') ? exchange : undefined, init.signal);
    if (exchange?.call?.token !== undefined) headers.set('authorization', `Bearer ${exchange.call.token}`);
    const { signal, leave } = ownSignal(init.signal);
    // Arguments of our callers need not be well formed, and a strict server would refuse the whole message.
    const body = typeof init.body === 'string' ? exactBody(init.body) : init.body;
    try {
      const response = await fetch(url, { ...init, headers, signal, ...(body && { body }) });
      return bounded(response, { most, isOwnStream: init.method === 'POST', leave });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** The SDK has written it with JSON.stringify: the digits of a long integer are those of a double, and not of our caller. */
function exactBody(body: string): string {
  return hasLongDigits(body) && body.startsWith('{') ? writeJson(JSON.parse(body)) : wellFormedJson(body);
}

interface OwnSignal {
  readonly signal: AbortSignal | null;
  /** The request is over. */
  readonly leave: () => void;
}

/**
 * A signal for one request. `fetch` listens to its signal until the garbage collector has been there, and the signal of
 * a session of the SDK lives as long as the session: Node.js warns of a leak after 1,500 requests.
 */
function ownSignal(signal: AbortSignal | null | undefined): OwnSignal {
  if (!signal) return { signal: null, leave: () => undefined };
  const own = new AbortController();
  const onAbort = () => own.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  // A session may have any number of requests at the same time.
  setMaxListeners(0, signal);
  return { signal: own.signal, leave: () => signal.removeEventListener('abort', onAbort) };
}

interface Bounds {
  readonly most: { readonly bytes: number; readonly values: number };
  readonly isOwnStream: boolean;
  readonly leave: () => void;
}

function bounded(response: Response, { most, isOwnStream, leave }: Bounds): Response {
  const { body, status, statusText, headers } = response;
  if (!body || status < 200 || status === 204 || (status >= 300 && status < 400)) {
    leave();
    return response;
  }
  const isStream = mediaTypeIn(headers.get('content-type')) === 'text/event-stream';
  const counter = isStream
    ? new EventCounter(most.bytes, isOwnStream ? most.bytes + BUDGET.noticeBytes : Infinity)
    : undefined;
  let total = 0;
  const isWithin = (chunk: Uint8Array) => {
    total += chunk.length;
    return counter ? counter.isWithin(chunk) : total <= most.bytes;
  };
  const check = (text: string) => {
    if (isTooHeavy(text, most.values)) throw refusedFor(`more than ${most.values} values`);
  };
  const events = isStream ? new ExactEvents(check) : undefined;
  const answer = new Response(read(body, { most: most.bytes, isWithin, leave, events }), {
    status,
    statusText,
    headers,
  });
  // The SDK reads a message so.
  return isStream
    ? answer
    : Object.assign(answer, {
        async json() {
          const text = await answer.text();
          // Each step with a long answer takes some milliseconds.
          const rest = () => (text.length > BUDGET.longText ? nextTurn() : undefined);
          await rest();
          check(text);
          await rest();
          const message = readPlainMessage(text);
          await rest();
          return message;
        },
      });
}

interface Reading {
  readonly most: number;
  readonly isWithin: (chunk: Uint8Array) => boolean;
  readonly leave: () => void;
  readonly events: ExactEvents | undefined;
}

/** Reads a body as far as it may be read. A stream that is piped through another one would cost more than the request. */
function read(
  body: ReadableStream<Uint8Array>,
  { most, isWithin, leave, events }: Reading,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          let { done, value } = await reader.read();
          while (value && isWithin(value)) {
            const whole = events ? events.take(value) : value;
            if (whole) return controller.enqueue(whole);
            ({ done, value } = await reader.read());
          }
          leave();
          const rest = done ? events?.rest() : undefined;
          if (rest) controller.enqueue(rest);
          if (done) return controller.close();
          throw refusedFor(`more than ${most} bytes`);
        } catch (error) {
          leave();
          controller.error(error);
          await reader.cancel().catch(() => undefined);
        }
      },
      cancel(reason) {
        leave();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Counts the bytes of a stream of events: those of the current event, and all of them. */
class EventCounter {
  #event = 0;
  #total = 0;

  constructor(
    private readonly mostOfEvent: number,
    private readonly mostOfAll: number,
  ) {}

  isWithin(chunk: Uint8Array): boolean {
    this.#total += chunk.length;
    // An event ends with an empty line. A line that is split between two chunks counts a little too much.
    const end = Math.max(lastPair(chunk, 10, 10), lastPair(chunk, 10, 13));
    this.#event = end < 0 ? this.#event + chunk.length : chunk.length - end;
    return this.#event <= this.mostOfEvent + BUDGET.noticeBytes / 4 && this.#total <= this.mostOfAll;
  }
}

function lastPair(chunk: Uint8Array, first: number, second: number): number {
  for (let index = chunk.length - 1; index > 0; index--)
    if (chunk[index] === second && chunk[index - 1] === first) return index;
  return -1;
}

/** Also kept for the request: the SDK says only that the stream has ended. */
function refusedFor(what: string): MountError {
  const error = new MountError('TW_MOUNT_ANSWER', `The server behind this tool sent ${what}. Ask for less.`);
  const exchange = currentExchange();
  if (exchange) exchange.failure = error;
  return error;
}
