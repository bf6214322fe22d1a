import { readableLogger } from './preload.js';

test('an error is shown in lines, with its stack and its cause, and nothing is hidden', () => {
  const written: string[] = [];
  const logger = readableLogger((text) => void written.push(text));
  const err = new Error('no such note', { cause: new Error('disk\u001b[2J') });
  logger.error({ err, tool: 'find_notes', none: undefined }, 'A call failed.');
  const [first, second, ...stack] = written.join('').split('\n');
  expect(first).toBe('error: A call failed. (tool: find_notes)');
  expect(second).toBe('  Error: no such note');
  expect(stack[0]).toMatch(/^ {6}at .*readable-logger\.test\.ts:\d+:\d+/);
  expect(written.join('')).toContain('[cause]: Error: disk\\u{1b}[2J');
});

test('messages of low severity are left out', () => {
  const written: string[] = [];
  const logger = readableLogger((text) => void written.push(text));
  logger.debug({}, 'a');
  logger.info({}, 'b');
  logger.warn({ count: 2 }, 'c');
  expect(written).toEqual(['warning: c (count: 2)\n']);
});
