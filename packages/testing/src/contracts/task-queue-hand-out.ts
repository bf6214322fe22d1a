import assert from 'node:assert/strict';
import {
  ended,
  done,
  HoldingWorker,
  kind,
  quiet,
  read,
  running,
  serves,
  task,
  type TaskQueueTests,
  UNSERVED_MS,
  until,
} from './queue-consumer.js';

/** What a queue promises about who gets which work, and when. */
export const handOutTests: TaskQueueTests = {
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
      { taskId, job, attempt, isAfterLoss, steps: [...steps], answers },
      { taskId: 'a', job: 'job of a', attempt: 1, isAfterLoss: false, steps: [], answers: {} },
    );
    assert.equal(signal.aborted, false);
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
    if (before.depth)
      assert.equal(
        before.depth.reduce((sum, { waiting }) => sum + waiting, 0),
        3,
      );
    assert.ok(before.oldestMs >= 400, `The oldest has waited for ${before.oldestMs} ms.`);
    const consumer = new HoldingWorker(pause, 2);
    await queue.work(consumer);
    await consumer.take(2);
    await until(pause, 'two run', async () => (await peer.load()).running === 2);
    assert.equal((await peer.load()).waiting, 1);
  },
};
