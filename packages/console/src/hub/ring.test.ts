import { Ring } from './recordings.js';

describe('the records that are kept', () => {
  it('are the last ones, each with its place in the order of all', () => {
    const ring = new Ring<number>({ records: 10 });
    for (let number = 1; number <= 100; number++) ring.add(number);
    const kept = ring.after();
    expect(kept.length).toBeLessThanOrEqual(12);
    expect(kept.at(-1)).toEqual({ seq: 100, record: 100 });
    expect(ring.after(99)).toEqual([{ seq: 100, record: 100 }]);
    expect(ring.after(100)).toEqual([]);
  });

  it('are fewer when they are large', () => {
    const ring = new Ring<string>({ records: 1_000, characters: 10_000 });
    for (let number = 0; number < 100; number++) ring.add('x'.repeat(998));
    expect(ring.after().length).toBeLessThanOrEqual(10);
    ring.add('y'.repeat(50_000));
    expect(ring.after()).toHaveLength(1);
    ring.clear();
    ring.add('z');
    expect(ring.after()).toEqual([{ seq: 102, record: 'z' }]);
  });
});
