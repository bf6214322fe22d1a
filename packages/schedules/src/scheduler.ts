import { type Clock, type Logger, monotonic } from '@toolwright/core/ports';
import type { Schedule, ScheduleBackend, ScheduleOutcome } from './schedule-backend.js';

/**
 * How long a timer runs at most, in milliseconds. A machine that slept, or whose clock was set, is noticed after that
 * time. Timers of Node.js also cannot run for longer than 24 days.
 */
const LONGEST_WAIT_MS = 60_000;
/** After how many milliseconds the backend is asked again when it did not answer. */
const RETRY_MS = 1_000;
/** A timer of the machine is that exact. */
const SHORTEST_WAIT_MS = 10;
/** A clock that goes back by less than this is corrected a little, and was not set. */
const SMALLEST_JUMP_MS = 1_000;

interface Entry {
  /** A server that changes while it runs replaces it. */
  schedule: Schedule;
  /** `undefined`: it is never due again. */
  next: number | undefined;
  /** A tick that the backend has not answered for yet. */
  open: { readonly at: number; readonly isLate: boolean } | undefined;
  /** What became of the last tick that this process knows of. */
  last: { readonly at: number; readonly outcome: ScheduleOutcome } | undefined;
}

/** A schedule as this process sees it. */
type ScheduleOutlook = Readonly<Pick<Entry, 'schedule' | 'next' | 'last'>>;

interface SchedulerPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backend: ScheduleBackend;
  /**
   * Counts what became of a moment at which a schedule was due.
   *
   * @param outcome `begun`, `overlapping` (left out, because the run before went on) or `missed`
   */
  countTick(schedule: string, outcome: ScheduleOutcome, by?: 0): void;
}

/** Looks at the clock, and begins what is due. */
export class Scheduler {
  #entries: readonly Entry[] = [];
  #stopTimer: (() => void) | undefined;
  #isOn = false;
  /** How far the clock that decides is ahead of this process's clock, in milliseconds. */
  #aheadMs = 0;
  #schedules: readonly Schedule[] = [];
  /** What both clocks showed when they were last read together. */
  #seen: { readonly time: number; readonly moment: number } | undefined;

  constructor(private readonly ports: SchedulerPorts) {}

