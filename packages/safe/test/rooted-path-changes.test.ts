import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootedPath, type RootedPath } from '../src/index.js';
import { temporaryFolder } from './folder.js';

const base = temporaryFolder({ 'secret/s.txt': 'secret', 'root/a.txt': 'a', 'root/inner/b.txt': 'b' });
const root = (...names: string[]) => join(base(), 'root', ...names);
let files: RootedPath;
beforeEach(() => {
  files = rootedPath(root());
});

const rights = async (name: string) => (await stat(root(name))).mode & 0o7777;
const escape = { code: 'TW_SAFE_PATH' };
const wrong = (text: string) => ({ code: 'TW_SAFE_FILE', message: expect.stringContaining(text) });

describe('replace', () => {
  it('puts a text or bytes in the place of a file, and creates files', async () => {
    await files.replace('a.txt', 'new');
    await files.replace('inner/c.txt', new Uint8Array([65, 66]));

    expect(await readFile(root('a.txt'), 'utf8')).toBe('new');
    expect(await readFile(root('inner/c.txt'), 'utf8')).toBe('AB');
    expect(await readdir(root('inner'))).toEqual(['b.txt', 'c.txt']);
  });

  it('keeps the rights of the file, but no right to run as its owner', async () => {
    await chmod(root('a.txt'), 0o6751);
    await files.replace('a.txt', 'new');

    expect(await rights('a.txt')).toBe(0o751);
  });

  it('gives a new file the asked rights without those of the umask', async () => {
    const before = process.umask(0o027);
    try {
      await files.replace('plain.txt', '');
      await files.replace('own.txt', '', { mode: 0o666 });
    } finally {
      process.umask(before);
    }
    expect(await rights('plain.txt')).toBe(0o640);
    expect(await rights('own.txt')).toBe(0o640);
  });

  it('changes one name of a file: an open file and a hard link keep the old text', async () => {
    await link(root('a.txt'), root('same.txt'));
    const open = await files.open('a.txt');
    await files.replace('a.txt', 'new');

    expect(await open.readFile('utf8')).toBe('a');
    expect(await readFile(root('same.txt'), 'utf8')).toBe('a');
    await open.close();
  });

  it('follows a link inside the folder, and the link stays', async () => {
    await symlink('inner/b.txt', root('link'));
    await files.replace('link', 'new');

    expect(await readFile(root('inner/b.txt'), 'utf8')).toBe('new');
    expect((await lstat(root('link'))).isSymbolicLink()).toBe(true);
  });

  it('refuses a file without any right to write, folders, FIFOs and missing folders', async () => {
    await chmod(root('a.txt'), 0o444);
    execFileSync('/usr/bin/env', ['mkfifo', root('fifo')]);

    await expect(files.replace('a.txt', 'x')).rejects.toMatchObject(wrong('is read-only'));
    await expect(files.replace('inner', 'x')).rejects.toMatchObject(wrong('is not a file'));
    await expect(files.replace('fifo', 'x')).rejects.toMatchObject(wrong('is not a file'));
    await expect(files.replace('no/x', 'x')).rejects.toMatchObject(wrong('The folder of "no/x" does not'));
  });

  it('leaves nothing behind when it fails', async () => {
    const neither = 42 as unknown as string;
    await expect(files.replace('a.txt', neither)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });

    expect(await readdir(root())).toEqual(['a.txt', 'inner']);
  });
});

describe('mkdir', () => {
  it('makes a folder and those above it, also again', async () => {
    await files.mkdir('x/y/z');
    await files.mkdir('x/y/z');
    await files.mkdir('');

    expect((await stat(root('x/y/z'))).isDirectory()).toBe(true);
    expect((await rights('x')) & 0o027).toBe(0);
  });

  it('refuses names of files', async () => {
    await expect(files.mkdir('a.txt')).rejects.toMatchObject(wrong('is not a folder'));
    await expect(files.mkdir('a.txt/x')).rejects.toMatchObject(escape);
  });
});

