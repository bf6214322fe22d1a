import { findHiddenCharacter, showHidden } from './find-hidden-text.js';

test.each([
  ['zero-width space', 'a\u200bb', 'U+200B'],
  ['bidirectional override', 'a\u202eb', 'U+202E'],
  ['tag characters', 'a\u{E0041}b', 'U+E0041'],
  ['escape', 'a\u001b[0m', 'U+001B'],
  ['byte order mark', '\ufeffa', 'U+FEFF'],
  ['private use', '\ue000', 'U+E000'],
  ['joiner between letters', 'a\u200db', 'U+200D'],
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
  expect(findHiddenCharacter(text)).toBe(character);
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
  expect(findHiddenCharacter(text)).toBeUndefined();
});

test('a text is shown with its hidden characters written out, and flags stay as they are', () => {
  expect(showHidden('a\u200b 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{e0041}')).toBe('a\\u{200B} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \\u{E0041}');
});
