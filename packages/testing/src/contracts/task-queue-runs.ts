import assert from 'node:assert/strict';
import { done, quiet, read, running, type TaskQueueTests, until } from './queue-consumer.js';

const delayMs = 2_000;
const question = { method: 'elicitation/create', params: { message: 'Sure?' } };

/** What a queue promises about one run: its steps, its questions and its end. */
export const runTests: TaskQueueTests = {
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

  async 'tells a run that its task has expired'(subject) {
    const { queue, elapse, pause } = subject;
    const { run } = await running(subject, { ttlMs: delayMs });
    await elapse(delayMs + 1);
    await until(pause, 'the run is told', () => run.lease.signal.aborted);
    assert.equal(await run.lease.beginStep('one'), false);
    assert.equal(await queue.get('a'), undefined);
  },
};
