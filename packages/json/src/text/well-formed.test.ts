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
