import type { FetchLike } from '@modelcontextprotocol/client';
import { MountError } from '../errors.js';
import { currentExchange } from './scope.js';

/** What a stream may send besides its answer: progress, log messages, questions. */
const NOTICES = 4 * 1024 * 1024;

/**
 * A `fetch` that reads no more than the mount allows, and that gives each request the token of its own caller.
 *
 * @param most the bytes of one answer
 */
export function limitedFetch(most: number): FetchLike {
  return async (url, init = {}) => {
    const exchange = currentExchange();
    const headers = new Headers(init.headers);
    if (exchange?.call?.token !== undefined) headers.set('authorization', `Bearer ${exchange.call.token}`);
    const response = await fetch(url, { ...init, headers });
    return bounded(response, { most, isOwnStream: init.method === 'POST' });
  };
}

function bounded(
  response: Response,
  { most, isOwnStream }: { most: number; isOwnStream: boolean },
): Response {
  const { body, status, statusText, headers } = response;
  if (!body || status < 200 || status === 204 || (status >= 300 && status < 400)) return response;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  // fetch itself reads no more than this header says.
  if (!isStream && length <= most) return response;
  const counter = isStream ? new EventCounter(most, isOwnStream ? most + NOTICES : Infinity) : undefined;
  let total = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length;
      if (counter ? counter.isWithin(chunk) : total <= most) controller.enqueue(chunk);
      else controller.error(tooLarge(most));
    },
  });
  return new Response(body.pipeThrough(limit), { status, statusText, headers });
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
    return this.#event <= this.mostOfEvent + NOTICES / 4 && this.#total <= this.mostOfAll;
  }
}

function lastPair(chunk: Uint8Array, first: number, second: number): number {
  for (let index = chunk.length - 1; index > 0; index--)
    if (chunk[index] === second && chunk[index - 1] === first) return index;
  return -1;
}

/** Also kept for the request: the SDK says only that the stream has ended. */
function tooLarge(most: number): MountError {
  const error = new MountError(
    'TW_MOUNT_ANSWER',
    `The server behind this tool sent more than ${most} bytes. Ask for less.`,
  );
  const exchange = currentExchange();
  if (exchange) exchange.failure = error;
  return error;
}
