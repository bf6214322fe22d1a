import { Seal } from './seal.js';

const secret = 's'.repeat(32);

test('a sealed text can be opened, and looks different every time', () => {
  const seal = new Seal([secret], 'test');
  const [one, two] = [seal.seal({ a: 1 }), seal.seal({ a: 1 })];
  expect(one).not.toBe(two);
  expect(seal.open(one)).toEqual({ a: 1 });
});

test('no bit of it can be changed', () => {
  const seal = new Seal([secret], 'test');
  const bytes = Buffer.from(seal.seal({ a: 1 }), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(seal.open(changed.toString('base64url'))).toBeUndefined();
  }
});

test('it can only be opened for its purpose, in its context, and with one of the secrets', () => {
  const text = new Seal([secret], 'test').seal(1, 'here');
  expect(new Seal(['n'.repeat(32), secret], 'test').open(text, 'here')).toBe(1);
  expect(new Seal([secret], 'test').open(text)).toBeUndefined();
  expect(new Seal([secret], 'test').open(text, 'there')).toBeUndefined();
  expect(new Seal([secret], 'other').open(text, 'here')).toBeUndefined();
  expect(new Seal(['n'.repeat(32)], 'test').open(text, 'here')).toBeUndefined();
});

test('short secrets are refused', () => {
  expect(() => new Seal(['short'], 'test')).toThrow(TypeError);
  expect(() => new Seal([], 'test')).toThrow(TypeError);
});

test('a secret that has sealed very many texts is told, and again after as many', () => {
  const lines: object[] = [];
  const log = () => undefined;
  const logger = { debug: log, info: log, error: log, warn: (fields: object) => void lines.push(fields) };
  const seal = new Seal([secret], 'test', { logger, warnEvery: 3 });
  for (let count = 0; count < 7; count++) seal.seal(count);
  expect(lines).toEqual([
    { purpose: 'test', sealed: 3 },
    { purpose: 'test', sealed: 6 },
  ]);
});
