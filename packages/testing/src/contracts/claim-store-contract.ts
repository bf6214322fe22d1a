import assert from 'node:assert/strict';
import type { ClaimStore } from '@toolwright/core';
import { describeContract } from './test-runner.js';

/** A claim store under test. It is empty. */
export interface ClaimStoreSubject {
  store: ClaimStore;
  /**
   * Lets `ms` milliseconds pass for the store. It moves the store's clock, or waits where the test cannot set
   * the clock.
   */
  elapse(ms: number): void | Promise<void>;
  close?(): unknown;
}

const ttlMs = 500;

/** Declares the tests that every `ClaimStore` must pass. */
export function describeClaimStore(
  name: string,
  create: () => ClaimStoreSubject | Promise<ClaimStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of ClaimStore`, create, {
    async 'gives a key to the first who claims it'({ store }) {
      assert.equal(await store.claim('a', ttlMs), true);
      assert.equal(await store.claim('a', ttlMs), false);
      assert.equal(await store.claim('b', ttlMs), true);
    },

    async 'gives it to one alone, when many claim at once'({ store }) {
      const claims = await Promise.all(Array.from({ length: 20 }, async () => store.claim('a', ttlMs)));
      assert.equal(claims.filter(Boolean).length, 1);
    },

    async 'gives it again when its time has passed'({ store, elapse }) {
      await store.claim('a', ttlMs);
      await elapse(ttlMs + 1);
      assert.equal(await store.claim('a', ttlMs), true);
    },

    async 'gives it again when it was released'({ store }) {
      await store.claim('a', ttlMs);
      assert.equal(await store.release('a'), true);
      assert.equal(await store.claim('a', ttlMs), true);
    },

    async 'tells one alone that it has released a key, when many do at once'({ store }) {
      await store.claim('a', ttlMs);
      const releases = await Promise.all(Array.from({ length: 20 }, async () => store.release('a')));
      assert.equal(releases.filter(Boolean).length, 1);
    },

    async 'says whether a key is claimed, if it can'({ store, elapse }) {
      if (!store.has) return;
      assert.equal(await store.has('a'), false);
      await store.claim('a', ttlMs);
      assert.equal(await store.has('a'), true);
      assert.equal(await store.claim('a', ttlMs), false);
      await store.claim('b', ttlMs);
      await store.release('b');
      assert.equal(await store.has('b'), false);
      await elapse(ttlMs + 1);
      assert.equal(await store.has('a'), false);
    },

    async 'releases nothing that was never claimed, or whose time has passed'({ store, elapse }) {
      assert.equal(await store.release('a'), false);
      await store.claim('a', ttlMs);
      await elapse(ttlMs + 1);
      assert.equal(await store.release('a'), false);
    },
  });
}
