import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { HmacKey } from './hmac-key.js';

const standard = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('hex');

test('is HMAC-SHA-256 for every key and text', () => {
  const keys = fc.uint8Array({ minLength: 0, maxLength: 150 });
  fc.assert(
    fc.property(keys, fc.array(fc.string({ unit: 'grapheme' })), (key, texts) => {
      const ours = new HmacKey(key);
      expect(texts.map((text) => ours.digest(text))).toEqual(texts.map((text) => standard(key, text)));
    }),
  );
});

test.each([1_364, 1_365, 1_366, 100_000])(
  'accepts texts of %i characters with three bytes each',
  (length) => {
    const key = randomBytes(32);
    expect(new HmacKey(key).digest('€'.repeat(length))).toBe(standard(key, '€'.repeat(length)));
  },
);

test('reads a text key as UTF-8', () => {
  expect(new HmacKey('schlüssel').digest('x')).toBe(standard(Buffer.from('schlüssel'), 'x'));
});
