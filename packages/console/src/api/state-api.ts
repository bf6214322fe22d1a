import type { ServerState } from '@toolwright/core';
import type { Awaitable } from './awaitable.js';
import type { OnServer } from './overview-api.js';

/** What a server keeps at this moment. Every `key` is a digest: no ids of sessions and tasks leave the server. */
export interface ConsoleState extends ServerState {
  /** The memory of the whole process, in bytes. */
  readonly memoryBytes: number;
}

interface Keyed extends OnServer {
  /** From the state. */
  readonly key: string;
}

/** Each change is recorded in the audit log of the server. */
export interface StateApi {
  state(params: OnServer): Awaitable<ConsoleState>;
  endSession(params: Keyed): Awaitable<Record<string, never>>;
  /** Ends a call of any client; `number` is the one of its trace. */
  cancelRunningCall(params: OnServer & { readonly number: number }): Awaitable<Record<string, never>>;
  cancelTask(params: Keyed): Awaitable<Record<string, never>>;
  /** Begins the work of an ended task again. Returns the key of the new task. */
  retryTask(params: Keyed): Awaitable<{ readonly key: string }>;
  /** Gives the caller of one limit, or all callers, their points back. */
  resetLimits(params: OnServer & { readonly key?: string }): Awaitable<{ readonly count: number }>;
}
