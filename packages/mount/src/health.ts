import { type Clock, monotonic, wallTime } from '@toolwright/core/ports';
import { growingPause } from '@toolwright/json';
import { BUDGET } from './budget.js';
import { MountError } from './errors.js';

export type HealthState = 'connecting' | 'up' | 'down' | 'closed';

/** What is tried again and again while a server behind is away. */
interface HealthHost {
  readonly name: string;
  readonly clock: Clock;
  /** Connects and reads the lists. */
  open(): Promise<void>;
  changed(state: HealthState, error: unknown): void;
}

const PAUSE = { firstMs: 50, longestMs: 30_000 };
/** While calls wait, it is tried often. */
const SHORT_PAUSE = { firstMs: 50, longestMs: 200 };
const MOST_FLAPS = BUDGET.flaps;
/** A server that restarts is back within this time, so calls wait for it. After it, they are refused at once. */
const PATIENCE_MS = 5_000;

/**
 * Whether a server behind can be reached. While it is away, it is tried again with growing pauses. Calls wait for a short
 * outage. In a long one, they are refused at once, so that nobody waits for a server that is gone.
 */
export class Health {
  state: HealthState = 'connecting';
  error: unknown;
  /** Since when it has its state. */
  since: number;
  /** When it is tried next, on the monotonic clock; `undefined` while it is up, and while it is being tried. */
  #retryAt: number | undefined;
  #failures = 0;
  /** How often it went away soon after it had come. */
  #flaps = 0;
  #cancelRetry: (() => void) | undefined;
  #isTrying = false;
  /** Why it is away, as the host heard it last. */
  #said: string | undefined;
  /** Since when it has its state, and is away, by the monotonic clock. */
  #stateSince: number;
  #downSince: number;
  readonly #waiting = new Set<(error?: Error) => void>();

  constructor(private readonly host: HealthHost) {
    this.since = host.clock.now();
    this.#stateSince = this.#downSince = monotonic(host.clock);
  }

  /** Tries once. Resolves when that has succeeded or failed; the next attempts follow by themselves. */
  start(): Promise<void> {
    return this.#try();
  }

  /** When it is tried next; `undefined` while it is up, and while it is being tried. */
  get retryAt(): number | undefined {
    return this.#retryAt === undefined ? undefined : wallTime(this.host.clock, this.#retryAt);
  }

  /** Something has shown that the server is away. */
  lost(error: unknown): void {
    if (this.state !== 'up') return;
    const now = monotonic(this.host.clock);
    const hasLasted = now - this.#stateSince >= BUDGET.stableMs;
    this.#flaps = hasLasted ? 0 : this.#flaps + 1;
    this.#downSince = now;
    this.#set('down', error);
    // A server that lets itself be reached and goes away at once, again and again, would be all that we do.
    if (this.#flaps <= MOST_FLAPS) void this.#try();
    else this.#retryAfter(growingPause(this.#flaps - MOST_FLAPS, PAUSE));
  }

  /** Tries at once, because somebody asks for it. */
  retry(): Promise<void> {
    this.#cancelRetry?.();
    this.#failures = 0;
    if (this.state === 'up') this.#set('down', undefined);
    return this.#try();
  }

  /**
   * Resolves when the server can be reached.
   *
   * @throws {MountError} when the outage is long, or the signal is aborted
   */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.state === 'up') return;
    const left = this.#downSince + PATIENCE_MS - monotonic(this.host.clock);
    if (this.state === 'closed' || left <= 0) throw this.away();
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error) => {
        this.#waiting.delete(settle);
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
        if (error) reject(error);
        else resolve();
      };
      const onAbort = () => settle(signal.reason as Error);
      const cancelTimer = this.host.clock.after(left, () => settle(this.away()));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(settle);
    });
  }

  close(): void {
    this.#cancelRetry?.();
    this.#set('closed', undefined);
    for (const settle of [...this.#waiting]) settle(this.away());
  }

  /** What a caller learns. The cause is for the log alone. */
  away(): MountError {
    const leftMs = (this.#retryAt ?? NaN) - monotonic(this.host.clock);
    const pause = Math.max(1, Math.ceil(leftMs / 1_000));
    const advice = Number.isNaN(pause) ? '' : ` It is tried again in ${pause} s.`;
    return new MountError(
      'TW_MOUNT_DOWN',
      `The server behind this tool ("${this.host.name}") cannot be reached.${advice}`,
      { cause: this.error, retryable: true },
    );
  }

  async #try(): Promise<void> {
    if (this.#isTrying || this.state === 'closed') return;
    this.#isTrying = true;
    this.#retryAt = undefined;
    try {
      await this.host.open();
      this.#failures = 0;
      if (!this.#isClosed) this.#set('up', undefined);
    } catch (error) {
      if (!this.#isClosed) this.#failed(error);
    } finally {
      this.#isTrying = false;
    }
    if (this.state !== 'up') return;
    for (const settle of [...this.#waiting]) settle();
  }

  get #isClosed(): boolean {
    return this.state === 'closed';
  }

  #failed(error: unknown): void {
    const isShort = monotonic(this.host.clock) - this.#downSince < PATIENCE_MS;
    // Without a little chance in it, all mounts of a host that restarts would come back in the same moment.
    this.#retryAfter(growingPause(this.#failures++, isShort ? SHORT_PAUSE : PAUSE, Math.random()));
    this.#set('down', error);
  }

  #retryAfter(delay: number): void {
    this.#retryAt = monotonic(this.host.clock) + delay;
    this.#cancelRetry = this.host.clock.after(delay, () => void this.#try());
  }

  #set(state: HealthState, error: unknown): void {
    const isNew = state !== this.state;
    this.error = error;
    if (isNew) {
      this.state = state;
      this.since = this.host.clock.now();
      this.#stateSince = monotonic(this.host.clock);
    }
    // A server that stays away is tried for ever. The host hears each reason once.
    const reason = (error as Error | undefined)?.message;
    const isSaid = !isNew && reason === this.#said;
    this.#said = reason;
    if ((isNew || error !== undefined) && !isSaid) this.host.changed(state, error);
  }
}
