import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '@toolwright/core';
import fc from 'fast-check';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { rootedPath, type RootedPath } from '../src/index.js';
import { parseRelativePath } from '../src/path/locate.js';
import { isInside } from '../src/path/resolve-inside.js';

let base: string;
let files: RootedPath;
beforeEach(async () => {
  base = temporaryFolder();
  await mkdir(join(base, 'root/inner'), { recursive: true });
  await mkdir(join(base, 'root-sibling'));
  await writeFile(join(base, 'secret.txt'), 'secret');
  await writeFile(join(base, 'root-sibling/secret.txt'), 'secret');
  await writeFile(join(base, 'root/a.txt'), 'a');
  await writeFile(join(base, 'root/inner/b.txt'), 'b');
  files = rootedPath(join(base, 'root'));
});

const refused = { code: 'TW_SAFE_PATH' };
const fail = () => {
  throw new Error('The path was not refused.');
};
const read = async (path: string) => {
  const file = await files.open(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

describe('the advice', () => {
  it('ends every refusal, and the code stays the same', async () => {
    const advised = rootedPath(join(base, 'root'), { advice: 'Send one of a.txt.' });

    await expect(advised.resolve('../secret.txt')).rejects.toMatchObject({
      code: 'TW_SAFE_PATH',
      message: expect.stringMatching(/without "\.\."\. Send one of a\.txt\.$/),
    });
    await expect(advised.open('missing.txt')).rejects.toMatchObject({
      code: 'TW_SAFE_FILE',
      message: '"missing.txt" does not exist. Send one of a.txt.',
    });
  });
});

describe('a path that stays inside', () => {
  it.each([
    ['a.txt', 'root/a.txt'],
    ['./inner//b.txt', 'root/inner/b.txt'],
    ['inner/', 'root/inner'],
    ['', 'root'],
    ['new/folder/file.txt', 'root/new/folder/file.txt'],
    ['100%.txt', 'root/100%.txt'],
    ['..a/b..', 'root/..a/b..'],
    ['a…b', 'root/a…b'],
  ])('%j is resolved', async (path, expected) => {
    expect(await files.resolve(path)).toBe(join(base, expected));
  });

  it('may lead through links that also stay inside', async () => {
    await symlink('inner', join(base, 'root/link'));
    expect(await files.resolve('link/b.txt')).toBe(join(base, 'root/inner/b.txt'));
    expect(await read('link/b.txt')).toBe('b');
  });
});

const traversals = [
  '..',
  '../secret.txt',
  '../root-sibling/secret.txt',
  'inner/../../secret.txt',
  'inner/../../../../../../../../etc/passwd',
  '/etc/passwd',
  '//etc/passwd',
  '..\\secret.txt',
  'inner\\..\\..\\secret.txt',
  '\\\\server\\share',
  'C:\\Windows\\win.ini',
  'c:secret.txt',
  '.. /secret.txt',
  '../',
  '.../secret.txt',
  '....//secret.txt',
  '%2e%2e/secret.txt',
  '%2e%2e%2fsecret.txt',
  '..%2fsecret.txt',
  '..%5csecret.txt',
  '%252e%252e%252fsecret.txt',
  '%25252e%25252e%25252fsecret.txt',
  '%2Fetc%2Fpasswd',
  '..%c0%afsecret.txt',
  '%c0%ae%c0%ae/secret.txt',
  '..%c1%9csecret.txt',
  '．．/secret.txt',
  '．．／secret.txt',
  '‥/secret.txt',
  'a.txt\0.png',
  'a.txt%00.png',
  '\0',
];

describe('a path that leads out', () => {
  it.each(traversals)('%j is refused', async (path) => {
    await expect(files.resolve(path)).rejects.toMatchObject(refused);
    await expect(files.open(path)).rejects.toBeInstanceOf(ToolError);
  });

  it('is refused with a text that a model can act on and that reveals nothing about the disk', async () => {
    const { message } = await files.resolve('../x\u202e').then(fail, (error: ToolError) => error);
    expect(message).toBe('The path "../x\\u{202e}" leads out of the folder. Give one without "..".');
    expect(message).not.toContain(base);
  });

  it.each(['con', 'NUL.txt', 'inner/COM1', 'a.txt::$DATA', 'a.txt.', 'a ', 'PROGRA~1'])(
    '%j is refused on Windows',
    (path) => {
      expect(() => parseRelativePath(path, 'win32')).toThrow(ToolError);
      expect(() => parseRelativePath(path, 'linux')).not.toThrow();
    },
  );

  it('never resolves to a place outside, whatever the text', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'a.txt',
      'inner',
      '%2e',
      '%2f',
      '%5c',
      '%00',
      '．',
      '／',
      ' ',
      '%25',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const path = await files.resolve(parts.join('')).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ToolError);
          return files.root;
        });
        expect(isInside(files.root, path)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a link that leads out', () => {
  it.each([
    ['a file', 'link', '../secret.txt', 'link'],
    ['a folder', 'link', '..', 'link/secret.txt'],
    ['an absolute place', 'link', '/etc', 'link/passwd'],
    ['something that is not there yet', 'link', '../not-yet.txt', 'link'],
    ['a folder whose name begins like the root', 'link', '../root-sibling', 'link/secret.txt'],
    ['itself', 'link', 'link', 'link'],
  ])('to %s is refused', async (_what, name, target, path) => {
    await symlink(target, join(base, 'root', name));
    await expect(files.resolve(path)).rejects.toMatchObject(refused);
    await expect(files.open(path, 'replace')).rejects.toMatchObject(refused);
    await expect(files.open(path)).rejects.toMatchObject(refused);
  });
});

describe('open', () => {
  it('replaces, appends to and creates files', async () => {
    for (const [mode, text] of [
      ['replace', 'x'],
      ['append', 'y'],
    ] as const) {
      const file = await files.open('a.txt', mode);
      await file.writeFile(text);
      await file.close();
    }
    expect(await read('a.txt')).toBe('xy');
    await (await files.open('new.txt', 'create')).close();
    await expect(files.open('new.txt', 'create')).rejects.toThrow('"new.txt" exists already.');
  });

  it.each([
    ['missing.txt', 'does not exist'],
    ['no/folder.txt', 'does not exist'],
    ['inner', 'is not a file'],
    ['', 'is not a file'],
    ['a.txt/b', 'cannot'],
  ])('of %j reports that it %s', async (path, text) => {
    await expect(files.open(path)).rejects.toThrow(text);
  });

  it('does not wait for the other end of a FIFO', async () => {
    execFileSync('/usr/bin/env', ['mkfifo', join(base, 'root/fifo')]);
    await expect(files.open('fifo')).rejects.toThrow('is not a file');
    await expect(files.open('fifo', 'append')).rejects.toThrow('is not a file');
  });

  it('never reads or changes a file outside while another process exchanges a folder and a link', async () => {
    const inner = join(base, 'root/inner');
    await writeFile(join(inner, 'secret.txt'), 'public');
    const attack = `
      const fs = require('node:fs');
      const [inner, aside, link] = ${JSON.stringify([inner, join(base, 'root/aside'), join(base, 'root/link')])};
      fs.symlinkSync('../root-sibling', link);
      process.stdout.write('x');
      for (;;) {
        fs.renameSync(inner, aside); fs.renameSync(link, inner);
        fs.renameSync(inner, link); fs.renameSync(aside, inner);
      }`;
    const attacker = spawn(process.execPath, ['-e', attack], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(attacker.stdout, 'data');
    const seen = new Set<string>();
    for (let round = 0; round < 1_500; round += 1) {
      const mode = round % 2 === 0 ? 'read' : 'append';
      const file = await files.open('inner/secret.txt', mode).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ToolError);
        return undefined;
      });
      if (file && mode === 'read') seen.add(await file.readFile('utf8'));
      else await file?.writeFile('+');
      await file?.close();
    }
    attacker.kill('SIGKILL');
    await once(attacker, 'exit');
    expect([...seen].filter((text) => !/^public\+*$/.test(text))).toEqual([]);
    expect(await readFile(join(base, 'root-sibling/secret.txt'), 'utf8')).toBe('secret');
  });

  it('follows a hard link, as the documentation says', async () => {
    await link(join(base, 'secret.txt'), join(base, 'root/hard'));
    expect(await read('hard')).toBe('secret');
  });
});

test('a root that does not exist is an error of the author, not of the caller', () => {
  expect(() => rootedPath(join(base, 'nowhere'))).toThrow(/ENOENT/);
});
