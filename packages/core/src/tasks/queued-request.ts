import { UnknownStepError } from '@toolwright/ground/base/errors/errors';
import type {
  Era,
  AskMode,
  ClientInput,
  ClientMethod,
  StepAttempt,
} from '@toolwright/ground/base/request-context';
import { InputPending, idempotencyKeyName } from '@toolwright/ground/call/context/rounds';
import { type Clock, monotonic } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { Features } from '@toolwright/wire/revision-record';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  readAnswer,
  requiredCapabilities,
} from '../requests/client-questions.js';
import type { RunOfJob } from './background-methods.js';
import { JobRequest, runId } from './background-request.js';
import type { JobLease, TaskJob } from './task-carrier.js';
import { fromKept, getOrMake, toKept } from '@toolwright/json';
import { hash } from 'node:crypto';
import { progressNote, TASK_PROGRESS } from '../requests/derived-request.js';

/** The request of a run on a queue, made from the task's job. */
export class QueuedRequest extends JobRequest {
  readonly progressToken = TASK_PROGRESS;
  readonly isQueued = true;
  readonly input: QueuedInput;
  readonly notes: NoteThrottle;

  constructor(
    run: Omit<QueuedRunOfJob, 'lost'>,
    { era, clock, logger }: { readonly era: Era; readonly clock: Clock; readonly logger: Logger },
  ) {
    const { job, lease, background } = run;
    const { taskId, tool: name } = job;
    const id = background ? runId(name, background.at) : taskId;
    // Nobody gets the log messages of a task. Those of a background method go to the log of the server.
    const logLevel = background && 'debug';
    super({ ...job, id, era, logLevel, ip: job.ip }, background && { ...background, name, logger });
    this.input = new QueuedInput({ ...run, lost: () => this.lose() });
    // A note that cannot be stored is followed by others.
    const write = (text: string) => void (async () => lease.note(text))().then(undefined, () => undefined);
    this.notes = new NoteThrottle(clock, write);
  }

  /** Stops the method, because another run has taken its place. */
  lose(): unknown {
    this.cancel(new DOMException('Another run of this task has taken its place.', 'AbortError'));
    return this.cancellation.reason;
  }

  override notify(method: string, params: Record<string, unknown>): void {
    super.notify(method, params);
    if (method === 'notifications/progress') this.notes.note(progressNote(params));
  }
}

/** The least time between two notes of a task. */
const PAUSE_MS = 1_000;

/**
 * Writes at most one note a second. A newer note replaces one that waits: each of them is a write to a database,
 * and clients see only the last one.
 */
class NoteThrottle {
  #readyAt = Number.NEGATIVE_INFINITY;
  #held: string | undefined;
  #cancelTimer: (() => void) | undefined;
  #isOver = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'after'>,
    private readonly write: (note: string) => void,
  ) {}

  note(text: string): void {
    if (this.#isOver) return;
    const wait = this.#readyAt - monotonic(this.clock);
    if (wait <= 0) return this.#write(text);
    this.#held = text;
    this.#cancelTimer ??= this.clock.after(wait, () => this.#writeHeld());
  }

  /** Drops what waits: what follows says more about the task. */
  end(): void {
    this.#isOver = true;
    this.#cancelTimer?.();
    this.#held = undefined;
  }

  /** Writes what waits. */
  flush(): void {
    this.#cancelTimer?.();
    this.#writeHeld();
  }

  #writeHeld(): void {
    this.#cancelTimer = undefined;
    const text = this.#held;
    this.#held = undefined;
    if (text !== undefined) this.#write(text);
  }

  #write(text: string): void {
    this.#readyAt = monotonic(this.clock) + PAUSE_MS;
    this.write(text);
  }
}

export interface QueuedRunOfJob {
  readonly job: TaskJob;
  readonly lease: JobLease;
  readonly features: Features;
  /** Present if nobody has called. */
  readonly background: RunOfJob | undefined;
  /** The run is lost. @returns what the method is stopped with */
  lost(): unknown;
}

/**
 * The questions and steps (`once`) of one run on a queue. A question without an answer ends the run, and the method runs
 * again from its start when the answer is there: nobody waits for a person.
 *
 * The result of a step is stored before the method goes on, so the next run continues behind it. A crash between the effect
 * of a step and its record cannot be ruled out; the next run learns of it.
 */
