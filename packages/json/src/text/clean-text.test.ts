import { cleanText, cleanTextOrJson, cleanValue, isDoubtful } from './clean-text.js';

const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';

describe('characters that no honest text needs', () => {
  it.each([
    ['a colour', 'a\u001b[31mred\u001b[0m', 'a\\u{1b}[31mred\\u{1b}[0m', 'ared'],
    ['a title', '\u001b]0;pwned\u0007x', '\\u{1b}]0;pwned\\u{7}x', 'x'],
    ['a link', '\u001b]8;;http://a\u001b\\x', '\\u{1b}]8;;http://a\\u{1b}\\x', 'x'],
    ['eight bits', '\u009b31mred\u009d0;t\u009c', '\\u{9b}31mred\\u{9d}0;t\\u{9c}', 'red'],
    ['an escape without an end', 'a\u001b]0;x', 'a\\u{1b}]0;x', 'a0;x'],
    ['an escape alone', 'a\u001b', 'a\\u{1b}', 'a'],
    ['tags', 'hi\u{e0069}\u{e007f}', 'hi\\u{e0069}\\u{e007f}', 'hi'],
    ['tags behind a flag', `${scotland}\u{e0041}`, `${scotland}\\u{e0041}`, scotland],
    [
      'a long text as a flag',
      `\u{1f3f4}${'\u{e0061}'.repeat(9)}\u{e007f}`,
      `\u{1f3f4}${'\\u{e0061}'.repeat(9)}\\u{e007f}`,
      '\u{1f3f4}',
    ],
    ['selectors of no ideograph', 'a\u{e0100}', 'a\\u{e0100}', 'a'],
    ['an override without an end', 'a\u202eb', 'a\\u{202e}b', 'ab'],
    ['one that ends on another line', 'a\u202eb\n\u202c', 'a\\u{202e}b\n\\u{202c}', 'ab\n'],
    ['an end without a beginning', 'a\u202c\u2069', 'a\\u{202c}\\u{2069}', 'a'],
    ['an end of another kind', '\u2066a\u202c\u2069', '\u2066a\\u{202c}\u2069', '\u2066a\u2069'],
    ['an embedding that its isolate ends', '\u2067\u202ba\u2069', '\u2067\\u{202b}a\u2069', '\u2067a\u2069'],
  ])('are written out, or left out: %s', (_, text, shown, dropped) => {
    expect(cleanText(text, 'escape')).toBe(shown);
    expect(cleanText(text, 'drop')).toBe(dropped);
    expect(cleanText(shown, 'escape')).toBe(shown);
  });

  it.each([
    ['a byte order mark', '\ufefftext'],
    ['form feeds and other controls', 'a\fb\vc\u0000d\be\u0007f\u0085g\u007f'],
    ['soft hyphens', 'soft\u00adhyphen'],
    ['joiners', 'می\u200cخواهم क्\u200dष a\u200db'],
    ['spaces without width', 'ภาษา\u200bไทย \u2060'],
    ['direction marks', 'שלום \u200f \u200e \u061c'],
    ['embeddings and isolates that end', 'a \u202bשלום\u202c b \u2067\u202dc\u202c\u2069 \u2068d\u2069'],
    ['emoji and flags', `👩‍👩‍👧 ❤️ 🏳️‍🌈 1️⃣ ${scotland}`],
    ['variants of ideographs', '葛\u{e0100}飾区'],
    ['private use', '\ue0b0 \u{f0001}'],
    ['line ends', 'tab\tand\r\nlines\u2028\u2029'],
    ['everything else that people write', 'e\u0301 日本\u3000語 naïve – “quotes”'],
  ])('other characters stay: %s', (_, text) => {
    expect(cleanText(text, 'escape')).toBe(text);
    expect(cleanText(text, 'drop')).toBe(text);
  });

  it('cleaning takes linear time', () => {
    const steps = (text: string) => [...text.matchAll(/./gu)].length;
    for (const text of [
      '\u001b]x',
      '\u009d',
      '\u001b[',
      '\u202e',
      '\u2066\u202e\u2069',
      '\u{1f3f4}\u{e0061}',
    ]) {
      const long = text.repeat(40_000);
      expect(steps(cleanText(long, 'escape'))).toBeGreaterThan(40_000);
    }
  });
});

test('JSON keeps its value, because hidden characters are escaped as in JSON', () => {
  const drop = (text: string) => cleanText(text, 'drop');
  const value = { a: 'x\u202e', 'b\u{e0041}': ['\u009b31m', '\u202c', '\u001b[0m'] };
  const cleaned = cleanTextOrJson(JSON.stringify(value), drop);
  expect(JSON.parse(cleaned)).toEqual(value);
  expect(cleaned).toMatch(/^[ -~]*$/);
  expect(cleanTextOrJson('{no json\u202e}', drop)).toBe('{no json}');
});

test('a value is cleaned at any depth, and copied only if something changes', () => {
  const clean = (text: string) => cleanText(text, 'drop');
  const fine = { a: ['x', { b: 1 }] };
  expect(cleanValue(fine, clean)).toBe(fine);
  expect(cleanValue({ a: ['x\u202e', { b: 1 }], c: null }, clean)).toEqual({ a: ['x', { b: 1 }], c: null });
  expect(cleanValue({ 'ke\u202ey': { '\u202eb': 1 } }, clean)).toEqual({ key: { b: 1 } });
});

test('a long text is found doubtful for the same characters as a short one', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const found = (text: string) => characters.filter((each) => isDoubtful(text + each));
  expect(found('x'.repeat(1_000))).toEqual(found(''));
  expect(found('é'.repeat(1_000))).toEqual(found(''));
});

// Each of these took time that grows with the square of its length, or overflowed the stack.
test.each([
  ['opened, and closed by the wrong end', `${'\u202a'.repeat(150_000)}${'\u2069'.repeat(150_000)}`],
  ['opened on a line that ends', `${'\u202e'.repeat(300_000)}\n`],
  ['opened, and never closed', '\u2067'.repeat(300_000)],
])('very many changes of direction are cleaned: %s', (_, text) => {
  expect(cleanText(text, 'drop').trim()).toBe('');
  expect(cleanText(text, 'escape')).toHaveLength(
    300_000 * '\\u{202a}'.length + (text.endsWith('\n') ? 1 : 0),
  );
});
