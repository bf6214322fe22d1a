import assert from 'node:assert/strict';
import type { TaskJob, TaskRunner } from '@toolwright/core';
import { describeContract } from './test-runner.js';

/** A task runner under test. It has no jobs. */
export interface TaskRunnerSubject {
  runner: TaskRunner;
  /** Lets this many milliseconds pass on the runner's clock. */
  elapse(ms: number): unknown;
  close?(): unknown;
}

/** A job that ends when the test ends it, or when it is stopped. */
function job(taskId: string): TaskJob & { finish(): void; readonly seen: string[] } {
  const seen: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  return {
    taskId,
    seen,
    finish: () => finish(),
    async execute() {
      seen.push('begun');
      await finished;
      seen.push('ended');
    },
    async stop() {
      seen.push('stopped');
      finish();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Declares the tests that every `TaskRunner` must pass. */
export function describeTaskRunner(
  name: string,
  create: () => TaskRunnerSubject | Promise<TaskRunnerSubject>,
): void {
  describeContract(`${name} keeps the contract of TaskRunner`, create, {
    async 'takes jobs over without waiting for them'({ runner }) {
      const [first, second] = [job('1'), job('2')];
      runner.start(first);
      runner.start(second);
      await turn();
      assert.deepEqual([first.seen, second.seen], [['begun'], ['begun']]);
      first.finish();
      second.finish();
      assert.equal(await runner.drain(1_000), true);
    },

    async 'waits for the jobs that run'({ runner }) {
      const running = job('1');
      runner.start(running);
      const drained = runner.drain(60_000);
      await turn();
      running.finish();
      assert.equal(await drained, true);
      assert.deepEqual(running.seen, ['begun', 'ended']);
    },

    async 'stops those that still run when the time is over, and says so'({ runner, elapse }) {
      const [quick, slow] = [job('quick'), job('slow')];
      runner.start(quick);
      runner.start(slow);
      quick.finish();
      await turn();
      const drained = runner.drain(20);
      await elapse(50);
      assert.equal(await drained, false);
      assert.ok(slow.seen.includes('stopped'));
      assert.deepEqual(quick.seen, ['begun', 'ended']);
    },

    async 'has nothing to wait for without jobs, nor when all have ended'({ runner }) {
      assert.equal(await runner.drain(0), true);
      const done = job('1');
      runner.start(done);
      done.finish();
      await turn();
      assert.equal(await runner.drain(0), true);
    },
  });
}
