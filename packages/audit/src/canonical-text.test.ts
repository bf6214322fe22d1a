import { canonicalJson } from '@toolwright/json';
import { createHash } from 'node:crypto';
import { canonicalText } from './canonical-text.js';

const long = 'a "quoted" line\n'.repeat(100);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('is canonical JSON where all strings are short', () => {
  const value = { b: ['x'.repeat(1024), 1, null], a: { d: 'é', c: true } };
  expect(canonicalText(value)).toEqual({ text: canonicalJson(value), isDigested: false });
});

test('has long strings as their SHA-256, wherever they are', () => {
  expect(canonicalText({ b: [long], a: 'short' })).toEqual({
    text: `{"a":"short","b":[#${sha256(long)}]}`,
    isDigested: true,
  });
});

test('no other value has the text of a long string', () => {
  const digest = `#${sha256(long)}`;
  const texts = [long, digest, `"${digest}"`, { [digest]: 1 }, `${long} `].map(
    (each) => canonicalText(each).text,
  );
  expect(new Set(texts).size).toBe(texts.length);
});

test('half a surrogate pair is not taken for its replacement', () => {
  const [half, replacement] = [`${long}\ud83d`, `${long}\ufffd`];
  expect(canonicalText(half).text).not.toBe(canonicalText(replacement).text);
  expect(canonicalText(half)).toEqual({ text: JSON.stringify(half), isDigested: false });
});

test('one value with a long string does not mark the next', () => {
  canonicalText(long);
  expect(canonicalText('short').isDigested).toBe(false);
});
