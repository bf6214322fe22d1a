import type { ResultCache, SessionRecords } from '@toolwright/core/ports';
import assert from 'node:assert/strict';
import { describeContract } from './test-runner.js';

/** A result cache under test. It is empty. */
export interface ResultCacheSubject {
  cache: ResultCache;
  /** The cache of another process. Pass it for caches that processes share. */
  peer?: ResultCache;
  /** Lets `ms` milliseconds pass for the cache: it moves the cache's clock, or waits. */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

const ttlMs = 60_000;
/** It never passes within a test, however busy the machine is. */
const LONG_MS = 3_600_000;
const value = { content: [{ type: 'text', text: 'naïve ✓' }], structuredContent: { total: 1.5, none: null } };

/** Declares the tests that every `ResultCache` must pass. */
export function describeResultCache(
  name: string,
  create: () => ResultCacheSubject | Promise<ResultCacheSubject>,
): void {
  describeContract(`${name} keeps the contract of ResultCache`, create, {
    async 'gives a value back as it was, for its key alone'({ cache, peer = cache }) {
      await cache.set('a', value, LONG_MS);
      assert.deepEqual(await peer.get('a'), value);
      assert.equal(await peer.get('b'), undefined);
    },

    async 'keeps the newest value of a key'({ cache }) {
      await cache.set('a', 1, LONG_MS);
      await cache.set('a', 2, LONG_MS);
      assert.equal(await cache.get('a'), 2);
    },

    async 'forgets a value when its time has passed'({ cache, elapse }) {
      await cache.set('a', value, ttlMs);
      await cache.set('b', value, LONG_MS);
      await elapse(ttlMs + 1);
      assert.equal(await cache.get('a'), undefined);
      assert.deepEqual(await cache.get('b'), value);
    },
  });
}

/** A store of session records under test. It is empty. */
export interface SessionRecordsSubject {
  records: SessionRecords;
  /** The records of another process. Pass it for records that processes share. */
  peer?: SessionRecords;
  /** Lets `ms` milliseconds pass for the store: it moves the store's clock, or waits. */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

const recordTtlMs = 60_000;
const record = { logLevel: 'warning', subscriptions: ['test://a', 'test://b?c=d'] } as const;

/** Declares the tests that every `SessionRecords` must pass. */
export function describeSessionRecords(
  name: string,
  create: () => SessionRecordsSubject | Promise<SessionRecordsSubject>,
): void {
  describeContract(`${name} keeps the contract of SessionRecords`, create, {
    async 'gives a record back as it was, for its key alone'({ records, peer = records }) {
      await records.set('a', record, LONG_MS);
      await records.set('b', { subscriptions: [] }, LONG_MS);
      assert.deepEqual(await peer.get('a'), record);
      assert.deepEqual(await peer.get('b'), { subscriptions: [] });
      assert.equal(await peer.get('c'), undefined);
    },

    async 'replaces a record, and its time'({ records, elapse }) {
      await records.set('a', record, recordTtlMs);
      await records.set('a', { subscriptions: [] }, LONG_MS);
      await elapse(recordTtlMs + 1);
      assert.deepEqual(await records.get('a'), { subscriptions: [] });
    },

    async 'finds the sessions of an owner, as long as their records are kept'({ records, elapse }) {
      if (!records.ofOwner) return;
      await records.set('a', { ...record, owner: 'ann' }, LONG_MS);
      await records.set('b', { ...record, owner: 'ann' }, recordTtlMs);
      await records.set('c', { ...record, owner: 'bob' }, LONG_MS);
      await records.set('d', { ...record, owner: 'ann' }, LONG_MS);
      await records.set('e', record, LONG_MS);
      await records.delete('d');
      assert.deepEqual([...(await records.ofOwner('ann'))].sort(), ['a', 'b']);
      assert.deepEqual(await records.get('a'), { ...record, owner: 'ann' });
      await elapse(recordTtlMs + 1);
      assert.deepEqual(await records.ofOwner('ann'), ['a']);
      assert.deepEqual(await records.ofOwner('nobody'), []);
    },

    async 'finds the sessions of a tenant, whoever their owners are'({ records }) {
      if (!records.ofOwner) return;
      await records.set('a', { ...record, owner: 'ann', tenant: 'acme' }, LONG_MS);
      await records.set('b', { ...record, owner: 'bob', tenant: 'acme' }, LONG_MS);
      await records.set('c', { ...record, owner: 'ann', tenant: 'globex' }, LONG_MS);
      await records.set('d', { ...record, owner: 'ann' }, LONG_MS);
      assert.deepEqual([...(await records.ofOwner('acme'))].sort(), ['a', 'b']);
      assert.deepEqual([...(await records.ofOwner('ann'))].sort(), ['a', 'c', 'd']);
      await records.delete('a');
      await records.set('b', { ...record, owner: 'bob' }, LONG_MS);
      assert.deepEqual(await records.ofOwner('acme'), []);
    },

    async 'forgets a record that was deleted, or whose time has passed'({ records, elapse }) {
      await records.set('a', record, LONG_MS);
      await records.set('b', record, recordTtlMs);
      await records.delete('a');
      assert.equal(await records.get('a'), undefined);
      await elapse(recordTtlMs + 1);
      assert.equal(await records.get('b'), undefined);
    },
  });
}
