import type { Awaitable } from './awaitable.js';
import type { OnServer } from './overview-api.js';

/** What a server keeps in memory at this moment. All times are in milliseconds since the epoch. */
export interface ServerState {
  readonly at: number;
  readonly running: readonly RunningCall[];
  readonly limits: readonly LimitState[];
  readonly slots: readonly SlotState[];
  readonly sessions: readonly SessionState[];
  readonly streams: readonly StreamState[];
  readonly subscriptions: readonly SubscriptionState[];
  readonly tasks: readonly TaskState[];
  readonly queue?: {
    readonly waiting: number;
    readonly running: number;
    readonly dead: number;
    readonly oldestMs: number;
  };
  readonly stores: readonly { readonly name: string; readonly isUp: boolean; readonly detail?: string }[];
  /** Calls that were answered at their deadline or cancelled, but still work. */
  readonly abandoned: number;
  readonly memoryBytes: number;
}

export interface RunningCall {
  readonly number: number;
  readonly name: string;
  readonly since: number;
  readonly caller?: string;
}

/** The points that one key has used of one limit. */
export interface LimitState {
  readonly key: string;
  readonly name: string;
  readonly points: number;
  readonly used: number;
  readonly perMs: number;
  readonly resetsAt?: number;
}

/** The slots of one pool: how many calls hold one, and how many wait. */
export interface SlotState {
  readonly pool: string;
  readonly key?: string;
  readonly limit: number;
  readonly held: number;
  readonly waiting: number;
}

export interface SessionState {
  /** A digest; never the session's id. */
  readonly key: string;
  readonly revision: string;
  readonly client?: string;
  readonly subject?: string;
  readonly openedAt: number;
  readonly usedAt: number;
  readonly streams: number;
}

export interface StreamState {
  readonly kind: string;
  readonly client?: string;
  readonly subject?: string;
  readonly since: number;
}

export interface SubscriptionState {
  readonly what: string;
  readonly count: number;
}

export interface TaskState {
  readonly id: string;
  readonly tool?: string;
  readonly status: string;
  readonly owner?: string;
  readonly createdAt: number;
  readonly updatedAt?: number;
  readonly statusMessage?: string;
}

export interface StateApi {
  state(params: OnServer): Awaitable<ServerState>;
  endSession(params: OnServer & { readonly key: string }): Awaitable<Record<string, never>>;
  cancelRunningCall(params: OnServer & { readonly number: number }): Awaitable<Record<string, never>>;
  cancelTask(params: OnServer & { readonly id: string }): Awaitable<Record<string, never>>;
  retryTask(params: OnServer & { readonly id: string }): Awaitable<Record<string, never>>;
  /** Gives the callers of a key, or all, their points back. */
  resetLimits(params: OnServer & { readonly key?: string }): Awaitable<Record<string, never>>;
}
