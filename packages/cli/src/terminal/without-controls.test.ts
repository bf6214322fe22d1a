import { withoutControls } from './without-controls.js';

test.each([
  ['plain text, with tabs\tand\nline ends\r\n, ü, 世界 and 😀', undefined],
  ['\u001b[1mbold\u001b[22m and \u001b[31mred\u001b[39m', undefined],
  ['\u001b[2J\u001b[1;1HGone', '\\u{1b}[2J\\u{1b}[1;1HGone'],
  ['\u001b]52;c;ZXZpbA==\u0007', '\\u{1b}]52;c;ZXZpbA==\\u{7}'],
  ['\u009b2Jgone', '\\u{9b}2Jgone'],
  ['Delete everything?\rDelete nothing?   ', 'Delete everything?\\u{d}Delete nothing?   '],
  ['\u202egnp.exe', '\\u{202e}gnp.exe'],
])('%j', (text, shown = text) => {
  expect(withoutControls(text)).toBe(shown);
});
