import assert from 'node:assert/strict';
import type { Clock } from '@toolwright/core';
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
