import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { OutputFiles } from './watch-sources.js';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

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
