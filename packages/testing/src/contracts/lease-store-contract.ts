import assert from 'node:assert/strict';
import type { LeaseStore } from '@toolwright/core';
import { describeContract } from './test-runner.js';

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
