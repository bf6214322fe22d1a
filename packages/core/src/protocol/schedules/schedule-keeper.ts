import type { MaybePromise } from '../../base/maybe-promise.js';
import type { BoundSchedule } from '../../call/operation/schedule.js';
import type { TickOutcome } from '../../ports/task-queue.js';

/** Decides whether a schedule that is due begins a run, and begins it. */
export interface ScheduleKeeper {
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