  /** It does not wait for the clock of the backend. */
  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#withClocks(() => this.#follow());
  }

  /** Takes over the schedules as they are now. One that was there before keeps its next time. */
  follow(schedules: readonly Schedule[]): void {
    this.#schedules = schedules;
    this.#follow();
  }

  /** What this process runs, and when; nothing while it runs none. */
  outlook(): readonly ScheduleOutlook[] {
    return this.#isOn ? this.#entries : [];
  }

  /**
   * Begins nothing any more, and waits for the runs of this process.
   *
   * @returns false when some were aborted after `graceMs`
   */
  drain(graceMs: number): Promise<boolean> {
    this.#isOn = false;
    this.#stopTimer?.();
    return this.ports.backend.drain(graceMs);
  }

  #follow(): void {
    if (!this.#isOn) return;
    const before = new Map(this.#entries.map((entry) => [entry.schedule.name, entry]));
    this.#entries = this.#schedules.map((schedule) => {
      const known = before.get(schedule.name);
      if (!known || !isSameTime(known.schedule, schedule)) return this.#entryOf(schedule);
      known.schedule = schedule;
      return known;
    });
    this.#wait();
  }

  #entryOf(schedule: Schedule): Entry {
    const now = this.#now();
    const { ticks, catchUpMs } = schedule.data;
    for (const outcome of ['begun', 'overlapping', 'missed'] as const)
      this.ports.countTick(schedule.name, outcome, 0);
    const entry: Entry = { schedule, next: ticks.after(now), open: undefined, last: undefined };
    const last = this.ports.backend.remembers ? ticks.before(now + 1) : undefined;
    if (last !== undefined && last + catchUpMs >= now) this.#begin(entry, { at: last, isLate: true });
    return entry;
  }

  #wait(): void {
    this.#stopTimer?.();
    this.#followJump();
    const due = this.#entries.flatMap(({ next }) => (next === undefined ? [] : [next]));
    if (due.length === 0) return;
    const left = Math.max(0, Math.min(...due) - this.#now());
    this.#stopTimer = this.ports.clock.after(Math.min(left, LONGEST_WAIT_MS), () =>
      this.#withClocks(() => this.#look()),
    );
  }

  /** Does something when the clocks were compared: at once, if the backend answers at once. */
  #withClocks(act: () => void): void {
    const comparing = this.#compareClocks();
    if (comparing) void comparing.then(act);
    else act();
  }

  /** While the backend does not answer, the last difference is the best that is known. Never rejects. */
  #compareClocks(): Promise<void> | undefined {
    const { backend, clock } = this.ports;
    const before = clock.now();
    const take = (theirs: number): void => {
      // The answer is from somewhere between the question and now.
      this.#aheadMs = Math.round(theirs - (before + clock.now()) / 2);
    };
    try {
      const answer = backend.now?.();
      if (typeof answer === 'object') return answer.then(take, () => undefined);
      if (answer !== undefined) take(answer);
    } catch {
      // It is asked again before the next moment that is due.
    }
    return undefined;
  }

  #now(): number {
    return this.ports.clock.now() + this.#aheadMs;
  }

  #look(): void {
    if (!this.#isOn) return;
    const now = this.#now();
    for (const entry of this.#entries) {
      // Timers of the machine may fire a little early.
      if (entry.next === undefined || entry.next > now) continue;
      const { ticks, catchUpMs } = entry.schedule.data;
      // After a pause of the process several ticks may have passed. Only the last one counts.
      const at = Math.max(entry.next, ticks.before(now + 1) ?? 0);
      if (at > entry.next) this.#tell(entry, entry.next, 'missed');
      entry.next = ticks.after(now);
      if (at + catchUpMs < now) this.#tell(entry, at, 'missed');
      else this.#begin(entry, { at, isLate: false });
    }
    this.#wait();
  }

  /**
   * When the clock was set back, what comes more often than that long goes on by the new time, as with cron. A moment of a
   * rarer schedule that has passed does not come again.
   */
  #followJump(): void {
    const now = this.#now();
    const moment = monotonic(this.ports.clock);
    const backMs = this.#seen ? moment - this.#seen.moment - (now - this.#seen.time) : 0;
    this.#seen = { time: now, moment };
    if (backMs < SMALLEST_JUMP_MS) return;
    for (const entry of this.#entries) {
      const { ticks } = entry.schedule.data;
      const next = ticks.after(now);
      if (next === undefined || entry.next === undefined || next >= entry.next) continue;
      const following = ticks.after(next);
      if (following !== undefined && following - next <= backMs) entry.next = next;
    }
  }

  #begin(entry: Entry, tick: NonNullable<Entry['open']>): void {
    entry.open = tick;
    void this.#ask(entry, tick);
  }

  async #ask(entry: Entry, tick: NonNullable<Entry['open']>): Promise<void> {
    const { schedule } = entry;
    const { logger, backend } = this.ports;
    try {
      const outcome = await backend.begin(schedule, tick.at, tick.isLate);
      if (outcome === 'early') return await this.#askLater(entry, tick);
      this.#tell(entry, tick.at, outcome);
    } catch (error) {
      // Its turn has passed: the next tick is asked for.
      if (entry.open !== tick) return this.#tell(entry, tick.at, 'missed');
      const isOver = tick.at + schedule.data.catchUpMs < this.#now() + RETRY_MS;
      if (isOver || !this.#isOn) {
        logger.error({ err: error, schedule: schedule.name }, 'A schedule could not begin its run');
        return this.#tell(entry, tick.at, 'missed');
      }
      this.ports.clock.after(RETRY_MS, () => void this.#ask(entry, tick));
    }
  }

  /** This process's clock is ahead of the one that decides, or was set. */
  async #askLater(entry: Entry, tick: NonNullable<Entry['open']>): Promise<void> {
    await this.#compareClocks();
    if (entry.open !== tick || !this.#isOn) return;
    const left = Math.max(SHORTEST_WAIT_MS, tick.at - this.#now());
    this.ports.clock.after(Math.min(left, LONGEST_WAIT_MS), () => void this.#ask(entry, tick));
  }

  #tell(entry: Entry, at: number, outcome: ScheduleOutcome): void {
    const { logger, countTick } = this.ports;
    const { name } = entry.schedule;
    if (!entry.last || at >= entry.last.at) entry.last = { at, outcome };
    // Another process has it, and tells.
    if (outcome === 'taken') return;
    countTick(name, outcome);
    const about = { schedule: name, due: new Date(at).toISOString() };
    if (outcome === 'overlapping')
      logger.warn(about, 'A scheduled run was left out, because the one before it still goes on');
    if (outcome === 'missed')
      logger.warn(about, 'A scheduled run was left out, because nobody could begin it in time');
  }
}

function isSameTime({ data: one }: Schedule, { data: other }: Schedule): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone;
}
