import type { LeaseLimit, ServerEvent } from '@toolwright/core';

/** The stores whose methods are asked for by name, with the methods that they have. */
export const askable = {
  claims: ['claim', 'release', 'has'],
  endedSessions: ['claim', 'release', 'has'],
  events: ['append', 'after', 'drop'],
  sessions: ['get', 'set', 'delete'],
  cache: ['get', 'set'],
} as const;

export type Askable = keyof typeof askable;

/** A window of a rate limit: the rule's points and milliseconds, and the key. */
export type WindowName = readonly [points: number, perMs: number, key: string];

/** What a worker asks for; `undefined` for what needs no answer. */
export type Question =
  | readonly [ask: 'store', store: Askable, method: string, args: readonly unknown[]]
  | readonly [ask: 'lease', limits: readonly LeaseLimit[]]
  /** `back` are points that the worker was granted in the window that began at `since`, and does not need. */
  | readonly [ask: 'points', window: WindowName, cost: number, since: number, back: number];

/** Points of a window. The worker has them until the window ends, or until it is told to give them back. */
export interface PointsAnswer {
  readonly allowed: boolean;
  /** The points that are left, those granted to the worker included. */
  readonly remaining: number;
  /** When the window began, in milliseconds since the epoch. */
  readonly since: number;
  readonly granted: number;
  /** True if no later answer of this window can have more points. */
  readonly isFinal: boolean;
}

/** What a worker tells the primary process. */
export type ToPrimary =
  | readonly [tell: 'ask', id: number, question: Question]
  | readonly [tell: 'release', lease: number]
  | readonly [tell: 'publish', event: ServerEvent]
  | readonly [tell: 'returned', window: WindowName, since: number, points: number]
  | readonly [tell: 'hello']
  /** The answer to `beat`. */
  | readonly [tell: 'alive']
  /** It drains because of a signal of its own, so others should get the new connections. */
  | readonly [tell: 'leaving']
  | readonly [tell: 'ready', url: string | null];

/** How a worker begins. */
export interface WorkerOrders {
  readonly number: number;
  /** What all workers of this primary process seal with. */
  readonly secret: string;
}

/** How many workers there should be, and how many of them serve. */
export interface PoolState {
  readonly wanted: number;
  readonly serving: number;
}

/** What the primary process tells a worker. */
export type ToWorker =
  | readonly [tell: 'begin', orders: WorkerOrders]
  | readonly [tell: 'answer', id: number, value?: unknown]
  | readonly [tell: 'fault', id: number, message: string]
  | readonly [tell: 'event', event: ServerEvent]
  | readonly [tell: 'giveBack', window: WindowName, since: number]
  | readonly [tell: 'pool', state: PoolState]
  /** Asks whether the event loop of the worker turns. */
  | readonly [tell: 'beat']
  | readonly [tell: 'stop'];
