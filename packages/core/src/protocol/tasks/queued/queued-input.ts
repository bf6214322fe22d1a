import type { AskMode, ClientInput, ClientMethod, StepAttempt } from '../../../base/request-context.js';
import { InputPending } from '../../../call/context/rounds.js';
import type { WorkLease } from '../../../ports/task-queue.js';
import type { TaskJob } from '../../../ports/task-runner.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Features } from '../../revisions/features.js';
import { readAnswer } from '../../rounds/client-answer.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  requiredCapabilities,
} from '../../rounds/client-capability.js';
import { TaskSteps } from './task-steps.js';

interface Question {
  method: ClientMethod;
  params: JsonObject;
}

export interface RunOfJob {
  readonly job: TaskJob;
  readonly lease: WorkLease;
  readonly features: Features;
  /** The run is lost. @returns what the method is stopped with */
  lost(): unknown;
}

/**
 * The questions and steps of one run on a queue. A question without an answer ends the run, and the method runs
 * again from its start when the answer is there: nobody waits for a person.
 */
export class QueuedInput implements ClientInput {
  /** The call was charged, and its intent recorded, before it became a task. A schedule has no call before. */
  readonly resumed: boolean;
  readonly paid = true;
  readonly #pending = new Map<string, Question>();
  readonly #memories: Map<string, unknown>;
  readonly #steps: TaskSteps;

  constructor(private readonly run: RunOfJob) {
    const { job, lease } = run;
    this.resumed = job.scheduledAt === undefined;
    this.#memories = new Map(Object.entries(job.memories));
    this.#steps = new TaskSteps({ lease, recall: (key) => this.recall(key), lost: () => run.lost() });
  }

  get pending(): ReadonlyMap<string, Question> {
    return this.#pending;
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
        this.#pending.set(wireKey, { method, params });
        return Promise.reject(new InputPending(key));
      }
      const answer = readAnswer(method, params, lease.answers[wireKey]);
      if (answer) return Promise.resolve(answer);
    }
  }

  recall(key: string): { value: unknown } | undefined {
    return this.#memories.has(key) ? { value: this.#memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    this.#memories.set(key, value);
  }

  step<T>(key: string, work: (step: StepAttempt) => T | Promise<T>, mayRerun: boolean): Promise<T> {
    return this.#steps.step(key, work, mayRerun);
  }
}

/**
 * The key of a question in messages. A question whose answer did not fit is asked again under a new key, because
 * clients skip keys that they know. No key of a tool looks like the second key of another.
 */
function wireKeyOf(key: string, time: number): string {
  return time === 1 && !/~\d+$/.test(key) ? key : `${key}~${time}`;
}
