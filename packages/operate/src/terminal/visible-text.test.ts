import fc from 'fast-check';
import { inLine, visible, visibleJson } from './visible-text.js';

test.each([
  ['plain text, with\nand\r\nline ends, ü, 世界, e\u0301 and 😀', undefined],
  ['families 👩‍👩‍👧, skins 👩🏽‍🚀, hearts ❤️ and keys 1️⃣', undefined],
  ['a\tb', 'a    b'],
  ['\u001b[8mDelete everything?\u001b[28m', '\\u{1b}[8mDelete everything?\\u{1b}[28m'],
  ['\u001b[2J\u001b[1;1HGone', '\\u{1b}[2J\\u{1b}[1;1HGone'],
  ['\u001b]52;c;ZXZpbA==\u0007', '\\u{1b}]52;c;ZXZpbA==\\u{7}'],
  [
    '\u001b]8;;http://evil.example\u001b\\good.example',
    '\\u{1b}]8;;http://evil.example\\u{1b}\\good.example',
  ],
  ['\u009b2Jgone', '\\u{9b}2Jgone'],
  ['Delete everything?\rDelete nothing?   ', 'Delete everything?\\u{d}Delete nothing?   '],
  ['back\b\b\b\bover', 'back\\u{8}\\u{8}\\u{8}\\u{8}over'],
  ['\u202egnp.exe and \u2066x\u2069', '\\u{202e}gnp.exe and \\u{2066}x\\u{2069}'],
  ['pay\u200bpal \u200d\u2060\ufeff', 'pay\\u{200b}pal \\u{200d}\\u{2060}\\u{feff}'],
  ['tags \u{e0041}\u{e007f}', 'tags \\u{e0041}\\u{e007f}'],
  ['fillers \u3164\u115f\uffa0', 'fillers \\u{3164}\\u{115f}\\u{ffa0}'],
  ['selectors a\ufe0f\ufe01\u{e0100}', 'selectors a\\u{fe0f}\\u{fe01}\\u{e0100}'],
  [
    'unassigned \u{1f1ae}\ufe0f \u{1f1ae}\u200d😀 😀\u200d\u{1f1ae}',
    'unassigned \\u{1f1ae}\\u{fe0f} \\u{1f1ae}\\u{200d}😀 😀\\u{200d}\\u{1f1ae}',
  ],
  ['lines\u2028and\u2029paragraphs', 'lines\\u{2028}and\\u{2029}paragraphs'],
  ['private \ue000, half \ud800.', 'private \\u{e000}, half \\u{d800}.'],
  [`z${'\u0301'.repeat(6)}`, `z${'\u0301'.repeat(4)}\\u{301}\\u{301}`],
  ['\u0336struck', '\\u{336}struck'],
])('%j', (text, shown = text) => {
  expect(visible(text)).toBe(shown);
});

test('no text contains anything that controls a screen', () => {
  const unit = fc.oneof(
    fc.constantFrom('\u001b', '[', '8', 'm', '\r', '\u200d', '😀', '\ufe0f', '\u0301', '\u{e0041}'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
      const shown = visible(units.join(''));
      expect(shown).not.toMatch(
        /(?!\n|\r\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u,
      );
      expect(visible(shown)).toBe(shown);
    }),
  );
});

test('a field cannot start a new line', () => {
  expect(inLine('name\nerror: none\r\n')).toBe('name\\u{a}error: none\\u{a}');
});

test('JSON hides nothing, and a program reads the exact value from it', () => {
  const value = { '\u202ekey': 'a\u200b\u001b[8m\t\n\u{e0041}\u009b👩‍👧' };
  const json = visibleJson(value);
  expect(json).toBe('{\n  "\\u202ekey": "a\\u200b\\u001b[8m\\t\\n\\udb40\\udc41\\u009b👩‍👧"\n}');
  expect(JSON.parse(json)).toEqual(value);
  expect(visible(json)).toBe(json);
});

test('integers have all their digits in JSON', () => {
  expect(visibleJson({ id: 2 ** 60 }, 0)).toBe('{"id":1152921504606846976}');
});