describe('readdir', () => {
  it('lists names in order, with their kinds, and does not follow links', async () => {
    await symlink('../secret', root('out'));
    execFileSync('/usr/bin/env', ['mkfifo', root('fifo')]);
    await writeFile(root('B'), '');

    expect(await files.readdir('')).toEqual([
      { name: 'B', kind: 'file' },
      { name: 'a.txt', kind: 'file' },
      { name: 'fifo', kind: 'other' },
      { name: 'inner', kind: 'folder' },
      { name: 'out', kind: 'link' },
    ]);
    expect(await files.readdir('inner')).toEqual([{ name: 'b.txt', kind: 'file' }]);
  });

  it('refuses files, missing folders and folders with too many entries', async () => {
    await expect(files.readdir('a.txt')).rejects.toMatchObject(wrong('"a.txt" is not a folder'));
    await expect(files.readdir('no')).rejects.toMatchObject(wrong('"no" does not exist'));
    expect(await files.readdir('', { limit: 2 })).toHaveLength(2);
    await expect(files.readdir('', { limit: 1 })).rejects.toMatchObject({ code: 'TW_SAFE_TOO_LARGE' });
  });
});

describe('stat', () => {
  it('describes files, folders, FIFOs, the folder itself, and what a link inside leads to', async () => {
    execFileSync('/usr/bin/env', ['mkfifo', root('fifo')]);
    await symlink('inner/b.txt', root('link'));

    expect((await files.stat('a.txt')).size).toBe(1);
    expect((await files.stat('')).isDirectory()).toBe(true);
    expect((await files.stat('fifo')).isFIFO()).toBe(true);
    expect((await files.stat('link')).ino).toBe((await stat(root('inner/b.txt'))).ino);
    await expect(files.stat('no')).rejects.toMatchObject(wrong('"no" does not exist'));
  });
});

describe('rename', () => {
  it('moves files and folders', async () => {
    await files.rename('a.txt', 'inner/c.txt');
    await files.rename('inner', 'outer');

    expect(await readFile(root('outer/c.txt'), 'utf8')).toBe('a');
    expect(await readdir(root())).toEqual(['outer']);
  });

  it('overwrites nothing, not even an empty folder', async () => {
    await mkdir(root('empty'));

    await expect(files.rename('a.txt', 'inner/b.txt')).rejects.toMatchObject(wrong('exists already'));
    await expect(files.rename('inner', 'empty')).rejects.toMatchObject(wrong('exists already'));
    await expect(files.rename('a.txt', 'empty')).rejects.toMatchObject(wrong('exists already'));
    expect(await readdir(root())).toEqual(['a.txt', 'empty', 'inner']);
  });

  it('refuses what it cannot move, and leaves the new name free', async () => {
    await expect(files.rename('inner', 'inner/x')).rejects.toMatchObject(wrong('into itself'));
    await expect(files.rename('no', 'x')).rejects.toMatchObject(wrong('"no" does not exist'));
    await expect(files.rename('a.txt', 'no/x')).rejects.toMatchObject(wrong('The folder of "no/x"'));
    await expect(files.rename('', 'x')).rejects.toMatchObject(wrong('is the folder itself'));

    expect(await readdir(root('inner'))).toEqual(['b.txt']);
    expect(await readdir(root())).toEqual(['a.txt', 'inner']);
  });
});

describe('a link that leads out', () => {
  const calls: [string, (path: string) => Promise<unknown>][] = [
    ['replace', (path) => files.replace(path, 'x')],
    ['mkdir', (path) => files.mkdir(path)],
    ['readdir', (path) => files.readdir(path)],
    ['stat', (path) => files.stat(path)],
    ['rename from', (path) => files.rename(path, 'stolen')],
    ['rename to', (path) => files.rename('a.txt', path)],
  ];
  it.each(calls)('is refused by %s', async (_name, call) => {
    await symlink('../secret', root('folder'));
    await symlink('../secret/s.txt', root('file'));
    await symlink('../secret/new', root('nowhere'));

    for (const path of ['folder', 'folder/s.txt', 'folder/new/x', 'file', 'nowhere'])
      await expect(call(path)).rejects.toMatchObject(escape);
    expect(await readdir(join(base(), 'secret'))).toEqual(['s.txt']);
    expect(await readFile(join(base(), 'secret/s.txt'), 'utf8')).toBe('secret');
  });
});

test('the advice ends a refusal once, also where two paths are involved', async () => {
  const advised = rootedPath(root(), { advice: 'Ask first.' });

  await expect(advised.rename('a.txt', '../x')).rejects.toThrow(/without "\.\."\. Ask first\.$/);
  await expect(advised.readdir('no')).rejects.toThrow('"no" does not exist. Ask first.');
});
