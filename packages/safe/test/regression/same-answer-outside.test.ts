import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rootedPath } from '../../src/index.js';
import { temporaryFolder } from '../folder.js';

const base = temporaryFolder({ 'outside/file': '', 'root/': '' });

test('what exists behind a link that leads out makes no difference to the answer', async () => {
  await symlink('../outside', join(base(), 'root/link'));
  const files = rootedPath(join(base(), 'root'));
  const answer = (path: string) =>
    files.resolve(path).catch((error: Error) => error.message.replace(path, '…'));

  // A path below a file, below nothing, and the file itself: three different errors of the system.
  const answers = await Promise.all(['link/file/x', 'link/nothing/x', 'link/file'].map(answer));

  expect(new Set(answers)).toEqual(new Set(['The path "…" leads out of the folder.']));
});
