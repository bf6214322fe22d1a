import { setTimeout as wait } from 'node:timers/promises';
import { ToolError } from '@toolwright/core';
import { systemClock } from '@toolwright/core/ports';
import { growingPause } from '@toolwright/json';
import { apiError } from './api-errors.js';
import type { BuiltRequest } from './build-request.js';

export interface SendOptions {
  /** How long one attempt may take, in milliseconds. */
  readonly timeout: number;
  /** How many times a request that may be repeated is sent again. */
  readonly retries: number;
  /** The time before the first repetition, in milliseconds. Each further one waits twice as long. */
  readonly retryDelay: number;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** What the request is called in messages. */
  readonly name: string;
  /** Reads the text of an answer. It is a part of the attempt: an answer can break off. */
  read(response: Response): Promise<string>;
}

/** An answer with its text. */
export interface TextAnswer {
  readonly response: Response;
  readonly text: string;
}

/** Methods that may be sent twice (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** Answers that say "later". */
const LATER = new Set([429, 502, 503, 504]);

/** An API that wants a longer pause has to be called again by the model. */
const LONGEST_PAUSE = 10_000;
const MOST_REDIRECTS = 5;

/**
 * Sends a request, and again where that is safe and may help.
 *
 * @throws {ToolError} if there is no answer
 */
export async function sendRequest(request: BuiltRequest, options: SendOptions): Promise<TextAnswer> {
  const attempts = REPEATABLE.has(request.method) ? options.retries + 1 : 1;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await answerOf(request, options).catch((error: unknown) => ({ error }));
    const isLast = attempt >= attempts;
    if ('error' in outcome) {
      options.signal.throwIfAborted();
      if (outcome.error instanceof ToolError) throw outcome.error;
      if (isLast || isFinal(outcome.error)) throw noAnswer(outcome.error, options);
    } else if (isLast || !LATER.has(outcome.response.status)) return outcome;
    const pause = pauseBefore(attempt, 'error' in outcome ? undefined : outcome.response, options.retryDelay);
    if (pause > LONGEST_PAUSE && !('error' in outcome)) return outcome;
    await wait(pause, undefined, { signal: options.signal });
  }
}

async function answerOf(request: BuiltRequest, options: SendOptions): Promise<TextAnswer> {
  const response = await follow(request, options);
  try {
    return { response, text: await options.read(response) };
  } catch (error) {
    if (error instanceof ToolError || (error as Error).name === 'TimeoutError') throw error;
    throw new BrokenAnswer(response, error);
  }
}

class BrokenAnswer extends Error {
  constructor(
    readonly response: Response,
    cause: unknown,
  ) {
    super('broken', { cause });
  }
}

/**
 * Follows redirects within the same origin, so that credentials never reach another one. After 307 and 308 any request is sent
 * again as it is, and after 303 its result is read (RFC 9110, 15.4). After 301 and 302 nobody knows what is meant of a request
 * that changes something.
 */
async function follow(
  request: BuiltRequest,
  { timeout, fetch: send, signal }: SendOptions,
): Promise<Response> {
  const { headers } = request;
  let { url, method, body } = request;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    const location = response.headers.get('location');
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status) && location !== null;
    const isReading = method === 'GET' || method === 'HEAD';
    const isClear = isReading || response.status === 303 || response.status >= 307;
    if (!isRedirect || !isClear || redirects === MOST_REDIRECTS) return response;
    const next = new URL(location, url);
    if (next.origin !== url.origin) throw new RedirectError(next.origin);
    await response.body?.cancel();
    url = next;
    if (isReading || response.status !== 303) continue;
    [method, body] = ['GET', undefined];
    headers.delete('content-type');
  }
}

class RedirectError extends Error {}

const isFinal = (error: unknown) => error instanceof RedirectError;

function pauseBefore(attempt: number, response: Response | undefined, delay: number): number {
  const stated = response?.headers.get('retry-after');
  if (stated !== null && stated !== undefined && stated !== '') {
    const seconds = Number(stated);
    const pause = Number.isNaN(seconds) ? Date.parse(stated) - systemClock.now() : seconds * 1_000;
    if (Number.isFinite(pause)) return Math.max(pause, 0);
  }
  // Half of the pause is random, so that clients that failed together do not come back together.
  return growingPause(attempt - 1, { firstMs: delay }, Math.random());
}

function noAnswer(error: unknown, { name, timeout }: SendOptions) {
  if (error instanceof RedirectError)
    return apiError(
      'TW_OPENAPI_RESPONSE',
      `${name} was sent to another address, ${error.message}, and was not followed.`,
    );
  if (error instanceof BrokenAnswer) {
    const { ok, status } = error.response;
    const done = ok ? ' was carried out. It' : '';
    return apiError(
      'TW_OPENAPI_RESPONSE',
      `${name}${done} answered ${status}, and the answer broke off, so there is no result to show.`,
      { status },
      error.cause,
    );
  }
  const isLate = (error as Error).name === 'TimeoutError';
  const message = isLate
    ? `${name} got no answer in ${timeout / 1_000} s.`
    : `${name} did not reach the API.`;
  return apiError('TW_OPENAPI_REQUEST', message, undefined, error);
}
