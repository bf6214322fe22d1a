import type { LogLevel, Revision } from '@toolwright/core';
import type { InputHandlers } from './input-handlers.js';

export type Params = Record<string, unknown>;
export type Result = Record<string, unknown>;

/** What the client says of itself and what it can answer. */
export interface SessionOptions extends InputHandlers {
  /** The revision to ask for. */
  revision: Revision;
  /** Name and version that the server sees. Default `toolwright-client`. */
  clientInfo: { name: string; version: string };
  /** Declared in place of what the handlers imply. */
  capabilities?: Record<string, unknown>;
  /** Least level of log messages to ask for. Default: none are sent. */
  logLevel?: LogLevel;
  /** Called with the server's log messages (`notifications/message`). */
  onLog?(message: { level: LogLevel; data: unknown; logger?: string }): void;
}

export interface RequestOptions {
  /** Aborting it cancels the request at the server too. */
  signal?: AbortSignal;
  /** Asks for progress and receives it. */
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
}

/** What the server says of itself. */
export interface ServerDescription {
  /** The revision that is spoken. */
  revision: Revision;
  info: { name: string; version: string; title?: string };
  capabilities: Record<string, unknown>;
  instructions?: string;
}

/** Which changes to hear of. */
export interface ListenFilter {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  /** URIs whose content is watched. */
  uris?: readonly string[];
}

/** One notification of a change, as it came. */
export interface Change {
  method: string;
  params: Params;
}

/** One era's way to talk to a server; the client above it does not know which. */
export interface Session {
  readonly server: ServerDescription;
  /** Sends one request; questions that the server asks on the way are answered by the handlers. */
  request(method: string, params: Params, options?: RequestOptions): Promise<Result>;
  /** Resolves when the subscription stands, with the function that ends it. */
  listen(filter: ListenFilter, hear: (change: Change) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
