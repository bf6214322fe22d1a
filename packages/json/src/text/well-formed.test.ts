import { isWellFormed, wellFormed, wellFormedJson } from './well-formed.js';

/** Code units, halves among them, in all orders up to this length. */
const units = ['\ud83d', '\ude00', '\\', 'u', '\\ud83d', 'd83d', '"', 'é'];
const texts = units.flatMap((one) =>
  units.flatMap((two) => units.flatMap((three) => units.map((four) => one + two + three + four))),
);

test('JSON of any text is that of the well-formed text', () => {
  for (const text of texts) {
    expect(wellFormedJson(JSON.stringify({ [text]: [text] }))).toBe(
      JSON.stringify({ [wellFormed(text)]: [wellFormed(text)] }),
    );
    expect(isWellFormed(wellFormed(text))).toBe(true);
  }
});

test('JSON inside of a text is text, and stays', () => {
  const inside = JSON.stringify({ text: JSON.stringify(JSON.stringify('\ud83d')) });
  expect(wellFormedJson(inside)).toBe(inside);
});

test('pairs that somebody has escaped stay', () => {
  const pairs = String.raw`"\udb40\udc41 \\\udb40\udc41"`;
  expect(wellFormedJson(pairs)).toBe(pairs);
  expect(wellFormedJson(String.raw`"\udb40\udb40\udc41\udc41"`)).toBe('"\ufffd\\udb40\\udc41\ufffd"');
});

test('long runs of backslashes take linear time', () => {
  const json = JSON.stringify(`${'\\'.repeat(500_000)}\ud83d`);
  expect(JSON.parse(wellFormedJson(json))).toBe(`${'\\'.repeat(500_000)}\ufffd`);
});

test('names that differ only in halves stay different names', () => {
  const halves = {
    'a\ud83d': 1,
    'a\ude00': 2,
    'a\ufffd': 3,
    deep: [{ '\\\ud83d': 'x\ud83d', '\\\udc00\ud83d': 5 }],
  };
  expect(JSON.parse(wellFormedJson(JSON.stringify(halves)))).toEqual({
    'a\\ud83d': 1,
    'a\\ude00': 2,
    'a\ufffd': 3,
    deep: [{ '\\\\ud83d': 'x\ufffd', '\\\\udc00\\ud83d': 5 }],
  });
  // Without another name that it could be taken for, it is as in UTF-8.
  expect(wellFormedJson(JSON.stringify({ 'a\ud83d': 1, b: '\ude00' }))).toBe('{"a\ufffd":1,"b":"\ufffd"}');
});

test('names of a large object are told apart beside a long text', () => {
  const long = 'a"\\:'.repeat(4_000_000);
  const text = wellFormedJson(JSON.stringify({ long, '\ud83d': 1, '\ude00': 2 }));
  expect(Object.keys(JSON.parse(text))).toEqual(['long', '\\ud83d', '\\ude00']);
});

test('any names stay as many', () => {
  for (let at = 0; at < texts.length; at += 64) {
    const names = [...new Set(texts.slice(at, at + 64))];
    const text = wellFormedJson(JSON.stringify(Object.fromEntries(names.map((name) => [`:${name}`, name]))));
    expect(isWellFormed(text)).toBe(true);
    expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud/);
  }
});
