import type { RecordStore } from '@toolwright/core/ports';
import assert from 'node:assert/strict';
import { describeContract } from './test-runner.js';

/** A record store under test. It is empty. */
export interface RecordStoreSubject {
  records: RecordStore;
  /** Lets `ms` milliseconds pass for the store: it moves the store's clock, or waits. */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

const ttlMs = 60_000;
const fresh = { was: undefined } as const;

/** Declares the tests that every `RecordStore` must pass. */
export function describeRecordStore(
  name: string,
  create: () => RecordStoreSubject | Promise<RecordStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of RecordStore`, create, {
    async 'gives a record back as it was, for its room and its id alone'({ records }) {
      const value = `{"text":"naïve ✓ \\u0000 ' \\" ${'x'.repeat(10_000)}"}`;
      assert.equal(await records.put('keys', 'a', value, fresh), true);
      assert.equal(await records.get('keys', 'a'), value);
      assert.equal(await records.get('keys', 'b'), undefined);
      assert.equal(await records.get('grants', 'a'), undefined);
    },

    async 'writes only what the writer believes to be there'({ records }) {
      assert.equal(await records.put('keys', 'a', '1', { was: '0' }), false);
      assert.equal(await records.put('keys', 'a', '1', fresh), true);
      assert.equal(await records.put('keys', 'a', '2', fresh), false);
      assert.equal(await records.put('keys', 'a', '2', { was: '0' }), false);
      assert.equal(await records.get('keys', 'a'), '1');
      assert.equal(await records.put('keys', 'a', '2', { was: '1' }), true);
      assert.equal(await records.get('keys', 'a'), '2');
    },

    async 'lets one of many writers win'({ records }) {
      const race = (was: string | undefined) =>
        Promise.all(
          Array.from({ length: 20 }, async (_, at) => records.put('keys', 'a', `w${at} of ${was}`, { was })),
        );
      const first = await race(undefined);
      assert.equal(first.filter(Boolean).length, 1);
      const second = await race(await records.get('keys', 'a'));
      assert.equal(second.filter(Boolean).length, 1);
    },

    async 'forgets a record whose time has passed, and keeps the others'({ records, elapse }) {
      await records.put('keys', 'a', '1', { was: undefined, ttlMs });
      await records.put('keys', 'b', '1', fresh);
      await records.put('keys', 'c', '1', { was: undefined, ttlMs: ttlMs * 1_000 });
      await elapse(ttlMs + 1);
      assert.equal(await records.get('keys', 'a'), undefined);
      assert.equal(await records.put('keys', 'a', '2', { was: '1' }), false);
      assert.deepEqual(await records.list('keys'), [
        ['b', '1'],
        ['c', '1'],
      ]);
      assert.equal(await records.put('keys', 'a', '2', fresh), true);
    },

    async 'replaces the time of a record, too'({ records, elapse }) {
      await records.put('keys', 'a', '1', { was: undefined, ttlMs });
      await records.put('keys', 'a', '2', { was: '1' });
      await elapse(ttlMs + 1);
      assert.equal(await records.get('keys', 'a'), '2');
    },

    async 'lists a room in the order of its ids'({ records }) {
      for (const id of ['b', 'c', 'a']) await records.put('keys', id, id.toUpperCase(), fresh);
      await records.put('grants', 'd', 'D', fresh);
      assert.deepEqual(await records.list('keys'), [
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'C'],
      ]);
      assert.deepEqual(await records.list('none'), []);
    },

    async 'yields each record of a room once, however many there are'({ records, elapse }) {
      if (!records.each) return;
      const ids = Array.from({ length: 1_203 }, (_, at) => `id-${at}`);
      await Promise.all(ids.map(async (id) => records.put('keys', id, `of ${id}`, fresh)));
      await records.put('keys', 'over', '', { was: undefined, ttlMs });
      await records.put('grants', 'other', '', fresh);
      await elapse(ttlMs + 1);
      const found: (readonly [string, string])[] = [];
      for await (const record of records.each('keys')) found.push(record);
      const expected = ids.map((id) => [id, `of ${id}`] as const);
      assert.deepEqual(new Map(found), new Map(expected));
      assert.equal(found.length, ids.length);
    },

    async 'deletes a record once'({ records }) {
      await records.put('keys', 'a', '1', fresh);
      assert.equal(await records.delete('keys', 'a'), true);
      assert.equal(await records.delete('keys', 'a'), false);
      assert.equal(await records.get('keys', 'a'), undefined);
      assert.deepEqual(await records.list('keys'), []);
      assert.equal(await records.put('keys', 'a', '2', fresh), true);
    },
  });
}
