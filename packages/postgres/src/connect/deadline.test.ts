import { ManualClock } from '@toolwright/testing';
import { inTime } from './pool-database.js';

describe('a deadline', () => {
  it('ends what has no answer, and says so to the one who waits', async () => {
    const clock = new ManualClock();
    const giveUp = jest.fn();
    const waiting = inTime(new Promise(() => {}), { clock, ms: 100, giveUp });
    clock.advance(100);
    await expect(waiting).rejects.toMatchObject({ code: 'TW_POSTGRES_UNAVAILABLE' });
    expect(giveUp).toHaveBeenCalledTimes(1);
  });

  it('takes an answer that was there when a busy process came to read it', async () => {
    const clock = new ManualClock();
    const giveUp = jest.fn();
    let answer!: (text: string) => void;
    const waiting = inTime(new Promise<string>((resolve) => (answer = resolve)), { clock, ms: 100, giveUp });
    clock.advance(5_000);
    process.nextTick(() => answer('in time'));
    expect(await waiting).toBe('in time');
    await new Promise(setImmediate);
    expect(giveUp).not.toHaveBeenCalled();
  });
});
