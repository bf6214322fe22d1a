import { cleanText, cleanValue, hasHidden } from './clean-text.js';

describe('hidden characters', () => {
  it.each([
    ['\u0000\u001b[2J', '\\u{0}\\u{1b}[2J'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['hi\u{e0069}', 'hi\\u{e0069}'],
    ['a\u200d\u200c\u200db', 'a\\u{200d}\\u{200c}\\u{200d}b'],
    ['soft\u00adhyphen', 'soft\\u{ad}hyphen'],
  ])('are shown: %j', (text, shown) => {
    expect(hasHidden(text)).toBe(true);
    expect(cleanText(text, 'escape')).toBe(shown);
    expect(hasHidden(cleanText(text, 'drop'))).toBe(false);
  });

  it.each([
    'tab\tand\r\nlines',
    '👩‍👩‍👧 ❤️ 🏳️‍🌈',
    'می‌خواهم',
    'שלום \u200f',
    'e\u0301',
    '日本\u3000語',
    'naïve – “quotes”',
  ])('are not those that people write: %j', (text) => {
    expect(hasHidden(text)).toBe(false);
    expect(cleanText(text, 'escape')).toBe(text);
  });

  it('are found anywhere inside of a value, which is copied only then', () => {
    const clean = (text: string) => cleanText(text, 'drop');
    const fine = { a: ['x', { b: 1 }] };
    expect(cleanValue(fine, clean)).toBe(fine);
    expect(cleanValue({ a: ['x\u200b', { b: 1 }], c: null }, clean)).toEqual({ a: ['x', { b: 1 }], c: null });
    expect(cleanValue({ 'ke\u200by': { '\u202eb': 1 } }, clean)).toEqual({ key: { b: 1 } });
  });
});
