import type { Client, Notification, Request } from '@modelcontextprotocol/client';
import { LONGEST_TIMER_MS } from '@toolwright/core/ports';
import type { Connected } from '../upstream/connect.js';
import { type CallInFlight, currentExchange, duringExchange } from '../upstream/scope.js';

type Params = Record<string, unknown>;
export type UpstreamResult = Record<string, unknown>;

/** The SDK checks no result by its own schemas: ours are checked where they are used. */
const asItIs = {
  '~standard': { version: 1 as const, vendor: 'toolwright', validate: (value: unknown) => ({ value }) },
};

/** More than any timer needs: our own clock ends requests, because it does not run while a person is asked. */
const NEVER_MS = LONGEST_TIMER_MS;

/** Hears of changes, and of what a server behind must not do. */
export interface SessionHost {
  changed(notification: Notification): void;
  /** A question came that no call can have caused. */
  unexpected(method: string): void;
}

export interface UpstreamRequestOptions {
  readonly call?: CallInFlight;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  onprogress?(progress: { progress: number; total?: number; message?: string }): void;
}

/** A session with a server behind, and the calls that use it at the moment. */
export class UpstreamSession {
  readonly client: Client;
  readonly #calls = new Set<CallInFlight>();
  #isClosed = false;
  #logLevel: string | undefined;

  constructor(
    private readonly connected: Connected,
    private readonly host: SessionHost,
    /** Is called once, when the session has ended by itself. */
    ended: () => void,
  ) {
    this.client = connected.client;
    this.client.onclose = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      ended();
    };
    this.client.onerror = () => undefined;
    this.client.fallbackRequestHandler = (request) => this.#answer(request);
    this.client.fallbackNotificationHandler = (notification) => {
      if (notification.method === 'notifications/message') this.#log(notification.params as Params);
      else this.host.changed(notification);
      return Promise.resolve();
    };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  get pid(): number | undefined {
    return this.connected.pid;
  }

  /** Whether the server behind knows it by an id, which it may forget. */
  get isKnownById(): boolean {
    const { pid, traits } = this.connected;
    return pid === undefined && traits.keepsState && !traits.isOldSse;
  }

  get isModern(): boolean {
    return this.connected.traits.prior.kind === 'modern';
  }

  /** @throws what the SDK throws */
  async send(method: string, params: Params, options: UpstreamRequestOptions = {}): Promise<UpstreamResult> {
    const { call, signal, onprogress, headers } = options;
    if (call) this.#calls.add(call);
    try {
      return (await duringExchange({ call }, () =>
        this.client.request({ method, params } as Request, asItIs as never, {
          timeout: NEVER_MS,
          allowInputRequired: true,
          ...(signal && { signal }),
          ...(onprogress && { onprogress }),
          ...(headers && { headers: { ...headers } }),
        }),
      )) as UpstreamResult;
    } finally {
      if (call) this.#calls.delete(call);
    }
  }

  /** Before 2026-07-28, a session has one level of log messages. */
  async setLogLevel(level: string | undefined): Promise<void> {
    if (level === undefined || level === this.#logLevel || this.isModern) return;
    if (!this.client.getServerCapabilities()?.logging) return;
    this.#logLevel = level;
    await this.send('logging/setLevel', { level }).catch(() => (this.#logLevel = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.connected.close().catch(() => undefined);
  }

  async #answer({ method, params = {} }: { method: string; params?: unknown }): Promise<UpstreamResult> {
    const call = currentExchange()?.call ?? this.#onlyCaller();
    if (!call) {
      this.host.unexpected(method);
      throw Object.assign(new Error('There is no call to ask for.'), { code: -32600 });
    }
    return call.ask(method, params as Params);
  }

  #log(params: Params): void {
    (currentExchange()?.call ?? this.#onlyCaller())?.log(params);
  }

  /** Where streams do not tell calls apart: a call of the only caller whose calls are in flight. */
  #onlyCaller(): CallInFlight | undefined {
    const [first, ...others] = this.#calls;
    return others.every(({ caller }) => caller === first?.caller) ? first : undefined;
  }
}
