import { type LeaseLimit, type ServerEvent, isServerEvent } from '@toolwright/core/ports';

/** The stores whose methods are asked for by name, with the methods that they have. */
export const askable = {
  claims: ['claim', 'release', 'has'],
  endedSessions: ['claim', 'release', 'has'],
  events: ['append', 'after', 'drop'],
  sessions: ['get', 'set', 'delete'],
  cache: ['get', 'set'],
  records: ['get', 'put', 'delete', 'list'],
} as const;

export type Askable = keyof typeof askable;

/** A window of a rate limit: the rule's points and milliseconds, and the key. */
export type WindowName = readonly [points: number, perMs: number, key: string];

/** What a worker asks for; `undefined` for what needs no answer. */
export type WorkerQuestion =
  | readonly [ask: 'store', store: Askable, method: string, args: readonly unknown[]]
  | readonly [ask: 'lease', limits: readonly LeaseLimit[]]
  /** `back` are points that the worker was granted in the window that began at `since`, and does not need. */
  | readonly [ask: 'points', window: WindowName, cost: number, since: number, back: number];

/** Points of a window. The worker has them until the window ends, or until it is asked to give them back. */
export interface PointsAnswer {
  readonly allowed: boolean;
  /** The points that are left, those granted to the worker included. */
  readonly remaining: number;
  /** When the window began, on the monotonic clock of the primary process. Among all processes, it names the window. */
  readonly since: number;
  /** How long ago the window began, in milliseconds. */
  readonly ageMs: number;
  readonly granted: number;
  /** True if no later answer of this window can have more points. */
  readonly isFinal: boolean;
}

/** What a worker tells the primary process. */
export type ToPrimary =
  | readonly [tell: 'ask', id: number, question: WorkerQuestion]
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

/** Others may send messages on the channel of a child process, too. This property tells ours apart. */
const OURS = 'toolwright';

/**
 * Sends what one turn of the event loop brings as one message of the system. A question alone costs both
 * processes 24 µs together; with 16 at once, each costs 5 µs (ADR 186).
 */
export class Mailbox<Message> {
  #waiting: Message[] = [];

  /** @param send takes an envelope; it is not called while nothing waits */
  constructor(private readonly send: (envelope: object) => void) {}

  post(message: Message): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) setImmediate(() => this.flush());
  }

  /** Sends what waits now. */
  flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length > 0) this.send({ [OURS]: messages });
  }
}

/** The messages in an envelope; none for what somebody else has sent. */
export function openEnvelope<Message>(envelope: unknown): readonly Message[] {
  const messages = (envelope as Record<string, unknown> | null | undefined)?.[OURS];
  return Array.isArray(messages) ? (messages as Message[]) : [];
}

/** Messages are JSON, which has no Infinity. "For ever" and "without a limit" become a number that nobody reaches. */
export function finite<T>(value: T): T {
  return (value === Infinity ? Number.MAX_SAFE_INTEGER / 2 : value) as T;
}

/**
 * How many milliseconds a call may wait for the primary process. It is always there, and late only while all
 * processors of the machine are busy, when calls wait anyway.
 */
export const PATIENCE_MS = 1_000;

/** The environment variable that tells a worker of ours from a worker of another cluster, such as that of PM2. */
export const WORKER_VARIABLE = 'TOOLWRIGHT_WORKER';

/**
 * A message of a worker, if it is one. A program may send anything on the channel of its process, and the primary
 * process must outlive all of it.
 */
export function readMessage(message: unknown): ToPrimary | undefined {
  return Array.isArray(message) && isMessage(message) ? (message as unknown as ToPrimary) : undefined;
}

function isMessage([tell, ...rest]: readonly unknown[]): boolean {
  const [first, second, third] = rest;
  switch (tell) {
    case 'hello':
    case 'alive':
    case 'leaving':
      return true;
    case 'ready':
      return first === null || typeof first === 'string';
    case 'ask':
      return isCount(first) && Array.isArray(second);
    case 'release':
      return isCount(first);
    case 'publish':
      return isServerEvent(first);
    case 'returned':
      return isWindow(first) && isCount(second) && isCount(third);
    default:
      return false;
  }
}

/** @throws {Error} when nobody could answer the question; the worker that asks gets it */
export function checkQuestion(question: readonly unknown[]): asserts question is WorkerQuestion {
  const [ask, first, second, third, fourth] = question;
  const isKnown =
    (ask === 'lease' && Array.isArray(first) && first.every(isLimit)) ||
    (ask === 'points' && isWindow(first) && isCount(second) && isCount(third) && isCount(fourth)) ||
    (ask === 'store' && isMethod(first, second) && Array.isArray(third));
  if (!isKnown) throw new Error('The primary process does not know such a question.');
}

/** Only these are called. Names such as `constructor` are properties of every object, too. */
function isMethod(store: unknown, method: unknown): boolean {
  if (typeof store !== 'string' || !Object.hasOwn(askable, store)) return false;
  return (askable[store as keyof typeof askable] as readonly unknown[]).includes(method);
}

function isWindow(value: unknown): value is WindowName {
  if (!Array.isArray(value)) return false;
  const [points, perMs, key] = value as unknown[];
  return isCount(points) && isCount(perMs) && typeof key === 'string';
}

function isLimit(value: unknown): value is LeaseLimit {
  const { key, max } = (value ?? {}) as Partial<Record<keyof LeaseLimit, unknown>>;
  return typeof key === 'string' && isCount(max);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
