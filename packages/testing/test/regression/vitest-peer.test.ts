import { readFileSync } from 'node:fs';
import { join } from 'node:path';

test('npm does not look at the peers of Vitest, because it ends with an error of its own there', () => {
  const file = join(__dirname, '../../package.json');
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    object
  >;
  expect(Object.keys(peerDependencies!)).not.toContain('vitest');
  expect(peerDependenciesMeta).toHaveProperty('vitest.optional', true);
});
