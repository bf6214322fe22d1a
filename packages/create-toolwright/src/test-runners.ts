import type { AppOptions } from './app-options.js';

/**
 * Rewrites a test for another runner. The templates are for the test runner of Node.js. Everything they use has a
 * counterpart in the other runners.
 */
export function forRunner(text: string, runner: AppOptions['test']): string {
  if (runner === 'node') return text;
  const imports = runner === 'vitest' ? "import { expect, test } from 'vitest';\n" : '';
  return text
    .replace(/^import assert.*\nimport \{ test \}.*\n/, imports)
    .replace(
      /assert\.(\w+)\(([^,]+), ([\s\S]*?)\);\n/g,
      (_check, name: keyof typeof matchers, actual, expected) => {
        return `expect(${actual}).${matchers[name]}(${expected});\n`;
      },
    );
}

const matchers = { deepEqual: 'toEqual', equal: 'toBe', match: 'toMatch' };
