import { findHiddenText } from './find-hidden-text.js';

test.each<[string, string, string]>([
  ['a control character', 'ring\u0007', 'U+0007'],
  ['a backspace, which JSON writes as \\b', 'a\bb', 'U+0008'],
  ['a form feed, which JSON writes as \\f', 'a\fb', 'U+000C'],
  ['the delete character, which JSON leaves as it is', 'a\u007fb', 'U+007F'],
  ['a zero-width space', 'zero\u200bwidth', 'U+200B'],
])('%s is found at its place', (_case, text, character) => {
  const found = findHiddenText({ inputSchema: { properties: { city: { enum: ['Bern', text] } } } });
  expect(found).toEqual([{ place: 'inputSchema.properties.city.enum[1]', character }]);
});

test('a hidden character in the name of a property is found', () => {
  expect(findHiddenText({ 'ci\u200bty': 1 })).toMatchObject([{ character: 'U+200B' }]);
});

test('texts that only look escaped, and characters that people see, are fine', () => {
  const texts = ['a \\u200b b', 'C:\\temp\\b\\f', '"quoted"\t\n\r', 'Zürich 東京 🙂'];
  expect(findHiddenText({ texts, missing: undefined })).toEqual([]);
});

test('what JSON cannot express is searched all the same', () => {
  expect(findHiddenText({ meta: { size: 10n, note: 'a\u200bb' } })).toMatchObject([{ place: 'meta.note' }]);
});
