import { readFileSync } from 'node:fs';
import { join } from 'node:path';

test('no version of Vitest conflicts with this package, because npm then ends with an error of its own', () => {
  const file = join(__dirname, '../../package.json');
  const { peerDependencies } = JSON.parse(readFileSync(file, 'utf8')) as { peerDependencies: object };
  expect(peerDependencies).toMatchObject({ vitest: '>=1' });
});
