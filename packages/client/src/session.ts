import { type LogLevel, PARTIAL, type Revision } from '@toolwright/core/transport';
import type { InputHandlers } from './input-handlers.js';

export type Params = Record<string, unknown>;
export type Result = Record<string, unknown>;

/** What the client says about itself, and what it can answer. */
export interface ClientSessionOptions extends InputHandlers {
  /** The revision that the client asks for. */
  revision: Revision;
  /** The name and version that the server sees. Default: `toolwright-client`, version 1.0.0. */
  clientInfo: { name: string; version: string };
  /** How many pages a list may have. Default: 1,000. */
  maxPages: number;
  /** The declared capabilities. They replace the capabilities that follow from the handlers. */
  capabilities?: Record<string, unknown>;
  /** The lowest level of log messages that the client asks for. Default: the server sends none. */
  logLevel?: LogLevel;
  /** Is called with the server's log messages (`notifications/message`). */
  onLog?(message: { level: LogLevel; data: unknown; logger?: string }): void;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
  /**
   * What has come of the result since the last report: more items of a list, or some properties of an object. Servers send
   * it for tools with a page, to clients that declare MCP Apps.
   */
  part?: unknown;
}

export interface RequestOptions {
  /** Aborting it also cancels the request at the server. */
  signal?: AbortSignal;
  /** Asks for progress notifications and is called with each of them. */
  onProgress?(progress: Progress): void;
}

/** What the server says about itself. */
export interface ServerDescription {
  /** The revision that client and server use. */
  revision: Revision;
  info: { name: string; version: string; title?: string };
  capabilities: Record<string, unknown>;
  instructions?: string;
}

/** The changes to hear of. */
export interface ListenFilter {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  /** The URIs of the resources to watch. */
  uris?: readonly string[];
}

/** One notification of a change, as the server sent it. */
export interface Change {
  method: string;
  params: Params;
}

/** Talks to a server of one era. The client that uses it does not know which era it is. */
export interface ClientSession {
  readonly server: ServerDescription;
  /** Sends one request. The handlers answer the questions that the server asks meanwhile. */
  request(method: string, params: Params, options?: RequestOptions): Promise<Result>;
  /**
   * Subscribes to changes. Resolves with the function that ends the subscription, when the server has
   * accepted it.
   */
  listen(filter: ListenFilter, hear: (change: Change) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

type Hear = (change: Change) => void;
type Token = string | number;

/** Passes each notification to the code that waits for it. */
export class Notifications {
  private readonly progress = new Map<Token, NonNullable<RequestOptions['onProgress']>>();
  private readonly listeners = new Set<Hear>();

  constructor(private readonly onLog: ClientSessionOptions['onLog']) {}

  /** Passes the progress of one request to `report` while `run` works. */
  async during<T>(token: Token, report: RequestOptions['onProgress'], run: () => Promise<T>): Promise<T> {
    if (report) this.progress.set(token, report);
    try {
      return await run();
    } finally {
      this.progress.delete(token);
    }
  }

  /**
   * Passes all notifications except progress and log messages to `hear`. Returns the function that stops
   * this.
   */
  listen(hear: Hear): () => void {
    this.listeners.add(hear);
    return () => void this.listeners.delete(hear);
  }

  deliver(method: string, params: Params): void {
    if (method === 'notifications/progress') {
      const { progressToken, _meta, ...progress } = params as unknown as Progress & {
        progressToken: Token;
        _meta?: Params;
      };
      const part = _meta?.[PARTIAL];
      this.progress.get(progressToken)?.({ ...progress, ...(part !== undefined && { part }) });
    } else if (method === 'notifications/message') {
      this.onLog?.(params as Parameters<NonNullable<ClientSessionOptions['onLog']>>[0]);
    } else {
      for (const hear of this.listeners) hear({ method, params });
    }
  }
}
