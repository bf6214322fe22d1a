import type { TaskQueueSubject } from './queue-consumer.js';
import { handOutTests } from './task-queue-hand-out.js';
import { runTests } from './task-queue-runs.js';
import { tickTests } from './task-queue-ticks.js';
import { turnTests } from './task-queue-turns.js';
import { describeContract } from './test-runner.js';

/**
 * Declares the tests that every `TaskQueue` must pass. It must also pass those of `describeTaskStore`.
 */
export function describeTaskQueue(
  name: string,
  create: () => TaskQueueSubject | Promise<TaskQueueSubject>,
): void {
  const tests = { ...tickTests, ...turnTests, ...handOutTests, ...runTests };
  describeContract(`${name} keeps the contract of TaskQueue`, create, tests);
}
