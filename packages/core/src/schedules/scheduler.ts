import { type MaybePromise, after } from '../base/maybe-promise.js';
import type { BoundSchedule } from '../call/operation/schedule.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { BootContext } from '../ports/boot-context.js';
import type { Clock } from '../ports/clock-and-ids.js';
import type { TickOutcome } from '../ports/task-queue.js';
import type { ProtocolHost } from '../requests/engine.js';

/**
 * How long a timer runs at most, in milliseconds. A machine that slept, or whose clock was set, is noticed after that
 * time. Timers of Node.js also cannot run for longer than 24 days.
 */
const LONGEST_WAIT_MS = 60_000;
/** When the keeper did not answer, it is asked again after so many milliseconds. */
const RETRY_MS = 1_000;
/** A timer of the machine is that exact. */
const SHORTEST_WAIT_MS = 10;

interface Entry {
  /** A server that changes while it runs replaces it. */
  schedule: BoundSchedule;
  /** `undefined`: it is never due again. */
  next: number | undefined;
  /** A tick that the keeper has not answered for yet. */
  open: { readonly at: number; readonly isLate: boolean } | undefined;
  /** What became of the last tick that this process knows of. */
  last: { readonly at: number; readonly outcome: ScheduleOutcome } | undefined;
}

/** `taken`: another process has begun the run. `missed`: nobody could begin it in time. */
export type ScheduleOutcome = Exclude<TickOutcome, 'early'> | 'missed';

/** A schedule as this process sees it. */
type ScheduleOutlook = Readonly<Pick<Entry, 'schedule' | 'next' | 'last'>>;

/** A server with methods that run by a schedule. */
export interface ScheduledHost extends ProtocolHost {
  readonly schedules: ScheduleTable;
}

interface SchedulerPorts {
  readonly host: Pick<ProtocolHost, 'clock' | 'logger'> & { readonly schedules: ScheduleTable };
  readonly telemetry: Pick<Telemetry, 'countTick'>;
  readonly keeper: ScheduleBackend;
  /** Runs begin in it, whoever has changed the schedules. */
  readonly boot: BootContext;
}

/** Looks at the clock, and begins what is due. */
export class Scheduler {
  #entries: readonly Entry[] = [];
  #stopTimer: (() => void) | undefined;
  #isOn = false;
  /** How far the clock that decides is ahead of this process's clock, in milliseconds. */
  #aheadMs = 0;
  readonly #clock: Clock;

  constructor(private readonly ports: SchedulerPorts) {
    this.#clock = ports.boot.clock(ports.host.clock);
  }

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    const { schedules } = this.ports.host;
    const { boot } = this.ports;
    schedules.onChange = boot.bind(() => this.#follow());
    boot.run(() => {
      void after(
        () => this.#compareClocks(),
        () => this.#follow(),
      );
    });
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
    return this.ports.keeper.drain(graceMs);
  }

