import assert from 'node:assert/strict';
import type { TaskJob, TaskRunner, TaskWorker } from '@toolwright/core/ports';
import { describeContract } from './test-runner.js';

/** A task runner under test. It has no jobs. */
export interface TaskRunnerSubject {
  runner: TaskRunner;
  /** Lets this many milliseconds pass on the runner's clock. */
  elapse(ms: number): unknown;
  close?(): unknown;
}

/** Work that ends when the test ends it, or when it is stopped. */
class Work implements TaskWorker {
  readonly #seen = new Map<string, string[]>();
  readonly #finish = new Map<string, () => void>();

  constructor(runner: TaskRunner) {
    runner.serve(this);
  }

  seen(taskId: string): string[] {
    const seen = this.#seen.get(taskId) ?? [];
    this.#seen.set(taskId, seen);
    return seen;
  }

  /** The work ends, or will end as soon as it begins. */
  finish(taskId: string): void {
    const finish = this.#finish.get(taskId);
    this.#finish.set(taskId, () => undefined);
    finish?.();
  }

  async run({ taskId }: TaskJob): Promise<void> {
    this.seen(taskId).push('begun');
    if (!this.#finish.has(taskId)) await new Promise<void>((resolve) => this.#finish.set(taskId, resolve));
    this.seen(taskId).push('ended');
  }

  async stop({ taskId }: TaskJob): Promise<void> {
    this.seen(taskId).push('stopped');
    this.finish(taskId);
  }
}

const job = (taskId: string): TaskJob => ({
  taskId,
  tool: 'work',
  arguments: { number: 1 },
  principal: { subject: 'ann', scopes: [] },
  contract: 'c'.repeat(64),
  revision: '2026-07-28',
  client: { capabilities: {} },
  trace: {},
  transport: 'memory',
  answers: {},
  memories: {},
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Declares the tests that every `TaskRunner` must pass. */
export function describeTaskRunner(
  name: string,
  create: () => TaskRunnerSubject | Promise<TaskRunnerSubject>,
): void {
  describeContract(`${name} keeps the contract of TaskRunner`, create, {
    async 'takes jobs over without waiting for them'({ runner }) {
      const work = new Work(runner);
      runner.start(job('1'));
      runner.start(job('2'));
      await turn();
      assert.deepEqual([work.seen('1'), work.seen('2')], [['begun'], ['begun']]);
      work.finish('1');
      work.finish('2');
      assert.equal(await runner.drain(1_000), true);
    },

    async 'waits for the jobs that run'({ runner }) {
      const work = new Work(runner);
      runner.start(job('1'));
      const drained = runner.drain(60_000);
      await turn();
      work.finish('1');
      assert.equal(await drained, true);
      assert.deepEqual(work.seen('1'), ['begun', 'ended']);
    },

    async 'stops those that still run when the time is over, and says so'({ runner, elapse }) {
      const work = new Work(runner);
      runner.start(job('quick'));
      runner.start(job('slow'));
      work.finish('quick');
      await turn();
      const drained = runner.drain(20);
      await elapse(50);
      assert.equal(await drained, false);
      assert.ok(work.seen('slow').includes('stopped'));
      assert.deepEqual(work.seen('quick'), ['begun', 'ended']);
    },

    async 'has nothing to wait for without jobs, nor when all have ended'({ runner }) {
      const work = new Work(runner);
      assert.equal(await runner.drain(0), true);
      runner.start(job('1'));
      work.finish('1');
      await turn();
      assert.equal(await runner.drain(0), true);
    },
  });
}
