import type { BoundSchedule } from '../../call/operation/schedule.js';

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
