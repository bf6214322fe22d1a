import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputFiles } from './watch-sources.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'toolwright-outputs-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that dev has written among the sources is no edit, until a person changes it', () => {
  const outputs = new OutputFiles();
  const path = join(folder, 'views.d.ts');
  expect(outputs.isOwn(path)).toBe(false);
  outputs.write([[path, 'one']]);
  expect(outputs.isOwn(path)).toBe(true);
  writeFileSync(path, 'two');
  expect(outputs.isOwn(path)).toBe(false);
  outputs.write([[path, undefined]]);
  expect(outputs.isOwn(path)).toBe(false);
});
