import { randomBytes, randomFillSync } from 'node:crypto';

/**
 * The source of time: two clocks. Tests pass their own instead of sleeping. A machine's wall clock can be set, also
 * backwards. It is for what is kept, shown, or shared with others, such as the expiry of a token. The monotonic clock is for
 * waits and durations within one process.
 */
export interface Clock {
  /** The wall clock, in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment. Nobody can set it back. Default: `now`. Read it with the function `monotonic`. */
  monotonic?(): number;
  /**
   * Calls `run` once, after `delayMs`, however long that is; never after `Infinity`. The returned function cancels it.
   * The timer must not keep the process alive.
   */
  after(delayMs: number, run: () => void): () => void;
}

/** The longest delay of a timer of JavaScript, in milliseconds: 24.8 days. A timer with a longer one ends at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(delayMs, run) {
    if (delayMs > LONGEST_TIMER_MS) return afterParts(delayMs, run);
    const timer: { unref?(): void } = setTimeout(run, delayMs);
    // On some runtimes a timer is a number. None of them waits for timers at its end.
    timer.unref?.();
    return () => clearTimeout(timer as NodeJS.Timeout);
  },
};

/** The time of a clock that nobody sets, in milliseconds since some moment. */
export function monotonic(clock: Pick<Clock, 'now' | 'monotonic'>): number {
  return clock.monotonic === undefined ? clock.now() : clock.monotonic();
}

/** What the wall clock shows for a moment of the monotonic clock. */
export function wallTime(clock: Clock, moment: number): number {
  return Math.round(clock.now() - (monotonic(clock) - moment));
}

/** Waits for longer than one timer can. */
function afterParts(delayMs: number, run: () => void): () => void {
  if (delayMs === Infinity) return () => undefined;
  let cancel = systemClock.after(LONGEST_TIMER_MS, () => {
    cancel = systemClock.after(delayMs - LONGEST_TIMER_MS, run);
  });
  return () => cancel();
}

/** The source of ids. Tests pass one that counts. */
export interface IdSource {
  /** A UUIDv7 (RFC 9562) for a time in milliseconds since the epoch. These ids sort by time. */
  uuid(time: number): string;
  /** A short random id that people can read to each other. It helps to find a line in the log. */
  reference(): string;
}

/**
 * How many ids get their random part at the same time. One by one, this would cost more than the whole rest
 * of a buffered audit record.
 */
const BATCH = 512;
/** How many random digits are drawn for an id. It uses 19 of them. */
const DIGITS = 20;

const pool = Buffer.allocUnsafe((BATCH * DIGITS) / 2);
let digits = '';
/** The first digit that no id has used yet. */
let unused = 0;
let stamp = { time: -1, text: '' };

/** Makes ids from the cryptographic random source of the machine. */
export const randomIds: IdSource = {
  uuid(time) {
    // Many ids are made within the same millisecond.
    if (stamp.time !== time) stamp = { time, text: stampOf(time) };
    return stamp.text + drawTail();
  },
  reference: () => randomBytes(5).toString('hex'),
};

function stampOf(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The part after the time: `-7xxx-yxxx-xxxxxxxxxxxx`, where y carries the two bits of the variant. */
function drawTail(): string {
  if (unused === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    unused = 0;
  }
  const at = unused;
  unused += DIGITS;
  const variant = '89ab'[Number.parseInt(digits[at]!, 16) % 4]!;
  return `-7${digits.slice(at + 1, at + 4)}-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`;
}
