import assert from 'node:assert/strict';
import { HoldingWorker, task, type TaskQueueTests } from './queue-consumer.js';

/** Who begins next, where many wait. */
export const turnTests: TaskQueueTests = {
  async 'lets owners take turns'({ queue, pause }) {
    for (let index = 0; index < 20; index++) await queue.enqueue(task(`a${index}`), 'job');
    for (const owner of ['bob', 'cid'])
      for (let index = 0; index < 2; index++) await queue.enqueue(task(`${owner}${index}`, { owner }), 'job');
    const consumer = new HoldingWorker(pause, 1);
    await queue.work(consumer);
    for (let run = 1; run <= 6; run++) await consumer.finish(await consumer.take(run));
    const begun = consumer.runs.slice(0, 6).map(({ lease }) => lease.taskId.replace(/\d+/, ''));
    assert.deepEqual(begun.sort(), ['a', 'a', 'bob', 'bob', 'cid', 'cid']);
  },

  async 'lets parties take turns, and the owners of each party'({ queue, pause }) {
    const party = 'tenant acme';
    for (const owner of ['ann', 'bob', 'cid', 'dan'])
      for (let index = 0; index < 3; index++)
        await queue.enqueue(task(`${owner}${index}`, { owner, party }), 'job');
    for (let index = 0; index < 3; index++)
      await queue.enqueue(task(`other${index}`, { owner: 'eve', party: 'tenant other' }), 'job');
    const consumer = new HoldingWorker(pause, 1);
    await queue.work(consumer);
    for (let run = 1; run <= 10; run++) await consumer.finish(await consumer.take(run));
    const begun = consumer.runs.slice(0, 10).map(({ lease }) => lease.taskId.replace(/\d+/, ''));
    // Twelve tasks of four users do not delay the three of another tenant.
    assert.deepEqual(begun.slice(0, 6).filter((owner) => owner === 'other').length, 3);
    // Nobody of the first tenant had a second turn before all had their first one.
    const ofFirst = begun.filter((owner) => owner !== 'other');
    assert.deepEqual(ofFirst.slice(0, 4).sort(), ['ann', 'bob', 'cid', 'dan']);
  },
};
