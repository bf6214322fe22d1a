import { stderrLogger } from './stderr-logger.js';

test('a warning is one line of JSON, whatever is in it', () => {
  const lines: string[] = [];
  const logger = stderrLogger((line) => lines.push(line));
  logger.warn({ tool: 'a\nforged line', size: 5n }, 'odd\u001b[31m');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(lines[0]).not.toContain('\u001b');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'warn',
    tool: 'a\nforged line',
    size: '5',
    message: 'odd\u001b[31m',
  });
});

test('errors are logged with their stack and cause', () => {
  const lines: string[] = [];
  stderrLogger((line) => lines.push(line)).error(
    { err: new Error('outer', { cause: new Error('inner') }) },
    'failed',
  );
  expect(JSON.parse(lines[0]!)).toMatchObject({
    err: { message: 'outer', stack: expect.stringContaining('outer'), cause: { message: 'inner' } },
  });
});

test('less than a warning is not logged', () => {
  const lines: string[] = [];
  const logger = stderrLogger((line) => lines.push(line));
  logger.info({}, 'started');
  logger.debug({}, 'detail');
  expect(lines).toEqual([]);
});
