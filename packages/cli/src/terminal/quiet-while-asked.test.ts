import { quietWhileAsked } from './quiet-while-asked.js';
import type { Terminal } from '@toolwright/operate/terminal';

test('while a question waits nothing is written, and afterwards everything except the old status', async () => {
  const seen: string[] = [];
  let answer!: (text: string) => void;
  const terminal = quietWhileAsked({
    cwd: '/',
    env: {},
    columns: 80,
    rows: 24,
    colours: false,
    out: (text) => void seen.push(text),
    err: (text) => void seen.push(text),
    write: (text) => void seen.push(text),
    writeErr: (text) => void seen.push(text),
    status: (text) => void seen.push(text),
    ask: () => new Promise((resolve) => (answer = resolve)),
  } satisfies Terminal);
  const asked = terminal.ask!('Delete everything? ');
  terminal.status!('Show the weather? ');
  for (let line = 0; line < 1_200; line++) terminal.err(`log ${line}`);
  expect(seen).toEqual([]);
  answer('n');
  expect(await asked).toBe('n');
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([1_001, 'log 0', '… and 200 more lines.']);
  terminal.status!('done');
  expect(seen.at(-1)).toBe('done');
});