export class QueuedInput implements ClientInput {
  /** The call was charged, and its intent recorded, before it became a task. A background method has no call before. */
  readonly resumed: boolean;
  readonly paid = true;
  readonly pending = new Map<string, { method: ClientMethod; params: JsonObject }>();
  readonly #memories: Map<string, unknown>;
  /** The steps of this run, finished or not. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** The steps that this run has begun. What earlier runs left of them no longer counts. */
  readonly #begun = new Set<string>();

  constructor(private readonly run: QueuedRunOfJob) {
    this.resumed = run.background === undefined;
    this.#memories = new Map(Object.entries(run.job.memories));
  }

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    const { job, features } = this.run;
    return declares(job.client.capabilities, capabilitiesOf(method, mode), features);
  }

  ask(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const { job, lease, features } = this.run;
    const required = requiredCapabilities(method, params);
    if (!declares(job.client.capabilities, required, features))
      return Promise.reject(missingCapability(required));
    if (Object.hasOwn(job.answers, key)) return Promise.resolve(job.answers[key] as JsonObject);
    for (let time = 1; ; time++) {
      const wireKey = wireKeyOf(key, time);
      if (!Object.hasOwn(lease.answers, wireKey)) {
        this.pending.set(wireKey, { method, params });
        return Promise.reject(new InputPending(key));
      }
      const answer = readAnswer(method, params, lease.answers[wireKey]);
      if (answer) return Promise.resolve(answer);
    }
  }

  /** Also what earlier runs have stored as steps. */
  recall(key: string): { value: unknown } | undefined {
    if (this.#memories.has(key)) return { value: this.#memories.get(key) };
    const step = this.#storedStep(key);
    return step && { value: fromKept(step.value) };
  }

  remember(key: string, value: unknown): void {
    this.#memories.set(key, value);
  }

  /** @param mayRerun the step runs again when an earlier run began it, and nobody knows whether it took effect */
  step<T>(key: string, work: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    return getOrMake(this.#running, key, () => {
      const running = this.#step(key, work, mayRerun);
      running.catch(() => this.#running.delete(key));
      return running;
    }) as Promise<T>;
  }

  async #step<T>(key: string, work: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    const { lease } = this.run;
    const attempted = lease.steps.has(key);
    if (attempted && !this.#begun.has(key)) {
      const earlier = this.#storedStep(key);
      if (earlier) return fromKept(earlier.value) as T;
      if (!mayRerun && lease.steps.get(key) === undefined) throw new UnknownStepError(key);
    }
    if (!(await lease.beginStep(key))) throw this.run.lost();
    this.#begun.add(key);
    const value = await this.#attempt(key, () =>
      work({ attempted, idempotencyKey: this.#idempotencyKey(key) }),
    );
    if (!(await lease.endStep(key, JSON.stringify({ value: toKept(value) } satisfies StoredStep))))
      throw this.run.lost();
    return value;
  }

  async #attempt<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The author's code knows what its error means. The next run learns that there was an attempt. If that cannot
      // be stored, the next run only knows that the step has begun.
      const threw = JSON.stringify({ threw: true } satisfies StoredStep);
      await Promise.resolve(this.run.lease.endStep(key, threw)).catch(() => false);
      throw error;
    }
  }

  /** The step, if an earlier run has ended it. */
  #storedStep(key: string): { value?: unknown } | undefined {
    const text = this.run.lease.steps.get(key);
    const earlier = text === undefined ? undefined : (JSON.parse(text) as StoredStep);
    return earlier && 'threw' in earlier ? undefined : earlier;
  }

  #idempotencyKey(key: string): string {
    const earlier = this.recall(idempotencyKeyName(key))?.value;
    const { origin, taskId } = this.run.lease;
    return typeof earlier === 'string' ? earlier : hash('sha256', `${origin ?? taskId} ${key}`, 'hex');
  }
}

/**
 * The key of a question in messages. A question whose answer did not fit is asked again under a new key, because
 * clients skip keys that they know. No key of a tool looks like the second key of another.
 */
function wireKeyOf(key: string, time: number): string {
  return time === 1 && !/~\d+$/.test(key) ? key : `${key}~${time}`;
}

/** What is stored about a step that has ended. A step that threw did not give a value, and may run again. */
type StoredStep = { value?: unknown } | { threw: true };
