import { RequestStateSeal } from './request-state.js';

const secret = 's'.repeat(32);

test('What was sealed can be opened, and looks different every time', () => {
  const seal = new RequestStateSeal([secret]);
  const [one, two] = [seal.seal({ a: 1 }), seal.seal({ a: 1 })];
  expect(one).not.toBe(two);
  expect(seal.open(one)).toEqual({ a: 1 });
});

test('No bit of it can be changed', () => {
  const seal = new RequestStateSeal([secret]);
  const bytes = Buffer.from(seal.seal({ a: 1 }), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(seal.open(changed.toString('base64url'))).toBeUndefined();
  }
});

test('Short secrets are refused', () => {
  expect(() => new RequestStateSeal(['short'])).toThrow(TypeError);
  expect(() => new RequestStateSeal([])).toThrow(TypeError);
});
