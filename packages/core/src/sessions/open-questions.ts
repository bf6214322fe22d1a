import { randomBytes } from 'node:crypto';
import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { RequestId, TraceContext } from '@toolwright/ground/base/request-context';
import { SparseMap } from '@toolwright/ground/base/sparse-map';
import type { ServerStop } from '@toolwright/ground/call/limits/running-work';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import { cutText, oncePer } from '@toolwright/json';
import { type RpcResponse, isJsonObject, requestText } from '@toolwright/wire/json-rpc';
import { type MethodNames, notificationIn, writeNames } from '@toolwright/wire/methods';
import type { Cancellation } from '@toolwright/wire/response-channel';

interface OpenQuestion {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The longest part of a client's refusal that a model gets to read. */
const MAX_REFUSAL = 200;
const PREFIX = 'server-';
const OWN_QUESTION = /^server-[\w-]{16}$/;

/** True for an id that a process of this server may have given to a question. */
export function isOwnQuestion(id: RequestId | undefined): boolean {
  return typeof id === 'string' && OWN_QUESTION.test(id);
}

export interface AskRoute {
  send(text: string): void;
  cancellation: Cancellation;
  /** When the server stops, nobody waits for an answer any more. */
  stop: ServerStop;
  /** The trace that the question belongs to, when it is known. */
  trace(): TraceContext;
}

/** The questions of one session that its client has not answered yet. */
export class OpenQuestions {
  readonly #open = new SparseMap<RequestId, OpenQuestion>();

  constructor(
    private readonly names: MethodNames | undefined,
    private readonly clock: Clock,
    private readonly answerMs: number,
  ) {}

  /**
   * Asks the client. The id belongs to this session, is never reused, and cannot be guessed. An answer with
   * this id therefore proves that its sender got the question.
   */
  ask(
    method: string,
    params: Record<string, unknown>,
    { send, cancellation, stop, trace }: AskRoute,
  ): Promise<unknown> {
    if (stop.hasBegun) return Promise.reject(stopping());
    const id = `${PREFIX}${randomBytes(12).toString('base64url')}`;
    return new Promise<unknown>((resolve, reject) => {
      const giveUp = (error: unknown) => {
        if (this.#open.has(id))
          send(notificationIn(this.names, 'notifications/cancelled', { requestId: id }));
        settle(() => reject(error));
      };
      const cancelTimer = this.clock.after(this.answerMs, () =>
        giveUp(new ToolError('The client did not answer in time.')),
      );
      const { signal } = cancellation;
      const onAbort = () => giveUp(signal.reason);
      const forget = whenAborted(signal, onAbort);
      const unwatch = stop.watch(() => giveUp(stopping()));
      const settle = (then: () => void) => {
        cancelTimer();
        forget();
        unwatch();
        this.#open.delete(id);
        then();
      };
      this.#open.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      if (signal.aborted) return onAbort();
      const asked = writeNames(this.names, { method, params: traced(params, trace()) });
      send(requestText(id, asked.method, asked.params));
    });
  }

  /**
   * Takes the client's answer.
   *
   * @returns false when this process has no such question open
   */
  answer({ id, result, error }: RpcResponse): boolean {
    const question = id === undefined ? undefined : this.#open.get(id);
    if (!question) return false;
    if (error === undefined) {
      question.resolve(result);
      return true;
    }
    const message =
      isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : 'no reason given';
    question.reject(new ToolError(`The client refused: ${cutText(message, MAX_REFUSAL)}`));
    return true;
  }

  rejectAll(reason: unknown): void {
    for (const question of this.#open.values()) question.reject(reason);
  }
}

/** What waits for the end of each call. It has one listener, however many things the call asks at once. */
const waiting = oncePer((signal: AbortSignal) => {
  const all = new Set<() => void>();
  signal.addEventListener('abort', () => [...all].forEach((each) => each()), { once: true });
  return all;
});

function whenAborted(signal: AbortSignal, then: () => void): () => void {
  const all = waiting(signal).add(then);
  return () => void all.delete(then);
}

const stopping = () => new ToolError('The server is stopping, so nobody waits for an answer any more.');

/**
 * Adds the trace to a question, so that the client's work joins it. Baggage is left out: a proxy may have
 * added some that the client must not see.
 */
function traced(
  params: Record<string, unknown>,
  { traceparent, tracestate }: TraceContext,
): Record<string, unknown> {
  if (traceparent === undefined) return params;
  const meta = params['_meta'] as object | undefined;
  return { ...params, _meta: { ...meta, traceparent, ...(tracestate !== undefined && { tracestate }) } };
}
