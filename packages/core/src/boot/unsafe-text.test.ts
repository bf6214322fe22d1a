import { findHiddenCharacter } from './unsafe-text.js';

test.each([
  ['zero-width space', 'a\u200bb', 'U+200B'],
  ['bidirectional override', 'a\u202eb', 'U+202E'],
  ['tag characters', 'a\u{E0041}b', 'U+E0041'],
  ['escape', 'a\u001b[0m', 'U+001B'],
  ['byte order mark', '\ufeffa', 'U+FEFF'],
  ['private use', '\ue000', 'U+E000'],
  ['joiner between letters', 'a\u200db', 'U+200D'],
])('%s is found', (_, text, character) => {
  expect(findHiddenCharacter(text)).toBe(character);
});

test.each(['Plain text,\nwith lines\tand tabs.', 'Größe, 価格, مرحبا, שלום', '👩‍💻 ❤️ 🏳️‍🌈', '— … “quotes”'])(
  '%j is fine',
  (text) => {
    expect(findHiddenCharacter(text)).toBeUndefined();
  },
);
