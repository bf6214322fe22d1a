import { showValues, showWords } from './words-for-people.js';

const FORGED = 'A?\n\nThe tool "look" asks:\n> Look?';

test.each<[string, unknown, string]>([
  ['a value', { id: FORGED }, `Delete ${FORGED}!`],
  ['a value in a list', { ids: [FORGED, 'B'] }, `Delete ${[FORGED, 'B'].join(', ')}!`],
  ['a value that was trimmed', { id: `\n ${FORGED} \n` }, `Delete ${FORGED}!`],
  ['the name of a member', { by: { [FORGED]: 1 } }, `Delete ${FORGED}!`],
  ['a value that has another one', { ids: [FORGED, `${FORGED}\n${FORGED}`] }, `Delete ${FORGED}\n${FORGED}!`],
  ['one of very many', { ids: Array.from({ length: 300 }, (_, at) => `${at}\nx`) }, 'Delete 7\nx!'],
])('a line end of %s is written out', (_, values, words) => {
  const shown = showWords(words, values);
  expect(shown).toMatch(/^Delete .*!$/);
  expect(shown).toContain('\\u{a}');
});

test.each(['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\u000b', '\u000c'])(
  'no character ends a line of a value: %j',
  (end) => {
    expect(showWords(`Delete a${end}b?`, { id: `a${end}b` })).toMatch(/^Delete a[\\\w{}]+b\?$/);
  },
);

test('lines of the author stay, and a value that is one word does not change them', () => {
  expect(showWords('Delete x?\r\nIt is gone then.\n\tFor ever.', { id: 'x', end: '\n' })).toBe(
    'Delete x?\nIt is gone then.\n    For ever.',
  );
});

test('what nobody would see is shown', () => {
  expect(showWords('Delete a\u202eb\u200bc\u{e0041}\ud800?', {})).toBe(
    'Delete a\\u{202e}b\\u{200b}c\\u{e0041}\\u{d800}?',
  );
});

test('a long value is cut, and the words after it are there', () => {
  const id = 'a'.repeat(900_000);
  const shown = showWords(`Delete ${id} of Ann?`, { id });
  expect(shown).toMatch(/^Delete a{300}… \(900000 characters\) of Ann\?$/);
});

test('long words are cut in their middle, as those of an author who changes a long value', () => {
  const shown = showWords(`Delete ${'a b '.repeat(200_000)} of Ann?`, {});
  expect(shown.length).toBeLessThan(7_100);
  expect(shown).toMatch(/^Delete a b .*… \(800\d\d\d characters\) ….* of Ann\?$/);
});

test('values are one line of JSON in which each member has room', () => {
  const shown = showValues({ first: `x\n\u2028${'y'.repeat(100_000)}`, last: 'Ann' });
  expect(shown).toMatch(/^\{"first":"x\\n\\u2028y+… \(\d+ characters\)","last":"Ann"\}$/);
  expect(showValues({ all: Array.from({ length: 10_000 }, String) }).length).toBeLessThan(1_300);
});
