import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const LINES = 20_000;
const MEBIBYTE = 1_048_576;

/** Writes many lines of a kilobyte each, says how many bytes wait, and writes one more line when it is asked to. */
const program = `
  const { writeOut } = require('@toolwright/core/transport');
  for (let line = 0; line < ${LINES}; line++) writeOut(process.stderr, 'x'.repeat(1_023) + '\\n');
  console.log(process.stderr.writableLength);
  process.stdin.once('data', () => writeOut(process.stderr, 'later\\n', () => process.exit()));
`;

it('a log whose reader stands still keeps a megabyte, and is written again when it reads', async () => {
  const child = spawn(process.execPath, ['-e', program], { cwd: join(__dirname, '../..') });
  const [waiting] = (await once(child.stdout, 'data')) as [Buffer];
  expect(Number(String(waiting))).toBeGreaterThan(0);
  expect(Number(String(waiting))).toBeLessThan(2 * MEBIBYTE);

  let text = '';
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  // What waited arrives first.
  while (text.length < Number(String(waiting))) await once(child.stderr, 'data');
  child.stdin.write('more');
  await once(child, 'close');
  expect(text.endsWith('later\n')).toBe(true);
  expect(text.length).toBeLessThan(LINES * 1_024);
});
