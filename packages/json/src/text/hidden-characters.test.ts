import {
  hiddenCharacters,
  replaceHidden,
  showHidden,
  showHiddenInJson,
  showHiddenInLine,
} from './hidden-characters.js';

test.each([
  ['zero-width space', 'a\u200bb', 'U+200B'],
  ['bidirectional override', 'a\u202eb', 'U+202E'],
  ['tag characters', 'a\u{E0041}b', 'U+E0041'],
  ['escape', 'a\u001b[0m', 'U+001B'],
  ['byte order mark', '\ufeffa', 'U+FEFF'],
  ['private use', '\ue000', 'U+E000'],
  ['joiner between letters', 'a\u200db', 'U+200D'],
  ['joiner behind the last picture', '\u{1f600}\u200d.', 'U+200D'],
  ['non-joiner between letters', 'a\u200cb', 'U+200C'],
  ['line separator', 'a\u2028b', 'U+2028'],
  ['selectors in a row', '❤\ufe0f\ufe0f', 'U+FE0F'],
  ['selector of nothing', 'a\ufe00', 'U+FE00'],
  [
    'tags behind a flag',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}',
    'U+E0041',
  ],
  ['a long text as a flag', `\u{1f3f4}${'\u{e0061}'.repeat(20)}\u{e007f}`, 'U+E0061'],
])('%s is found', (_, text, character) => {
  expect(hiddenCharacters(text)[0]).toBe(character);
});

test.each([
  'Plain text,\nwith lines\tand tabs.',
  'Größe, 価格, مرحبا, שלום',
  '👩‍💻 ❤️ 🏳️‍🌈 👩🏽‍💻 1️⃣',
  'می\u200cخواهم',
  'क्\u200dष',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '— … “quotes”',
])('%j is accepted', (text) => {
  expect(hiddenCharacters(text)[0]).toBeUndefined();
});

test('a text is shown with its hidden characters written out, and flags stay as they are', () => {
  expect(showHidden('a\u200b 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{e0041}')).toBe('a\\u{200b} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \\u{e0041}');
});

test.each([
  ['a selector of a variant, which carries any byte', 'name\u{e0100}\u{e0152}', '\\u{e0100}\\u{e0152}'],
  ['a soft hyphen', 'pay\u00adpal', '\\u{ad}'],
  ['an invisible plus', 'a\u2064b', '\\u{2064}'],
  ['a filler', 'a\u3164b', '\\u{3164}'],
  ['a joiner of words', 'a\u2060b', '\\u{2060}'],
  ['half a character', 'a\ud83d', '\\u{d83d}'],
])('%s is written out', (_what, text, written) => {
  expect(showHidden(text)).toContain(written);
  expect(showHiddenInJson(JSON.stringify({ text }))).toMatch(/^[ -~]*$/);
  expect(JSON.parse(showHiddenInJson(JSON.stringify({ text })))).toEqual({ text });
});

test('line ends and tabs stay, except in a text of one line', () => {
  expect(showHidden('a\n\r\tb')).toBe('a\n\r\tb');
  expect(showHiddenInLine('a\n\r\tb')).toBe('a\\u{a}\\u{d}\\u{9}b');
});

test('each character is written once, however often it occurs', () => {
  const asked: string[] = [];
  const write = (character: string) => (asked.push(character), '?');
  expect(replaceHidden('a\u200bb\u200b\u200bc\u2028\u200b', write)).toBe('a?b??c??');
  expect(asked).toEqual(['\u200b', '\u2028']);
});
