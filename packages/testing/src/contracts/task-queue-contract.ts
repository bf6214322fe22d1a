import assert from 'node:assert/strict';
import type { TaskRecord } from '@toolwright/core/ports';
import type { QueuedTask, TaskQueue } from '@toolwright/queue';
import { done, ended, HoldingWorker, kind, serves, UNSERVED_MS, until } from './queue-consumer.js';
import { tickTests } from './task-queue-ticks.js';
import { turnTests } from './task-queue-turns.js';
import { describeContract } from './test-runner.js';

/**
 * A task queue under test. It is empty, and nobody works on it. Its limits must allow 30 tasks of one owner, and
 * must not allow a hundred.
 */
export interface TaskQueueSubject {
  queue: TaskQueue;
  /** The same queue, as another process sees it. */
  peer: TaskQueue;
  /**
   * Lets `ms` milliseconds pass for the queue. It moves the queue's clock, or waits where the test cannot set
   * the clock.
   */
  elapse(ms: number): unknown;
  /**
   * Lets the run of a task be lost, as when its process hangs: the queue no longer hears of it. It resolves when
   * another worker may have the next run.
   */
  loseRun(taskId: string): unknown;
  /**
   * Gives the queue a moment to get on with its work. It is called again and again while a test waits. A queue
   * with connections needs some milliseconds.
   */
  pause(): unknown;
  close?(): unknown;
}

/** Long enough for every test but the one that lets a task expire. */
const ttlMs = 600_000;
const delayMs = 2_000;
const task = (id: string, rest: Partial<QueuedTask> = {}): QueuedTask => ({
  id,
  owner: 'ann',
  ttlMs,
  pollIntervalMs: 100,
  tool: 'work',
  ...rest,
});
const question = { method: 'elicitation/create', params: { message: 'Sure?' } };

async function read(queue: TaskQueue, id = 'a'): Promise<TaskRecord> {
  const found = await queue.get(id);
  assert.ok(found, `There is a task "${id}".`);
  return found;
}

/** One worker, which has the run of the task `a`. */
async function running({ queue, peer, pause }: TaskQueueSubject, rest: Partial<QueuedTask> = {}) {
  const consumer = new HoldingWorker(pause);
  await peer.work(consumer);
  await queue.enqueue(task('a', rest), 'job of a');
  return { consumer, run: await consumer.take(1) };
}

/** Enough pauses for something to happen that should not. */
async function quiet({ pause }: TaskQueueSubject): Promise<void> {
  for (let count = 0; count < 5; count++) await pause();
}

/**
 * Declares the tests that every `TaskQueue` must pass. It must also pass those of `describeTaskStore`.
 */
