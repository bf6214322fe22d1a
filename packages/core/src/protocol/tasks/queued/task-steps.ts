import { hash } from 'node:crypto';
import type { StepAttempt } from '../../../base/request-context.js';
import { UnknownStepError } from '../../../base/errors/specific-errors.js';
import { idempotencyKeyName } from '../../../call/context/rounds.js';
import type { WorkLease } from '../../../ports/task-queue.js';

/** What is stored about a step that has ended. A step that threw did not give a value, and may run again. */
type StoredStep = { value?: unknown } | { threw: true };

export interface StepsOfRun {
  readonly lease: Pick<WorkLease, 'taskId' | 'origin' | 'steps' | 'beginStep' | 'endStep'>;
  /** What the call remembered before it became a task. */
  recall(key: string): { value: unknown } | undefined;
  /** The run is lost. @returns what the method is stopped with */
  lost(): unknown;
}

/**
 * The steps (`once`) of one run. A result is stored before the method goes on, so the next run continues behind
 * it. A crash between the effect of a step and its record cannot be ruled out; the next run is told.
 */
export class TaskSteps {
  /** The steps of this run, finished or not. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** The steps that this run has begun. What earlier runs left of them no longer counts. */
  readonly #begun = new Set<string>();

  constructor(private readonly run: StepsOfRun) {}

  /** @param mayRerun the step runs again when an earlier run began it, and nobody knows whether it took effect */
  step<T>(key: string, work: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    let running = this.#running.get(key);
    if (!running) {
      running = this.#step(key, work, mayRerun);
      this.#running.set(key, running);
      running.catch(() => this.#running.delete(key));
    }
    return running as Promise<T>;
  }

  async #step<T>(key: string, work: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    const { lease, lost } = this.run;
    const attempted = lease.steps.has(key);
    if (attempted && !this.#begun.has(key)) {
      const text = lease.steps.get(key);
      const earlier = text === undefined ? undefined : (JSON.parse(text) as StoredStep);
      if (earlier && !('threw' in earlier)) return earlier.value as T;
      if (!earlier && !mayRerun) throw new UnknownStepError(key);
    }
    if (!(await lease.beginStep(key))) throw lost();
    this.#begun.add(key);
    const value = await this.#attempt(key, () =>
      work({ attempted, idempotencyKey: this.#idempotencyKey(key) }),
    );
    if (!(await lease.endStep(key, JSON.stringify({ value } satisfies StoredStep)))) throw lost();
    return value;
  }

  async #attempt<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The author's code knows what its error means. A next run is told that there was an attempt. If that
      // cannot be stored, the next run only knows that the step has begun.
      const threw = JSON.stringify({ threw: true } satisfies StoredStep);
      await Promise.resolve(this.run.lease.endStep(key, threw)).catch(() => false);
      throw error;
    }
  }

  #idempotencyKey(key: string): string {
    const earlier = this.run.recall(idempotencyKeyName(key))?.value;
    const { origin, taskId } = this.run.lease;
    return typeof earlier === 'string' ? earlier : hash('sha256', `${origin ?? taskId} ${key}`, 'hex');
  }
}