  /** Takes over the schedules as they are now. One that was there before keeps its next time. */
  #follow(): void {
    if (!this.#isOn) return;
    const before = new Map(this.#entries.map((entry) => [entry.schedule.name, entry]));
    this.#entries = this.ports.host.schedules.list().map((schedule) => {
      const known = before.get(schedule.name);
      if (!known || !isSameTime(known.schedule, schedule)) return this.#entryOf(schedule);
      known.schedule = schedule;
      return known;
    });
    this.#wait();
  }

  #entryOf(schedule: BoundSchedule): Entry {
    const now = this.#now();
    const { ticks, catchUpMs } = schedule;
    const entry: Entry = { schedule, next: ticks.after(now), open: undefined, last: undefined };
    const last = this.ports.keeper.remembers ? ticks.before(now + 1) : undefined;
    if (last !== undefined && last + catchUpMs >= now) this.#begin(entry, { at: last, isLate: true });
    return entry;
  }

  #wait(): void {
    this.#stopTimer?.();
    const due = this.#entries.flatMap(({ next }) => (next === undefined ? [] : [next]));
    if (due.length === 0) return;
    const left = Math.max(0, Math.min(...due) - this.#now());
    this.#stopTimer = this.#clock.after(Math.min(left, LONGEST_WAIT_MS), () => void this.#wake());
  }

  #wake(): MaybePromise<void> {
    return after(
      () => this.#compareClocks(),
      () => {
        if (this.#isOn) this.#look();
      },
    );
  }

  /** While the keeper does not answer, the last difference is the best that is known. Never rejects. */
  #compareClocks(): MaybePromise<void> {
    const { keeper, host } = this.ports;
    const before = host.clock.now();
    return after(
      () => keeper.now?.(),
      (theirs) => {
        // The answer is from somewhere between the question and now.
        if (theirs !== undefined) this.#aheadMs = Math.round(theirs - (before + host.clock.now()) / 2);
      },
      () => undefined,
    );
  }

  #now(): number {
    return this.ports.host.clock.now() + this.#aheadMs;
  }

  #look(): void {
    const now = this.#now();
    for (const entry of this.#entries) {
      // Timers of the machine may fire a little early.
      if (entry.next === undefined || entry.next > now) continue;
      const { ticks, catchUpMs } = entry.schedule;
      // After a pause of the process several ticks may have passed. Only the last one counts.
      const at = Math.max(entry.next, ticks.before(now + 1) ?? 0);
      if (at > entry.next) this.#tell(entry, entry.next, 'missed');
      entry.next = ticks.after(now);
      if (at + catchUpMs < now) this.#tell(entry, at, 'missed');
      else this.#begin(entry, { at, isLate: false });
    }
    this.#wait();
  }

  #begin(entry: Entry, tick: NonNullable<Entry['open']>): void {
    entry.open = tick;
    void this.#ask(entry, tick);
  }

  async #ask(entry: Entry, tick: NonNullable<Entry['open']>): Promise<void> {
    const { schedule } = entry;
    const { host, keeper } = this.ports;
    try {
      const outcome = await keeper.begin(schedule, tick.at, tick.isLate);
      if (outcome === 'early') return await this.#askLater(entry, tick);
      this.#tell(entry, tick.at, outcome);
    } catch (error) {
      // Its turn has passed: the next tick is asked for.
      if (entry.open !== tick) return this.#tell(entry, tick.at, 'missed');
      const isOver = tick.at + schedule.catchUpMs < this.#now() + RETRY_MS;
      if (isOver || !this.#isOn) {
        host.logger.error({ err: error, schedule: schedule.name }, 'A schedule could not begin its run');
        return this.#tell(entry, tick.at, 'missed');
      }
      this.#clock.after(RETRY_MS, () => void this.#ask(entry, tick));
    }
  }

  /** This process's clock is ahead of the one that decides, or was set. */
  async #askLater(entry: Entry, tick: NonNullable<Entry['open']>): Promise<void> {
    await this.#compareClocks();
    if (entry.open !== tick || !this.#isOn) return;
    const left = Math.max(SHORTEST_WAIT_MS, tick.at - this.#now());
    this.#clock.after(Math.min(left, LONGEST_WAIT_MS), () => void this.#ask(entry, tick));
  }

  #tell(entry: Entry, at: number, outcome: ScheduleOutcome): void {
    const { host, telemetry } = this.ports;
    const { name } = entry.schedule;
    if (!entry.last || at >= entry.last.at) entry.last = { at, outcome };
    // Another process has it, and tells.
    if (outcome === 'taken') return;
    telemetry.countTick(name, outcome);
    const about = { schedule: name, due: new Date(at).toISOString() };
    if (outcome === 'overlapping')
      host.logger.warn(about, 'A scheduled run was left out, because the one before it still goes on');
    if (outcome === 'missed')
      host.logger.warn(about, 'A scheduled run was left out, because nobody could begin it in time');
  }
}

function isSameTime(one: BoundSchedule, other: BoundSchedule): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone;
}

/** Decides whether a schedule that is due begins a run, and begins it. */
export interface ScheduleBackend {
  /**
   * True when somebody remembers what ran, so that a tick from before this process can be made up.
   */
  readonly remembers: boolean;
  /** The time that decides, in milliseconds since the epoch, if it is not the clock of this process. */
  readonly now?: (() => MaybePromise<number>) | undefined;
  /**
   * Begins the run of a tick, if nobody has. It does not wait for the run.
   *
   * @param isLate the tick was due before this process looked; a schedule that nobody knows yet has no such ticks
   */
  begin(schedule: BoundSchedule, at: number, isLate: boolean): MaybePromise<TickOutcome>;
  /**
   * Waits for the runs of this process, and aborts those that are not over after `graceMs`.
   *
   * @returns false when it had to abort some
   */
  drain(graceMs: number): Promise<boolean>;
}

/** The schedules of a server. They change with its services. */
export class ScheduleTable {
  #schedules: ReadonlyMap<string, BoundSchedule> = new Map();
  /** Is called after a change. */
  onChange: () => void = () => undefined;

  get(name: string): BoundSchedule | undefined {
    return this.#schedules.get(name);
  }

  list(): readonly BoundSchedule[] {
    return [...this.#schedules.values()];
  }

  set(schedules: readonly BoundSchedule[]): void {
    this.#schedules = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    this.onChange();
  }
}
