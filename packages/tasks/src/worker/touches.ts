import { type Clock, monotonic } from '@toolwright/core/ports';
import type { StatementThread } from '@toolwright/postgres/database';
import { type HandedOut, heldKeys, heldValues, type JobEngine, keyOf } from '../engine/job-engine.js';

/** How often a process says that it is at work. No run counts as lost in less than 10 seconds. */
export const TOUCH_MS = 3_000;

/** Postgres has answered at which of the asked runs this process still is. Both are keys of runs. */
export interface Touch {
  readonly asked: ReadonlySet<string>;
  readonly held: ReadonlySet<string>;
  /** When it was asked, by the monotonic clock. */
  readonly at: number;
}

interface TouchSettings {
  readonly clock: Clock;
  readonly engine: () => JobEngine;
  readonly thread: StatementThread | undefined;
}

/**
 * Says again and again that this process is at work on its runs. A thread says so, because a task may block the event loop for
 * longer than it takes until a run counts as lost. Where there is no thread, the event loop says so.
 */
export class Touches {
  #asked = '';
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly settings: TouchSettings,
    private readonly runs: { of(): HandedOut[]; heard(touch: Touch): void },
  ) {}

  /** Tells the thread what this process is at work on now. */
  tell(): void {
    const { thread } = this.settings;
    if (!thread) return;
    const runs = this.runs.of();
    const asked = runs.map(keyOf).join();
    if (asked === this.#asked) return;
    this.#asked = asked;
    thread.ask(runs.length > 0 ? heldValues(runs) : undefined);
  }

  /** Takes what the thread has heard meanwhile. */
  hear(): void {
    const { thread, clock } = this.settings;
    for (const { values, rows, ageMs } of thread?.answers() ?? []) {
      this.#heardAt = monotonic(clock) - ageMs;
      const [jobs, numbers] = values as ReturnType<typeof heldValues>;
      const asked = new Set(jobs.map((jobId, index) => keyOf({ jobId, number: numbers[index]! })));
      this.runs.heard({ asked, held: heldKeys(rows), at: this.#heardAt });
    }
  }

  /** Says it on the event loop, while no thread has said it lately. */
  async renew(): Promise<void> {
    const { clock, engine } = this.settings;
    this.hear();
    const runs = this.runs.of();
    const at = monotonic(clock);
    if (at - this.#heardAt < 2 * TOUCH_MS || runs.length === 0) return;
    const held = await engine().touch(runs);
    this.runs.heard({ asked: new Set(runs.map(keyOf)), held, at });
  }

  stop(): void {
    void this.settings.thread?.stop();
  }
}
