import { showLabel, showQuestion } from './ask-person.js';

/** A small screen, and what was printed on it. */
function screen() {
  const said: string[] = [];
  return {
    said,
    rows: 9,
    columns: 22,
    err: (text: string) => void said.push(text),
    ask: (text: string) => {
      said.push(text);
      return Promise.resolve('');
    },
  };
}

test('a question that is longer than the screen is shown page by page', async () => {
  const terminal = screen();
  await showQuestion(`Delete everything?${'\n'.repeat(8)}Show the weather?`, terminal);
  expect(terminal.said).toEqual([
    '│ Delete everything?',
    '│',
    '│',
    '│',
    '│',
    'The question has 4 more lines. Press Enter to see more: ',
    '│',
    '│',
    '│',
    '│ Show the weather?',
  ]);
});

test('a long line is wrapped by us, so that every part has the bar in front', async () => {
  const terminal = screen();
  await showQuestion(`Delete?${' '.repeat(13)}Go on? [y/N] `, terminal);
  expect(terminal.said).toEqual(['│ Delete?', '│ Go on? [y/N]']);
});

test('a label that is too long for a prompt is first shown in full', async () => {
  const terminal = screen();
  expect(await showLabel('name\n(y/n)', terminal)).toBe('name\\u{a}(y/n)');
  expect(terminal.said).toEqual([]);
  expect(await showLabel(`your ${'very '.repeat(20)}long name`, terminal)).toMatch(/^your very .*…$/);
  expect(terminal.said.at(-1)).toBe('│ very long name');
});
