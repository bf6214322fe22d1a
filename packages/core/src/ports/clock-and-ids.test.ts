import { randomIds } from './clock-and-ids.js';

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
