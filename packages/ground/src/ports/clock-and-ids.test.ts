import { randomIds, systemClock } from './clock-and-ids.js';

describe('random ids', () => {
  it('are UUIDs of version 7 that carry the time', () => {
    const id = randomIds.uuid(0x0190_1234_5678);
    expect(id).toMatch(/^01901234-5678-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('are all different', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => randomIds.uuid(1)));
    expect(ids.size).toBe(10_000);
    expect(randomIds.reference()).toMatch(/^[\da-f]{10}$/);
  });
});

describe('the clock of the machine', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, 200 * 86_400_000])('calls once after %d ms', (delayMs) => {
    const run = jest.fn();
    systemClock.after(delayMs, run);
    jest.advanceTimersByTime(delayMs - 1);
    expect(run).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('cancels a long wait in its first and in a later part', () => {
    const run = jest.fn();
    systemClock.after(2 ** 32, run)();
    const cancel = systemClock.after(2 ** 32, run);
    jest.advanceTimersByTime(2 ** 31);
    cancel();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never calls after Infinity, and keeps no timer for it', () => {
    systemClock.after(Infinity, () => undefined);
    expect(jest.getTimerCount()).toBe(0);
  });
});
