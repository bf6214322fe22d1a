import { keyRemover } from './without-key.js';

const key = 'sk-canary/0123456789';
const clean = keyRemover(key);
/** Each letter as JSON may write it, and the slash as PHP does. */
const escaped = [...key].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['as it is', `My key is ${key}.`, 'My key is ‹key›.'],
  ['with each letter as an escape', `My key is ${escaped}.`, 'My key is ‹key›.'],
  ['with one letter as an escape', `{"a":"${key.replace('k', '\\u006B')}"}`, '{"a":"‹key›"}'],
  ['with an escaped slash', `{"a":"${key.replace('/', '\\/')}"}`, '{"a":"‹key›"}'],
  [
    'in JSON inside of JSON',
    JSON.stringify(JSON.stringify({ a: key })),
    JSON.stringify(JSON.stringify({ a: '‹key›' })),
  ],
  ['in JSON inside of JSON, with escapes', JSON.stringify(`{"a":"${escaped}"}`), '"{"a":"‹key›"}"'],
  ['twice, in both ways', `${key} ${escaped}`, '‹key› ‹key›'],
])('a key %s is taken out of a text', (_how, text, shown) => {
  expect(clean(text)).toBe(shown);
});

test('a key is taken out of members and their names; what has none stays the same', () => {
  const given = { list: [{ [key]: 1, text: `a ${key}` }], other: { text: 'C:\\new\\u0041' } };
  const cleaned = clean(given);
  expect(cleaned).toEqual({ list: [{ '‹key›': 1, text: 'a ‹key›' }], other: given.other });
  expect(cleaned.other).toBe(given.other);
  expect(clean(given.other)).toBe(given.other);
});

test('a word in the place of a key, and no key, take nothing out', () => {
  expect(keyRemover('content')('My content')).toBe('My content');
  expect(keyRemover(undefined)('My content')).toBe('My content');
});

test('what is deeper than the stack is not shown', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  expect(JSON.stringify(clean(deep))).toContain('‹key›');
});
