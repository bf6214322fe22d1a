import { existsSync } from 'node:fs';

/**
 * Tests that need something which only `pnpm proof:install` brings. Where it is missing they say so, unless REQUIRE_ALL makes
 * that a failure.
 *
 * @param file one file or folder of it
 * @param what its name at the beginning of a sentence, such as `The servers`
 */
export function whereInstalled(file: string, what: string): { describe: jest.Describe; note: string } {
  if (existsSync(file)) return { describe, note: '' };
  if (process.env.REQUIRE_ALL === '1') throw new Error(`${what} cannot be found: pnpm proof:install`);
  return { describe: describe.skip, note: `: not tried, \`pnpm proof:install\` brings what is missing` };
}
