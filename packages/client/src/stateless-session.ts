import { AnswerError, RpcExchange, type OpenChannel, RpcError, closedEarly, reasonOf } from './exchange.js';
import { answerInput, capabilitiesOf } from './input-handlers.js';
import {
  type Change,
  type ListenFilter,
  Notifications,
  type Params,
  type RequestOptions,
  type Result,
  type ServerDescription,
  type ClientSession,
  type ClientSessionOptions,
} from './session.js';

const META = 'io.modelcontextprotocol/';
/** Of a server that does not say who it is. */
const UNKNOWN = { name: 'unknown', version: 'unknown' };
/** A tool that asks this often would never end. The specification lets the client choose the limit. */
const MOST_ROUNDS = 32;

/**
 * Speaks 2026-07-28. There is no handshake, and every request carries its envelope. A question ends the
 * round, and the next round brings the answer.
 */
export class StatelessConnection implements ClientSession {
  server!: ServerDescription;
  private readonly notifications: Notifications;
  private readonly envelope: Params;
  private exchange!: RpcExchange;
  private readonly closed = new AbortController();

  private constructor(private readonly options: ClientSessionOptions) {
    this.notifications = new Notifications(options.onLog);
    this.envelope = {
      [`${META}protocolVersion`]: options.revision,
      [`${META}clientInfo`]: options.clientInfo,
      [`${META}clientCapabilities`]: options.capabilities ?? capabilitiesOf(options),
      ...(options.logLevel && { [`${META}logLevel`]: options.logLevel }),
    };
  }

  static async open(open: OpenChannel, options: ClientSessionOptions): Promise<StatelessConnection> {
    const session = new StatelessConnection(options);
    session.exchange = await RpcExchange.open(open, {
      revision: options.revision,
      notification: (method, params) => session.notifications.deliver(method, params),
      // This revision forbids requests from the server (basic/patterns).
      request: (method) =>
        Promise.reject(new RpcError(-32601, `${method} is not asked on ${options.revision}.`)),
    });
    const { capabilities, instructions, _meta } = await session.request('server/discover', {});
    session.server = {
      revision: options.revision,
      info: ((_meta as Params | undefined)?.[`${META}serverInfo`] ?? UNKNOWN) as ServerDescription['info'],
      capabilities: (capabilities ?? {}) as Record<string, unknown>,
      ...(instructions !== undefined && { instructions: instructions as string }),
    };
    return session;
  }

  async request(method: string, params: Params, options: RequestOptions = {}): Promise<Result> {
    let answers: Params = {};
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const result = await this.send(method, { ...params, ...answers }, options);
      if (result['resultType'] !== 'input_required') return result;
      const { signal } = this.closed;
      const ends = options.signal ? AbortSignal.any([options.signal, signal]) : signal;
      answers = await untilAborted(this.answer(result), ends);
    }
    throw new Error(`${method} still asked for input after ${MOST_ROUNDS} rounds.`);
  }

  async listen(filter: ListenFilter, hear: (change: Change) => void): Promise<() => Promise<void>> {
    const end = new AbortController();
    const id = this.exchange.upcomingId;
    let acknowledge!: () => void;
    const acknowledged = new Promise<void>((resolve) => (acknowledge = resolve));
    const stop = this.notifications.listen((change) => {
      const meta = change.params['_meta'] as Params | undefined;
      if (meta?.[`${META}subscriptionId`] !== id) return;
      if (change.method === 'notifications/subscriptions/acknowledged') acknowledge();
      else hear(change);
    });
    const ended = this.send(
      'subscriptions/listen',
      { notifications: toWire(filter) },
      { signal: end.signal },
    );
    ended.then(stop, stop);
    await Promise.race([acknowledged, ended]);
    return async () => {
      end.abort(new Error('The subscription was ended.'));
      await ended.catch(() => undefined);
    };
  }

  close(): Promise<void> {
    this.closed.abort(closedEarly());
    return this.exchange.close();
  }

  private send(method: string, params: Params, { signal, onProgress }: RequestOptions): Promise<Result> {
    const token = this.exchange.upcomingId;
    const _meta = {
      ...(params['_meta'] as Params | undefined),
      ...this.envelope,
      ...(onProgress && { progressToken: token }),
    };
    return this.notifications.during(token, onProgress, () =>
      this.exchange.request(method, { ...params, _meta }, signal),
    );
  }

  /** The parameters that the next round adds to the request. */
  private async answer({ inputRequests = {}, requestState }: Result): Promise<Params> {
    const inputResponses: Params = {};
    for (const [key, asked] of Object.entries(
      inputRequests as Record<string, { method: string; params?: Params }>,
    )) {
      if (typeof asked?.method !== 'string')
        throw new AnswerError('The server asks for input and does not say which.');
      inputResponses[key] = await answerInput(this.options, asked.method, asked.params ?? {});
    }
    return { inputResponses, ...(requestState !== undefined && { requestState }) };
  }
}

/** A person may never answer. A call that was given up waits no longer, nor one of a client that was closed. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = () => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(settle);
  });
}

function toWire({ tools, prompts, resources, uris }: ListenFilter): Params {
  return {
    ...(tools && { toolsListChanged: true }),
    ...(prompts && { promptsListChanged: true }),
    ...(resources && { resourcesListChanged: true }),
    ...(uris && { resourceSubscriptions: uris }),
  };
}
