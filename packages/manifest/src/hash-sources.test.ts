import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { hashSources } from './hash-sources.js';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  writeFileSync(join(root, 'a.ts'), 'a');
  writeFileSync(join(root, 'b.ts'), 'b');
});

test('the hash depends neither on the order of the files nor on how their paths are written', () => {
  const hash = hashSources(root, ['a.ts', 'b.ts']);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashSources(root, [join(root, 'b.ts'), join(root, 'a.ts')])).toBe(hash);
});

test('an edited, a removed and a renamed file each change the hash', () => {
  const hash = hashSources(root, ['a.ts', 'b.ts']);
  writeFileSync(join(root, 'b.ts'), 'B');
  expect(hashSources(root, ['a.ts', 'b.ts'])).not.toBe(hash);
  expect(hashSources(root, ['a.ts', 'c.ts'])).not.toBe(hash);
  expect(hashSources(root, ['a.ts'])).not.toBe(hash);
});
