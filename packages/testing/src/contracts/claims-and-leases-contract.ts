import type { ClaimStore, LeaseStore } from '@toolwright/core/ports';
import assert from 'node:assert/strict';
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

/** The test lets it pass. Where it cannot set the clock, it waits this long. */
const ttlMs = 60_000;
/** It never passes within a test, however busy the machine is. */
const LONG_MS = 3_600_000;

/** Declares the tests that every `ClaimStore` must pass. */
export function describeClaimStore(
  name: string,
  create: () => ClaimStoreSubject | Promise<ClaimStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of ClaimStore`, create, {
    async 'gives a key to the first who claims it'({ store }) {
      assert.equal(await store.claim('a', LONG_MS), true);
      assert.equal(await store.claim('a', LONG_MS), false);
      assert.equal(await store.claim('b', LONG_MS), true);
    },

    async 'gives it to one alone, when many claim at once'({ store }) {
      const claims = await Promise.all(Array.from({ length: 20 }, async () => store.claim('a', LONG_MS)));
      assert.equal(claims.filter(Boolean).length, 1);
    },

    async 'gives it again when its time has passed'({ store, elapse }) {
      await store.claim('a', ttlMs);
      await elapse(ttlMs + 1);
      assert.equal(await store.claim('a', ttlMs), true);
    },

    async 'gives it again when it was released'({ store }) {
      await store.claim('a', LONG_MS);
      assert.equal(await store.release('a'), true);
      assert.equal(await store.claim('a', LONG_MS), true);
    },

    async 'tells one alone that it has released a key, when many do at once'({ store }) {
      await store.claim('a', LONG_MS);
      const releases = await Promise.all(Array.from({ length: 20 }, async () => store.release('a')));
      assert.equal(releases.filter(Boolean).length, 1);
    },

    async 'says whether a key is claimed, if it can'({ store, elapse }) {
      if (!store.has) return;
      assert.equal(await store.has('a'), false);
      await store.claim('a', LONG_MS);
      assert.equal(await store.has('a'), true);
      assert.equal(await store.claim('a', LONG_MS), false);
      await store.claim('b', LONG_MS);
      await store.release('b');
      assert.equal(await store.has('b'), false);
      await store.claim('c', ttlMs);
      await elapse(ttlMs + 1);
      assert.equal(await store.has('c'), false);
    },

    async 'releases nothing that was never claimed, or whose time has passed'({ store, elapse }) {
      assert.equal(await store.release('a'), false);
      await store.claim('a', ttlMs);
      await elapse(ttlMs + 1);
      assert.equal(await store.release('a'), false);
    },
  });
}

/** A lease store under test. Nothing is held. */
export interface LeaseStoreSubject {
  store: LeaseStore;
  /** The store of another process. Pass it for stores that processes share. */
  peer?: LeaseStore;
  close?(): unknown;
}

const one = [{ key: 'a', max: 1 }];

/** Declares the tests that every `LeaseStore` must pass. */
export function describeLeaseStore(
  name: string,
  create: () => LeaseStoreSubject | Promise<LeaseStoreSubject>,
): void {
  describeContract(`${name} keeps the contract of LeaseStore`, create, {
    async 'gives as many leases of a key as there may be, whichever process asks'({ store, peer = store }) {
      const limits = [{ key: 'a', max: 2 }];
      assert.ok(await store.acquire(limits));
      assert.ok(await peer.acquire(limits));
      assert.equal(await store.acquire(limits), undefined);
      assert.equal(await peer.acquire(limits), undefined);
      assert.ok(await peer.acquire([{ key: 'b', max: 2 }]));
    },

    async 'gives no lease too many when many ask at once'({ store, peer = store }) {
      const limits = [{ key: 'a', max: 5 }];
      const leases = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => (index % 2 ? store : peer).acquire(limits)),
      );
      assert.equal(leases.filter(Boolean).length, 5);
    },

    async 'takes a released lease back, once'({ store, peer = store }) {
      const limits = [{ key: 'a', max: 2 }];
      const release = await store.acquire(limits);
      await store.acquire(limits);
      assert.ok(release);
      await release();
      await release();
      assert.ok(await peer.acquire(limits));
      assert.equal(await peer.acquire(limits), undefined);
    },

    async 'takes a lease of every limit or of none'({ store }) {
      await store.acquire(one);
      assert.equal(await store.acquire([{ key: 'b', max: 1 }, ...one]), undefined);
      const release = await store.acquire([
        { key: 'b', max: 1 },
        { key: 'c', max: 1 },
      ]);
      assert.ok(release);
      assert.equal(await store.acquire([{ key: 'c', max: 1 }]), undefined);
      await release();
      assert.ok(await store.acquire([{ key: 'c', max: 1 }]));
    },
  });
}