export function describeTaskQueue(
  name: string,
  create: () => TaskQueueSubject | Promise<TaskQueueSubject>,
): void {
  describeContract(`${name} keeps the contract of TaskQueue`, create, {
    ...tickTests,
    ...turnTests,

    async 'has the task at once, and hands out its work in any process'(subject) {
      const { queue, peer, pause } = subject;
      const created = await queue.enqueue(task('a'), 'job of a');
      assert.equal(created?.status, 'working');
      assert.deepEqual(await peer.get('a'), created);
      const consumer = new HoldingWorker(pause);
      await peer.work(consumer);
      const { lease } = await consumer.take();
      const { taskId, job, attempt, isAfterLoss, steps, answers, signal } = lease;
      assert.deepEqual(
        { taskId, job, attempt, isAfterLoss, steps: [...steps], answers, aborted: signal.aborted },
        {
          taskId: 'a',
          job: 'job of a',
          attempt: 1,
          isAfterLoss: false,
          steps: [],
          answers: {},
          aborted: false,
        },
      );
    },

    async 'has neither a record nor work of a task that it refuses'({ queue }) {
      const results = [];
      for (let index = 0; index < 100; index++) results.push(await queue.enqueue(task(`a${index}`), 'job'));
      const refused = results.indexOf(undefined);
      assert.ok(refused >= 30, 'There is room for 30, and not for a hundred.');
      assert.equal(await queue.get(`a${refused}`), undefined);
      assert.equal((await queue.load()).waiting, results.filter(Boolean).length);
      assert.ok(await queue.enqueue(task('b', { owner: 'bob' }), 'job'));
    },

    async 'gives every run to one worker'({ queue, peer, pause }) {
      const [mine, yours] = [new HoldingWorker(pause), new HoldingWorker(pause)];
      await queue.work(mine);
      await peer.work(yours);
      const ids = Array.from({ length: 20 }, (_, index) => `a${index}`);
      await Promise.all(ids.map(async (id, index) => (index % 2 ? queue : peer).enqueue(task(id), id)));
      const seen = () => [...mine.runs, ...yours.runs].map(({ lease }) => lease.job);
      await until(pause, 'all work has begun', () => seen().length >= ids.length);
      assert.deepEqual(seen().sort(), [...ids].sort());
    },

    async 'gives a worker no more than it takes'(subject) {
      const { queue, pause } = subject;
      const consumer = new HoldingWorker(pause, 2);
      await queue.work(consumer);
      for (const id of ['a', 'b', 'c', 'd']) await queue.enqueue(task(id), id);
      const first = await consumer.take(2);
      await quiet(subject);
      assert.equal(consumer.runs.length, 2);
      first.end();
      await consumer.take(3);
      await quiet(subject);
      assert.equal(consumer.runs.length, 3);
    },

    async 'gives a worker only what it serves, and keeps the rest for one that does'(subject) {
      const { queue, peer, pause } = subject;
      const [old, other] = [
        new HoldingWorker(pause, 10, serves('old', 'any *')),
        new HoldingWorker(pause, 10, serves('new')),
      ];
      await queue.work(old);
      for (const [id, work] of [
        ['a', kind('new')],
        ['b', kind('old')],
        ['c', kind('any')],
        ['d', undefined],
      ] as const)
        await queue.enqueue(task(id, work === undefined ? {} : { work }), id);
      await old.take(3);
      await quiet(subject);
      assert.deepEqual(old.runs.map(({ lease }) => lease.taskId).sort(), ['b', 'c', 'd']);
      await peer.work(other);
      assert.deepEqual([(await other.take()).lease.taskId, other.runs.length], ['a', 1]);
    },

    async 'hands out what nobody has served for too long as such, to a worker of its server'(subject) {
      const { queue, peer, elapse, pause } = subject;
      const consumer = new HoldingWorker(pause, 10, serves('old'));
      const others = new HoldingWorker(pause, 10, { kinds: [], prefix: 'other ', unservedMs: 0 });
      await queue.work(consumer);
      await peer.work(others);
      await queue.enqueue(task('a', { work: kind('new') }), 'a');
      await quiet(subject);
      await elapse(UNSERVED_MS - 1_000);
      await quiet(subject);
      assert.equal(consumer.runs.length, 0);
      await elapse(2_000);
      await until(pause, 'it is handed out', async () => (await elapse(50), consumer.runs.length > 0));
      const { lease } = await consumer.take();
      assert.deepEqual([lease.taskId, lease.isUnserved, others.runs.length], ['a', true, 0]);
    },

    async 'lets a task run alone whose process was lost twice, and counts only losses of those who ran alone'(
      subject,
    ) {
      const { queue, peer, pause, loseRun } = subject;
      const consumer = new HoldingWorker(pause);
      await peer.work(consumer);
      for (const id of ['a', 'b']) await queue.enqueue(task(id), id);
      for (const count of [2, 4]) {
        await consumer.take(count);
        const lost = consumer.runs.slice(-2);
        for (const { lease } of lost) await loseRun(lease.taskId);
        for (const run of lost) {
          await until(pause, 'the worker hears of the lost run', () => run.lease.signal.aborted);
          run.end();
        }
      }
      const first = await consumer.take(5);
      await queue.enqueue(task('c'), 'c');
      await quiet(subject);
      assert.deepEqual([consumer.runs.length, first.lease.lossesAlone], [5, 0]);
      const { taskId } = first.lease;
      await loseRun(taskId);
      await until(pause, 'the worker hears of the lost run', () => first.lease.signal.aborted);
      first.end();
      for (let count = 6; count <= 8; count++) {
        const next = await consumer.take(count);
        await quiet(subject);
        assert.equal(consumer.runs.length, count, 'What waits for the suspect, or follows it, begins alone.');
        assert.equal(next.lease.lossesAlone, next.lease.taskId === taskId ? 1 : 0);
        await consumer.finish(next);
      }
      assert.deepEqual(
        consumer.runs
          .slice(5)
          .map(({ lease }) => lease.taskId)
          .sort(),
        ['a', 'b', 'c'],
      );
    },

    async 'stores how a run ended before it says so, and counts the dead'(subject) {
      const { queue } = subject;
      const { consumer, run } = await running(subject);
      const ending = { status: 'failed', error: { code: -32603, message: 'broken' } } as const;
      await consumer.finish(run, { is: 'ended', ending, isDead: true });
      assert.deepEqual((await read(queue)).ending, ending);
      const { dead, running: held, waiting } = await queue.load();
      assert.deepEqual({ dead, held, waiting }, { dead: 1, held: 0, waiting: 0 });
      await quiet(subject);
      assert.equal(consumer.runs.length, 1);
    },

    async 'hands out again what was lost, and takes nothing more from the lost run'(subject) {
      const { queue, loseRun, pause } = subject;
      const { consumer, run } = await running(subject);
      await run.lease.beginStep('one');
      await loseRun('a');
      const next = await consumer.take(2);
      await until(pause, 'the worker hears of the lost run', () => run.lease.signal.aborted);
      assert.deepEqual([next.lease.attempt, next.lease.isAfterLoss], [2, true]);
      assert.equal(await run.lease.beginStep('two'), false);
      assert.equal(await run.lease.endStep('one', 'late'), false);
      assert.equal(await run.lease.note('late'), false);
      await consumer.finish(run);
      const { status, statusMessage } = await read(queue);
      assert.deepEqual([status, statusMessage], ['working', undefined]);
      await consumer.finish(next);
      assert.deepEqual((await read(queue)).ending, done);
      await quiet(subject);
      assert.equal(consumer.runs.length, 2);
    },

    async 'keeps what steps have begun and brought'(subject) {
      const { loseRun } = subject;
      const { consumer, run } = await running(subject);
      for (const key of ['one', 'two', 'three']) assert.equal(await run.lease.beginStep(key), true);
      for (const key of ['one', 'three']) assert.equal(await run.lease.endStep(key, `of ${key}`), true);
      await run.lease.beginStep('three');
      await loseRun('a');
      const { steps } = (await consumer.take(2)).lease;
      assert.deepEqual([steps.size, steps.get('one'), steps.get('two')], [3, 'of one', undefined]);
      assert.equal(steps.get('three'), undefined);
    },

    async 'notes what a run is doing'(subject) {
      const { run } = await running(subject);
      assert.equal(await run.lease.note('half way'), true);
      assert.equal((await read(subject.queue)).statusMessage, 'half way');
    },

    async 'holds nothing while questions are open, and begins anew when all are answered'(subject) {
      const { queue } = subject;
      const { consumer, run } = await running(subject);
      await run.lease.beginStep('one');
      await run.lease.endStep('one', 'of one');
      await consumer.finish(run, { is: 'asking', questions: { sure: question, really: question } });
      const asking = await read(queue);
      assert.deepEqual(
        [asking.status, asking.questions],
        ['input_required', { sure: question, really: question }],
      );
      assert.equal((await queue.load()).running, 0);
      await queue.answer('a', { sure: { action: 'accept' } });
      await quiet(subject);
      assert.equal(consumer.runs.length, 1);
      await queue.answer('a', { really: 'yes' });
      const { lease } = await consumer.take(2);
      assert.deepEqual([lease.attempt, lease.isAfterLoss], [1, false]);
      assert.deepEqual(lease.answers, { sure: { action: 'accept' }, really: 'yes' });
      assert.deepEqual([...lease.steps], [['one', 'of one']]);
    },

    async 'runs again after the pause that a failed run asks for'(subject) {
      const { queue, elapse } = subject;
      const { consumer, run } = await running(subject);
      await consumer.finish(run, { is: 'retrying', afterMs: delayMs, statusMessage: 'failed once' });
      const { status, statusMessage } = await read(queue);
      assert.deepEqual([status, statusMessage], ['working', 'failed once']);
      await quiet(subject);
      assert.equal(consumer.runs.length, 1);
      await elapse(delayMs);
      const { lease } = await consumer.take(2);
      assert.deepEqual([lease.attempt, lease.isAfterLoss], [2, false]);
    },

    async 'does not count a run that was postponed'(subject) {
      const { loseRun, elapse } = subject;
      const { consumer } = await running(subject);
      await loseRun('a');
      const second = await consumer.take(2);
      await consumer.finish(second, { is: 'postponed', afterMs: delayMs, statusMessage: 'no room' });
      await elapse(delayMs);
      const { lease } = await consumer.take(3);
      assert.deepEqual([lease.attempt, lease.isAfterLoss], [2, true]);
    },

    async 'tells a run that its task was cancelled, and drops what it brings'(subject) {
      const { queue, pause } = subject;
      const { consumer, run } = await running(subject);
      assert.equal(await queue.end('a', { status: 'cancelled' }), true);
      await until(pause, 'the run is told', () => run.lease.signal.aborted);
      assert.equal(await run.lease.beginStep('one'), false);
      await consumer.finish(run);
      assert.equal((await read(queue)).status, 'cancelled');
      assert.equal((await queue.load()).running, 0);
    },

    async 'never runs what was cancelled before'(subject) {
      const { queue, peer, pause } = subject;
      for (const id of ['a', 'b']) await queue.enqueue(task(id), id);
      await queue.end('a', { status: 'cancelled' });
      const consumer = new HoldingWorker(pause);
      await peer.work(consumer);
      assert.equal((await consumer.take()).lease.taskId, 'b');
      await quiet(subject);
      assert.equal(consumer.runs.length, 1);
    },

    async 'tells a run that its task has expired'(subject) {
      const { queue, elapse, pause } = subject;
      const { run } = await running(subject, { ttlMs: delayMs });
      await elapse(delayMs + 1);
      await until(pause, 'the run is told', () => run.lease.signal.aborted);
      assert.equal(await run.lease.beginStep('one'), false);
      assert.equal(await queue.get('a'), undefined);
    },

    async 'waits for its runs when it drains, and takes no others'(subject) {
      const { queue, peer } = subject;
      const { consumer, run } = await running(subject);
      const drained = peer.drain(60_000);
      await queue.enqueue(task('b'), 'job of b');
      await quiet(subject);
      run.end();
      assert.equal(await drained, true);
      assert.deepEqual((await read(queue)).ending, done);
      await quiet(subject);
      assert.deepEqual([consumer.runs.length, (await queue.load()).waiting], [1, 1]);
    },

    async 'gives back what takes too long'(subject) {
      const { queue, peer, elapse, pause } = subject;
      const { consumer, run } = await running(subject);
      const drained = peer.drain(50);
      await quiet(subject);
      await elapse(100);
      assert.equal(await drained, false);
      assert.equal(run.lease.signal.aborted, true);
      const others = new HoldingWorker(pause);
      await queue.work(others);
      const next = await others.take();
      assert.deepEqual([next.lease.taskId, next.lease.isAfterLoss, consumer.runs.length], ['a', true, 1]);
      run.end({ is: 'ended', ending: { status: 'cancelled' } });
      await others.finish(next, ended);
      assert.deepEqual((await read(queue)).ending, done);
    },

    async 'has nothing to wait for when it never worked'({ queue }) {
      assert.equal(await queue.drain(0), true);
    },

    async 'knows how much waits, and for how long'(subject) {
      const { queue, peer, elapse, pause } = subject;
      const { depth: nothing = [], ...empty } = await queue.load();
      assert.deepEqual(empty, { waiting: 0, oldestMs: 0, running: 0, dead: 0 });
      assert.deepEqual(nothing, []);
      for (const id of ['a', 'b', 'c']) await queue.enqueue(task(id), id);
      await elapse(500);
      const before = await peer.load();
      assert.equal(before.waiting, 3);
      // Queues that do not know the tools of what waits leave it out.
      if (before.depth) assert.equal(sum(before.depth.map(({ waiting }) => waiting)), 3);
      assert.ok(before.oldestMs >= 400, `The oldest has waited for ${before.oldestMs} ms.`);
      const consumer = new HoldingWorker(pause, 2);
      await queue.work(consumer);
      await consumer.take(2);
      await until(pause, 'two run', async () => (await peer.load()).running === 2);
      assert.equal((await peer.load()).waiting, 1);
    },
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
