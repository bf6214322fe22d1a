import { LastWords } from './last-words.js';

async function messageOf(...lines: string[]): Promise<string> {
  const words = new LastWords(() => undefined);
  for (const line of lines) words.add(line);
  return words.addTo(new Error('It ended.')).catch((error: Error) => error.message);
}

test.each([
  [
    'an error of Node.js, below the line of its source',
    [
      'if (stopping.length > 0) throw new ConfigurationError(withExactPlaces(stopping));',
      '                         ^',
      '',
      'ConfigurationError: The configuration has a problem:',
      '  src/tools.ts:3:1: TW_TEXT_HIDDEN: a description has a hidden character.',
    ],
    'ConfigurationError: The configuration has a problem: src/tools.ts:3:1: TW_TEXT_HIDDEN: a description has a hidden character.',
  ],
  ['an error with a code', ['x.js:1', 'Error [ERR_X]: no file', '    at x'], 'Error [ERR_X]: no file'],
  ['an error of Python', ['Traceback (most recent call last):', 'KeyError: "TOKEN"'], 'KeyError: "TOKEN"'],
  ['a plain sentence', ['starting', 'TOKEN is required', 'bye'], 'TOKEN is required'],
  ['nothing of the kind', ['starting', 'bye'], 'bye'],
])('the message has what says most: %s', async (_what, lines, said) => {
  expect(await messageOf(...lines)).toBe(`It ended. The process wrote: "${said}"`);
});
