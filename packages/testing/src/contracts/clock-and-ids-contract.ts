import { type Clock, type IdSource, monotonic } from '@toolwright/core/ports';
import assert from 'node:assert/strict';
import { describeContract } from './test-runner.js';

/** A clock under test. */
export interface ClockSubject {
  clock: Clock;
  /** Lets this many milliseconds pass on the clock. Everything that falls due meanwhile happens. */
  elapse(ms: number): unknown;
  close?(): unknown;
}

/** Declares the tests that every `Clock` must pass. */
export function describeClock(name: string, create: () => ClockSubject | Promise<ClockSubject>): void {
  describeContract(`${name} keeps the contract of Clock`, create, {
    async 'counts milliseconds, and moves on with time'({ clock, elapse }) {
      const before = clock.now();
      await elapse(20);
      const passed = clock.now() - before;
      // By this clock, a machine's timer may fire a millisecond early.
      assert.ok(passed >= 19, `${passed} ms have passed`);
    },

    async 'has a monotonic clock that moves on with time'({ clock, elapse }) {
      const before = monotonic(clock);
      await elapse(20);
      const passed = monotonic(clock) - before;
      assert.ok(passed >= 19, `${passed} ms have passed`);
    },

    async 'calls once when the delay is over, and not at once'({ clock, elapse }) {
      let calls = 0;
      clock.after(10, () => calls++);
      assert.equal(calls, 0);
      await elapse(30);
      await elapse(30);
      assert.equal(calls, 1);
    },

    async 'calls what is due earlier first, whoever asked first'({ clock, elapse }) {
      const called: string[] = [];
      clock.after(40, () => called.push('later'));
      clock.after(5, () => called.push('sooner'));
      await elapse(80);
      assert.deepEqual(called, ['sooner', 'later']);
    },

    async 'waits longer than a timer of JavaScript can, and for ever'({ clock, elapse }) {
      const called: number[] = [];
      const delays = [2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, Infinity];
      const cancels = delays.map((ms) => clock.after(ms, () => called.push(ms)));
      await elapse(50);
      assert.deepEqual(called, []);
      for (const cancel of cancels) cancel();
    },

    async 'calls nothing that was cancelled, however often'({ clock, elapse }) {
      let calls = 0;
      const cancel = clock.after(10, () => calls++);
      cancel();
      cancel();
      await elapse(30);
      assert.equal(calls, 0);
    },

    async 'lets a call be cancelled when it has come'({ clock, elapse }) {
      let calls = 0;
      const cancel = clock.after(1, () => calls++);
      await elapse(20);
      cancel();
      assert.equal(calls, 1);
    },
  });
}

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
