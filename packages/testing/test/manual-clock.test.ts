import { ManualClock } from '../src/index.js';

test('time passes when a test says so, and timers run in the order of their times', () => {
  const clock = new ManualClock();
  const start = clock.now();
  const ran: string[] = [];
  const note = (name: string) => () => ran.push(name);
  clock.after(20, note('second'));
  clock.after(10, note('first'));
  const cancel = clock.after(15, note('cancelled'));
  clock.after(50, note('later'));
  clock.after(12, () => clock.after(0, note('from a timer')));
  cancel();
  clock.advance(30);
  expect(ran).toEqual(['first', 'second']);
  clock.advance(0);
  expect(ran).toEqual(['first', 'second', 'from a timer']);
  expect(clock.now() - start).toBe(30);
});
