import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { rootedPath, rootedPaths, type RootedPath } from '../src/index.js';
import { temporaryFolder } from './folder.js';

const base = temporaryFolder({
  'one/a.txt': 'a',
  'two/b.txt': 'b',
  'two-sibling/c.txt': 'c',
  'one/.env': 'key',
  'one/.git/config': 'key',
});
let files: RootedPath;
beforeEach(() => {
  files = rootedPaths([join(base(), 'one'), join(base(), 'two')]);
});
const refused = { code: 'TW_SAFE_PATH' };

describe('several folders', () => {
  it('accept absolute paths below each of them, and relative ones below the first', async () => {
    expect(files.roots).toEqual([join(base(), 'one'), join(base(), 'two')]);
    expect(await files.resolve(join(base(), 'two/b.txt'))).toBe(join(base(), 'two/b.txt'));
    expect(await files.resolve(`${base()}//two/./b.txt`)).toBe(join(base(), 'two/b.txt'));
    expect(await files.resolve(join(base(), 'two'))).toBe(join(base(), 'two'));
    expect(await files.resolve('a.txt')).toBe(join(base(), 'one/a.txt'));
  });

  it.each(['two-sibling/c.txt', 'on', '', 'two/../one/a.txt', 'two/%2e%2e/one/a.txt', 'two/．．/x'])(
    'refuse the absolute path <base>/%s',
    async (path) => {
      await expect(files.resolve(`${base()}/${path}`)).rejects.toMatchObject(refused);
    },
  );

  it('refuse other absolute paths without a word about their own', async () => {
    const refusal = expect(files.open('/etc/passwd')).rejects;
    await refusal.toMatchObject(refused);
    await expect(files.open('/etc/passwd')).rejects.toThrow(
      'The path "/etc/passwd" is outside the allowed folders.',
    );
  });

  it('move files from one to the other, and follow links from one to the other', async () => {
    await symlink('../two', join(base(), 'one/link'));
    await files.rename('a.txt', join(base(), 'two/a.txt'));

    expect(await readFile(join(base(), 'two/a.txt'), 'utf8')).toBe('a');
    expect(await files.readdir('link')).toHaveLength(2);
    await files.mkdir(join(base(), 'two/x/y'));
    expect((await files.stat('link/x/y')).isDirectory()).toBe(true);
  });

  it('accept a folder by the link with which it was given', async () => {
    await symlink('two', join(base(), 'alias'));
    const aliased = rootedPaths([join(base(), 'alias')]);

    expect(aliased.root).toBe(join(base(), 'two'));
    expect(await aliased.resolve(join(base(), 'alias/b.txt'))).toBe(join(base(), 'two/b.txt'));
    expect(await aliased.resolve(join(base(), 'two/b.txt'))).toBe(join(base(), 'two/b.txt'));
  });

  it('may be the root of the disk', async () => {
    expect(await rootedPaths(['/']).resolve(join(base(), 'one/a.txt'))).toBe(join(base(), 'one/a.txt'));
    expect((await rootedPaths(['/']).stat('/')).isDirectory()).toBe(true);
  });

  it('are at least one, and exist', () => {
    expect(() => rootedPaths([])).toThrow(RangeError);
    expect(() => rootedPaths([join(base(), 'one'), join(base(), 'no')])).toThrow(/ENOENT/);
  });
});

describe('hidden: false', () => {
  it('refuses names that begin with a dot, also behind a link, and does not list them', async () => {
    await symlink('.git', join(base(), 'one/git'));
    const visible = rootedPath(join(base(), 'one'), { hidden: false });

    for (const path of ['.env', '.git/config', 'git/config', '.new'])
      await expect(visible.resolve(path)).rejects.toMatchObject(refused);
    expect(await visible.readdir('.')).toEqual([
      { name: 'a.txt', kind: 'file' },
      { name: 'git', kind: 'link' },
    ]);
    expect(await rootedPath(join(base(), 'one')).readdir('.')).toHaveLength(4);
  });
});
