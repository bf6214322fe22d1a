import assert from 'node:assert/strict';
import type { NewTask, TaskEnding, TaskRecord, TaskStore } from '@toolwright/core/ports';
import { describeContract } from './test-runner.js';

/**
 * A task store under test. It is empty. Its limits must allow three tasks of one owner, and must not allow a
 * hundred.
 */
export interface TaskStoreSubject {
  store: TaskStore;
  /**
   * Lets `ms` milliseconds pass for the store. It moves the store's clock, or waits where the test cannot set
   * the clock.
   */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

/** Half of it must be long enough for a few calls of a slow store: its clock goes on besides. */
const ttlMs = 60_000;
const task = (id: string, rest: Partial<NewTask> = {}): NewTask => ({
  id,
  owner: 'ann',
  ttlMs,
  pollIntervalMs: 100,
  ...rest,
});
const question = { method: 'elicitation/create', params: { message: 'Sure?' } };
const completed: TaskEnding = { status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
const failed: TaskEnding = { status: 'failed', error: { code: -32603, message: 'broken', data: { a: 1 } } };

async function read(store: TaskStore, id = 'a'): Promise<TaskRecord> {
  const found = await store.get(id);
  assert.ok(found, `There is a task "${id}".`);
  return found;
}

/**
 * Declares the tests that every `TaskStore` must pass. `list` is tested if the store has it.
 */
export function describeTaskStore(
  name: string,
  create: () => TaskStoreSubject | Promise<TaskStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of TaskStore`, create, {
    async 'has a task as soon as it is created'({ store }) {
      const created = await store.create(task('a'));
      assert.ok(created);
      assert.deepEqual(await store.get('a'), created);
      const { createdAt, updatedAt, ...rest } = created;
      assert.deepEqual(rest, { ...task('a'), status: 'working', questions: {}, answers: {} });
      assert.equal(updatedAt, createdAt);
    },

    async 'knows no other task'({ store }) {
      await store.create(task('a'));
      assert.equal(await store.get('b'), undefined);
      assert.equal(await store.note('b', 'x'), false);
      assert.equal(await store.ask('b', 'sure', question), false);
      assert.equal(await store.answer('b', { sure: 1 }), false);
      assert.equal(await store.end('b', completed), false);
    },

    async 'keeps it for its time and no longer'({ store, elapse }) {
      await store.create(task('a'));
      await elapse(ttlMs / 2);
      await read(store);
      await elapse(ttlMs / 2 + 1);
      assert.equal(await store.get('a'), undefined);
      assert.equal(await store.end('a', completed), false);
    },

    async 'keeps one without a time'({ store, elapse }) {
      await store.create(task('a', { ttlMs: null }));
      await elapse(ttlMs + 1);
      assert.equal((await read(store)).ttlMs, null);
    },

    async 'notes what it does, and when'({ store, elapse }) {
      const created = await store.create(task('a'));
      await elapse(10);
      assert.equal(await store.note('a', 'half way'), true);
      const { statusMessage, createdAt, updatedAt } = await read(store);
      assert.deepEqual([statusMessage, createdAt], ['half way', created?.createdAt]);
      assert.ok(updatedAt > createdAt);
    },

    async 'takes answers one by one, and leaves what was not asked'({ store }) {
      await store.create(task('a'));
      await store.ask('a', 'first', question);
      await store.ask('a', 'second', question);
      assert.deepEqual((await read(store)).questions, { first: question, second: question });
      assert.equal(await store.answer('a', { first: { action: 'accept' }, other: 1 }), true);
      const partly = await read(store);
      assert.deepEqual(
        [partly.status, partly.questions, partly.answers],
        ['input_required', { second: question }, { first: { action: 'accept' } }],
      );
      assert.equal(await store.answer('a', { first: { action: 'decline' } }), false);
      assert.equal(await store.answer('a', { second: null }), true);
      const { status, questions, answers } = await read(store);
      assert.deepEqual([status, questions], ['working', {}]);
      assert.deepEqual(answers, { first: { action: 'accept' }, second: null });
    },

    async 'takes one answer alone, when many come at once'({ store }) {
      await store.create(task('a'));
      await store.ask('a', 'sure', question);
      const taken = await Promise.all(
        Array.from({ length: 20 }, async (_, sure) => store.answer('a', { sure })),
      );
      assert.equal(taken.filter(Boolean).length, 1);
    },

    async 'ends it with its result or its error'({ store }) {
      await store.create(task('a'));
      await store.create(task('b'));
      await store.ask('a', 'sure', question);
      assert.equal(await store.end('a', completed), true);
      assert.equal(await store.end('b', failed), true);
      const { status, ending, questions } = await read(store);
      assert.deepEqual([status, ending, questions], ['completed', completed, {}]);
      assert.deepEqual((await read(store, 'b')).ending, failed);
    },

    async 'never changes one that has ended'({ store }) {
      await store.create(task('a'));
      await store.end('a', { status: 'cancelled' });
      const before = await read(store);
      assert.equal(await store.end('a', completed), false);
      assert.equal(await store.note('a', 'x'), false);
      assert.equal(await store.ask('a', 'sure', question), false);
      assert.equal(await store.answer('a', { sure: 1 }), false);
      assert.deepEqual(await read(store), before);
    },

    async 'ends it once, when many end it at once'({ store }) {
      await store.create(task('a'));
      const endings = Array.from({ length: 20 }, async (_, index) =>
        store.end('a', index % 2 ? completed : { status: 'cancelled' }),
      );
      assert.equal((await Promise.all(endings)).filter(Boolean).length, 1);
    },

    async 'lists the tasks of one owner, the oldest first'({ store, elapse }) {
      if (!store.list) return;
      assert.deepEqual(await store.list('ann'), { tasks: [], next: undefined });
      await store.create(task('a'));
      await elapse(ttlMs / 2);
      for (const [id, owner] of [
        ['b', 'bob'],
        ['c', 'ann'],
      ] as const)
        await store.create(task(id, { owner }));
      const ids = async () => (await store.list!('ann'))?.tasks.map(({ id }) => id);
      assert.deepEqual(await ids(), ['a', 'c']);
      await elapse(ttlMs / 2 + 1);
      assert.deepEqual(await ids(), ['c']);
      assert.equal(await store.list('ann', 'no cursor of this store'), undefined);
    },

    async 'refuses an owner who has too many, and no other; expired ones do not count'({ store, elapse }) {
      const created = async (id: string, owner = 'ann') => !!(await store.create(task(id, { owner })));
      const all = [];
      for (let index = 0; index < 100; index++) all.push(await created(`a${index}`));
      const refused = all.indexOf(false);
      assert.ok(refused >= 3, 'There is room for three, and not for a hundred.');
      assert.equal(await created('b', 'bob'), true);
      await read(store, 'a0');
      await elapse(ttlMs + 1);
      assert.equal(await created('late'), true);
    },
  });
}
