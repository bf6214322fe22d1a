import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const script = join(__dirname, '../bundle.mjs');

test('apps and packages are loaded from bundles of the sources as they are', () => {
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
