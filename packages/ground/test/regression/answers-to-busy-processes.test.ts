import { within } from '../../src/call/limits/timed-store.js';
import { TimedClaimStore } from '../../src/ports/claim-store.js';
import { settled } from '../../../core/test/support/fake-clock.js';

/** A clock whose timers are due when the test says so. */
function dueClock() {
  const timers: (() => void)[] = [];
  const after = (_ms: number, run: () => void) => {
    timers.push(run);
    return () => undefined;
  };
  const due = () => timers.splice(0).forEach((run) => run());
  /** Lets the whole time pass, which has five slices. */
  const end = () => Array.from({ length: 5 }).forEach(due);
  return { now: () => 0, after, due, end };
}

const tooLate = () => new Error('too late');

test('A pause of the process is no outage of the store', async () => {
  const clock = dueClock();
  let answer!: (value: string) => void;
  const result = within(new Promise<string>((resolve) => (answer = resolve)), { clock, ms: 50, tooLate });
  clock.due();
  await settled();
  answer('sent after the pause');
  expect(await result).toBe('sent after the pause');
});

test('A store that answered while the process was busy has answered in time', async () => {
  const clock = dueClock();
  let answer!: (value: string) => void;
  const result = within(new Promise<string>((resolve) => (answer = resolve)), { clock, ms: 50, tooLate });
  clock.end();
  answer('read in the same turn');
  expect(await result).toBe('read in the same turn');
});

test('A store that does not answer is too late', async () => {
  const clock = dueClock();
  const result = within(new Promise(() => undefined), { clock, ms: 50, tooLate });
  clock.end();
  await expect(result).rejects.toThrow('too late');
});

test('Claims that answered while the process was busy have answered in time', async () => {
  const clock = dueClock();
  let answer!: (value: boolean) => void;
  const store = {
    claim: () => new Promise<boolean>((resolve) => (answer = resolve)),
    release: () => true,
  };
  const result = new TimedClaimStore(store, clock).claim('key', 1_000);
  clock.due();
  answer(true);
  expect(await result).toBe(true);
});
