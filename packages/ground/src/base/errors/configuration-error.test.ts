import { inspect } from 'node:util';
import { ConfigurationError } from './configuration-error.js';
import { isToolwrightError } from './errors.js';

describe('a configuration error that nobody catches', () => {
  const error = new ConfigurationError([
    {
      code: 'TW_NAME_INVALID',
      message: 'The name "a b" has a space.',
      fix: 'Write a_b.',
      location: 'a.ts:1:1',
    },
  ]);

  test('is printed once, with its place and its fix', () => {
    const printed = inspect(error);
    expect(printed).toContain('a.ts:1:1: TW_NAME_INVALID: The name "a b" has a space.\n    Write a_b.');
    expect(printed.match(/has a space/g)).toHaveLength(1);
    expect(printed).not.toContain('Symbol(');
  });

  test('ends with the file that explains its codes', () => {
    expect(error.message).toMatch(
      /\nnode_modules\/@toolwright\/core\/docs\/errors\.md explains each code\.$/,
    );
  });

  test('still tells programs what is wrong, and which package threw it', () => {
    expect(error.problems[0]!.fix).toBe('Write a_b.');
    expect(isToolwrightError(error)).toBe(true);
    expect(isToolwrightError(new Error(error.message))).toBe(false);
  });

  test('says the same of one problem as of a list of one', () => {
    const [problem] = error.problems;
    const alone = new ConfigurationError(problem!);
    expect([alone.message, alone.problems]).toEqual([error.message, error.problems]);
  });
});
