import { formatResult } from './format-result.js';

const pipe = { colours: false, columns: undefined };
const text = (text: string) => ({ type: 'text', text }) as const;

test('a text is printed exactly, even if the block for models was cleaned', () => {
  const red = 'a\nb\u001b[31mred';
  const content = [text('a\nb\\u{1b}[31mred')];
  expect(formatResult({ content, structuredContent: red }, pipe)).toEqual([red]);
  expect(formatResult({ content, structuredContent: { result: red } }, pipe)).toEqual([red]);
});

test('structured content is printed as JSON if a different text is beside it', () => {
  const formatted = formatResult({ content: [text('Added.')], structuredContent: { id: 'a' } }, pipe);
  expect(JSON.parse(formatted.join(''))).toEqual({ id: 'a' });
});
