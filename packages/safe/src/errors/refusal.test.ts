import { quote } from './refusal.js';

test('a foreign text that is too long is quoted in whole characters', () => {
  for (const before of ['', 'x']) expect(quote(before + '👩🏽'.repeat(80))).toMatch(/^"x?(?:👩🏽)+…"$/u);
  expect(quote('half \ud83d')).toBe('"half \\u{d83d}"');
});
