import assert from 'node:assert/strict';
import { systemClock } from '@toolwright/core/ports';
import type { TaskQueue } from '@toolwright/queue';
import { HoldingWorker, task, type TaskQueueTests } from './queue-consumer.js';

const MINUTE = 60_000;
/** Before the clock of any test begins, so that all ticks are due. */
const AT = Date.UTC(1969, 11, 31, 3);

const nightly = { owner: 'probes', tool: 'nightly' };

const due = (queue: TaskQueue, id: string, minute = 0, { key = 'nightly', isLate = false } = {}) =>
  queue.enqueueTick!({ key, at: AT + minute * MINUTE, isLate }, task(id, nightly), `job of ${id}`);

/** What a queue promises about ticks, if it hands them out. */
export const tickTests: TaskQueueTests = {
  async 'takes each tick of a key once, whoever asks'({ queue, peer, pause }) {
    const ids = Array.from({ length: 10 }, (_, index) => `a${index}`);
    const outcomes = await Promise.all(ids.map(async (id, index) => due(index % 2 ? queue : peer, id)));
    assert.deepEqual([...outcomes].sort(), ['begun', ...Array<string>(9).fill('taken')]);
    const winner = ids[outcomes.indexOf('begun')]!;
    const consumer = new HoldingWorker(pause);
    await peer.work(consumer);
    assert.deepEqual((await consumer.take()).lease.job, `job of ${winner}`);
    for (const id of ids) assert.equal((await queue.get(id))?.id, id === winner ? id : undefined);
  },

  async 'takes no tick that lies before another one'({ queue, peer, pause }) {
    const consumer = new HoldingWorker(pause);
    await queue.work(consumer);
    assert.equal(await due(queue, 'a', 5), 'begun');
    await consumer.finish(await consumer.take());
    assert.equal(await due(peer, 'b', 4), 'taken');
    assert.equal(await due(peer, 'c', 6), 'begun');
  },

  async 'leaves a tick out while the run before goes on, and removes the task of that run when it has ended'({
    queue,
    peer,
    pause,
  }) {
    assert.equal(await due(queue, 'a'), 'begun');
    // Nobody works on it yet.
    assert.equal(await due(peer, 'b', 1), 'overlapping');
    assert.equal(await due(queue, 'other', 1, { key: 'hourly' }), 'begun');
    const consumer = new HoldingWorker(pause);
    await peer.work(consumer);
    const first = (await consumer.take(2)) && consumer.runs.find(({ lease }) => lease.taskId === 'a')!;
    assert.equal(await due(queue, 'c', 2), 'overlapping');
    await consumer.finish(first);
    assert.equal(await due(queue, 'd', 2), 'taken');
    assert.equal(await due(queue, 'e', 3), 'begun');
    assert.equal(await queue.get('a'), undefined);
    assert.equal((await queue.get('e'))?.status, 'working');
  },

  async 'makes up a late tick only of a key that it knows'({ queue, peer, pause }) {
    assert.equal(await due(queue, 'a', 0, { isLate: true }), 'taken');
    assert.equal(await due(queue, 'b', 0, { isLate: true }), 'taken');
    assert.equal((await queue.load()).waiting, 0);
    assert.equal(await due(queue, 'c', 1, { isLate: true }), 'begun');
    const consumer = new HoldingWorker(pause);
    await peer.work(consumer);
    await consumer.finish(await consumer.take());
    assert.equal(await due(peer, 'd', 1), 'taken');
  },

  async 'takes no tick before its time, by the clock of the queue'({ queue, peer }) {
    const at = ((await queue.now?.()) ?? systemClock.now()) + 60 * MINUTE;
    const tick = { key: 'nightly', at, isLate: false };
    assert.equal(await queue.enqueueTick!(tick, task('a', nightly), 'job of a'), 'early');
    assert.equal((await queue.load()).waiting, 0);
    // Nothing was taken: what is due begins.
    assert.equal(await due(peer, 'b'), 'begun');
  },

  async 'has room for ticks when an owner has none left'({ queue }) {
    for (let index = 0; index < 100; index++) await queue.enqueue(task(`full${index}`, nightly), 'job');
    assert.equal(await due(queue, 'a'), 'begun');
  },
};
