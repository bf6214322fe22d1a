import { endsWithin } from '@toolwright/json';
import type { BackgroundMethod, BackgroundRun, TickOutcome } from '@toolwright/core/extend';
import type { Clock } from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';
import type { Ticks } from '@toolwright/manifest';

/** When a method runs. */
export interface ScheduleTimes {
  readonly cron: string;
  readonly timeZone: string;
  readonly ticks: Ticks;
  /** How late a run may begin, in milliseconds. */
  readonly catchUpMs: number;
}

/** A method that runs at certain times. */
export type Schedule = BackgroundMethod<ScheduleTimes>;

/** `taken`: another process has begun the run. `missed`: nobody could begin it in time. */
export type ScheduleOutcome = Exclude<TickOutcome, 'early'> | 'missed';

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
   * @param isLate the tick was due before this process looked; a late tick of a schedule that is new to the queue is not run
   */
  begin(schedule: Schedule, at: number, isLate: boolean): MaybePromise<TickOutcome>;
  /**
   * Waits for the runs of this process, and aborts the runs that are not over after `graceMs`.
   *
   * @returns false when it had to abort some
   */
  drain(graceMs: number): Promise<boolean>;
}

/** Runs schedules in this process. Other processes do not know of it. */
export class ProcessRuns implements ScheduleBackend {
  readonly remembers = false;
  readonly #running = new Map<string, BackgroundRun>();

  constructor(private readonly clock: Clock) {}

  begin(schedule: Schedule, at: number): TickOutcome {
    const { name } = schedule;
    if (this.#running.has(name)) return 'overlapping';
    const run = schedule.run(at);
    this.#running.set(name, run);
    void run.over.finally(() => this.#running.delete(name));
    return 'begun';
  }

  async drain(graceMs: number): Promise<boolean> {
    const over = () => Promise.all([...this.#running.values()].map((run) => run.over));
    if (await endsWithin(graceMs, this.clock, over())) return true;
    const reason = new DOMException('The server stops.', 'AbortError');
    for (const run of this.#running.values()) run.abort(reason);
    // An aborted run is answered at once, whether or not its method ends.
    await over();
    return false;
  }
}

/** Puts the runs of schedules on the task queue. Every process tries, and the queue takes one of each tick. */
export class QueuedRuns implements ScheduleBackend {
  readonly remembers = true;

  constructor(readonly now: ScheduleBackend['now']) {}

  begin(schedule: Schedule, at: number, isLate: boolean): MaybePromise<TickOutcome> {
    return schedule.enqueue({ at, isLate });
  }

  /** The runs are tasks, and the queue waits for them. */
  async drain(): Promise<boolean> {
    return true;
  }
}
