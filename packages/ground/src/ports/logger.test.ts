import { stderrLogger } from './logger.js';

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

test('an error that is its own cause is logged, and harms nobody', () => {
  const lines: string[] = [];
  const err = new Error('The socket hung up.');
  err.cause = { of: err };
  stderrLogger((line) => lines.push(line)).error({ err, requestId: 7 }, 'A call failed');
  const logged = JSON.parse(lines[0]!) as Record<string, string>;
  expect(logged).toMatchObject({ level: 'error', message: 'A call failed' });
  expect(logged['fields']).toContain('The socket hung up.');
  expect(lines[0]!.match(/\n/g)).toHaveLength(1);
});

test('half a surrogate pair does not leave in a line', () => {
  const lines: string[] = [];
  stderrLogger((line) => lines.push(line)).warn({ tool: 'cut \ud83d' }, 'failed \ud83d');
  expect(JSON.parse(lines[0]!)).toMatchObject({ tool: 'cut \ufffd', message: 'failed \ufffd' });
  expect(lines[0]).not.toContain('\\ud');
});
