import assert from 'node:assert/strict';
import type { IdSource } from '@toolwright/core';
import { describeContract } from './test-runner.js';

/** A source of ids under test. */
export interface IdSourceSubject {
  ids: IdSource;
  close?(): unknown;
}

const uuidV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const MANY = 2_000;

/** Declares the tests that every `IdSource` must pass. */
export function describeIdSource(
  name: string,
  create: () => IdSourceSubject | Promise<IdSourceSubject>,
): void {
  describeContract(`${name} keeps the contract of IdSource`, create, {
    async 'makes UUIDs of version 7 that carry the time'({ ids }) {
      const id = ids.uuid(0x0190_1234_5678);
      assert.match(id, uuidV7);
      assert.equal(id.slice(0, 13), '01901234-5678');
    },

    async 'makes UUIDs that sort by time'({ ids }) {
      const times = [1, 255, 1_700_000_000_000, 1_700_000_000_001, 0xffff_ffff_ffff];
      const made = times.map((time) => ids.uuid(time));
      assert.deepEqual([...made].sort(), made);
    },

    async 'makes no UUID twice, also within one millisecond'({ ids }) {
      const made = new Set(Array.from({ length: MANY }, () => ids.uuid(1)));
      assert.equal(made.size, MANY);
    },

    async 'takes times with a fraction'({ ids }) {
      assert.match(ids.uuid(1_700_000_000_000.75), uuidV7);
    },

    async 'makes references that people can read to each other, and different ones'({ ids }) {
      const made = Array.from({ length: 100 }, () => ids.reference());
      for (const reference of made) assert.match(reference, /^[\w-]{1,24}$/);
      assert.equal(new Set(made).size, made.length);
    },
  });
}
