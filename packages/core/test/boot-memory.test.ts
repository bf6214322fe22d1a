import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';

const KB = 1024;

function manifestOf(tools: number, name: string) {
  const methods = Object.fromEntries(Array.from({ length: tools }, (_, index) => [`tool${index}`, ['text']]));
  return handMadeManifest({ file: 'src/many.ts', name, methods });
}

test('a boot takes at most 14 KB of memory for each tool, what it throws away included', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'manifests.json');
  const manifests = [manifestOf(100, 'First'), manifestOf(100, 'Few'), manifestOf(600, 'Many')];
  writeFileSync(file, JSON.stringify(manifests));
  const child = join(__dirname, 'support/boot-memory.cjs');
  const flags = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
  const bytes = Number(execFileSync(process.execPath, [...flags, child, file], { encoding: 'utf8' }));
  expect(bytes).toBeGreaterThan(KB);
  expect(bytes).toBeLessThanOrEqual(14 * KB);
});
