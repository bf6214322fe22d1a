import { randomBytes, randomUUID } from 'node:crypto';
import { cutText } from '@toolwright/json';
import { ToolError } from '../base/errors/errors.js';
import type {
  AskMode,
  ClientDescription,
  ClientInput,
  ClientMethod,
  RequestId,
  TraceContext,
} from '../base/request-context.js';
import { SparseMap } from '../base/sparse-map.js';
import type { ServerStop } from '../call/limits/server-stop.js';
import type { Clock } from '../ports/clock-and-ids.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
} from '../requests/client-questions.js';
import { type JsonObject, type RpcResponse, isJsonObject, requestText } from '../wire/json-rpc.js';
import { type MethodNames, notificationIn, writeNames } from '../wire/method-names.js';
import { urlElicitationRequired } from '../wire/protocol-errors.js';
import type { Cancellation } from '../wire/response-channel.js';
import type { Features } from '../wire/revision-record.js';

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** The session whose client is asked. */
interface AskedSession {
  readonly initialized: boolean;
  readonly client: ClientDescription;
  ask(method: string, params: JsonObject, route: AskRoute): Promise<unknown>;
}

/**
 * Questions of the older era: the server sends a request to the client in the middle of the call, and the
 * call waits for the answer.
 */
export class StatefulInput implements ClientInput {
  readonly pending = NOTHING;
  readonly resumed = false;
  readonly paid = false;
  #memories: Map<string, unknown> | undefined;

  constructor(
    /** `undefined` for requests that are handled on their own: an answer could not be linked to them. */
    private readonly session: AskedSession | undefined,
    private readonly features: Features,
    private readonly route: AskRoute,
  ) {}

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return this.#canAsk(capabilitiesOf(method, mode));
  }

  async ask(_key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    const asked = this.#narrow(method, params);
    if (!this.session && asked['elicitationId'] !== undefined) throw urlElicitationRequired(asked);
    if (!this.session || !this.#canAsk(required)) throw missingCapability(required);
    const answer = readAnswer(method, params, await this.session.ask(method, asked, this.route));
    if (!answer) throw new ToolError(`The client's answer to ${method} does not fit what was asked.`);
    return answer;
  }

  recall(key: string): { value: unknown } | undefined {
    return this.#memories?.has(key) ? { value: this.#memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map()).set(key, value);
  }

  /**
   * Before `notifications/initialized`, the server may only ping the client (lifecycle of all older
   * revisions).
   */
  #canAsk(required: JsonObject): boolean {
    return (
      this.session?.initialized === true &&
      declares(this.session.client.capabilities, required, this.features)
    );
  }

  #narrow(method: ClientMethod, params: JsonObject): JsonObject {
    if (method !== 'elicitation/create') return params;
    if (this.features.urlElicitation) {
      return params['mode'] === 'url' ? { elicitationId: randomUUID(), ...params } : params;
    }
    const { mode: _mode, ...form } = params;
    return form;
  }
}

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
      const unwatch = stop.watch(() => giveUp(stopping()));
      const settle = (then: () => void) => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        unwatch();
        this.#open.delete(id);
        then();
      };
      this.#open.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
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
