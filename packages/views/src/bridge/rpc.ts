import type { Frame, FrameMessage } from './frame.js';
import { type CallProgress, readProgress } from './progress.js';

export interface CallOptions<Part = unknown> {
  /** Cancels the call. */
  readonly signal?: {
    readonly aborted: boolean;
    addEventListener(type: 'abort', listener: () => void): void;
  };
  readonly onProgress?: (progress: CallProgress<Part>) => void;
  /**
   * Asks the person what the server wants to have confirmed: a tool with `@Confirm` and the fallback `argument`, in a host that
   * has no question of its own. Without it, such a call is refused.
   */
  readonly confirm?: (question: string) => Promise<boolean>;
}

export type MessageParams = Record<string, unknown>;

/** What the host asks of the page, and what it tells it. A request is answered with what its function returns. */
export interface MessageHandlers {
  readonly requests: Record<string, (params: MessageParams) => unknown>;
  readonly notifications: Record<string, (params: MessageParams) => void>;
}

/** JSON-RPC 2.0 with the host. */
export interface Rpc {
  request(method: string, params?: MessageParams, options?: CallOptions<never>): Promise<MessageParams>;
  notify(method: string, params?: MessageParams): void;
  close(): void;
}

interface Waiting {
  resolve(result: MessageParams): void;
  reject(error: Error): void;
  readonly onProgress: CallOptions<never>['onProgress'];
}

/** The host refused, or it could not do what the view asked for. */
export class ViewError extends Error {
  /** @param code the code of JSON-RPC, if the host gave one */
  constructor(
    message: string,
    readonly code?: number,
  ) {
    super(message);
    this.name = 'ViewError';
  }
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** Opens the channel to the frame around this one. Messages of all other frames are ignored. */
export function openRpc(frame: Frame, { requests, notifications }: MessageHandlers): Rpc {
  const waiting = new Map<unknown, Waiting>();
  let lastId = 0;
  // A page in a sandbox learns the origin of its host from the first answer. Until then it sends nothing secret.
  let target = '*';

  const post = (message: MessageParams) => frame.parent.postMessage({ jsonrpc: '2.0', ...message }, target);
  const notify = (method: string, params: MessageParams = {}) => post({ method, params });

  const settle = (id: unknown, { result, error }: MessageParams) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (!error) return call?.resolve((result ?? {}) as MessageParams);
    const { message, code } = error as { message: string; code: number };
    call?.reject(new ViewError(message, code));
  };

  const answer = async (id: unknown, method: string, params: MessageParams) => {
    const handle = Object.hasOwn(requests, method) ? requests[method] : undefined;
    if (!handle)
      return post({ id, error: { code: METHOD_NOT_FOUND, message: `A view has no method "${method}".` } });
    try {
      post({ id, result: (await handle(params)) ?? {} });
    } catch (error) {
      post({ id, error: { code: INTERNAL_ERROR, message: String(error) } });
    }
  };

  const hear = (method: string, params: MessageParams) => {
    if (method === 'notifications/progress')
      waiting.get(params['progressToken'])?.onProgress?.(readProgress(params));
    else if (Object.hasOwn(notifications, method)) notifications[method]!(params);
  };

  const receive = ({ source, origin, data }: FrameMessage) => {
    const message = data as MessageParams | null;
    if (source !== frame.parent || message?.['jsonrpc'] !== '2.0') return;
    const { id, method, params = {} } = message as { id?: unknown; method?: string; params?: MessageParams };
    if (method === undefined) {
      if (waiting.has(id) && /^https?:/.test(origin)) target = origin;
      settle(id, message);
    } else if (id === undefined) hear(method, params);
    else void answer(id, method, params);
  };

  frame.addEventListener('message', receive);
  return {
    notify,
    request: (method, params = {}, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        const cancel = () => {
          if (!waiting.delete(id)) return;
          notify('notifications/cancelled', { requestId: id });
          reject(new ViewError('The call was cancelled.'));
        };
        waiting.set(id, { resolve, reject, onProgress });
        post({
          id,
          method,
          params: onProgress ? { ...params, _meta: { progressToken: id } } : params,
        });
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel);
      }),
    close: () => frame.removeEventListener('message', receive),
  };
}
