import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, open, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './support/folder.js';
import { call, connect, type Side, textOf } from './support/reference-server.js';

/**
 * Where our file server differs from the original on purpose. Each test shows both, so that a difference that the
 * original gives up is noticed. docs/reference-servers.md lists them.
 */
const base = temporaryFolder({ 'root/a.txt': 'a', 'outside/secret.txt': 'secret', 'root/inner/b.txt': 'b' });
const root = (...names: string[]) => join(base(), 'root', ...names);

async function both(name: string, args: object) {
  return { ours: await on('ours', name, args), theirs: await on('theirs', name, args) };
}

async function on(side: Side, name: string, args: object) {
  const result = await call(await connect('filesystem', side, { args: [root()] }), name, args);
  return { isError: result.isError ?? false, text: textOf(result) };
}
const refused = (text: string) => ({ isError: true, text: expect.stringContaining(text) });

describe('links that lead out', () => {
  it('their listing tells the size of what a link outside leads to', async () => {
    await symlink('../outside/secret.txt', root('link'));
    const { ours, theirs } = await both('list_directory_with_sizes', { path: root() });

    expect(theirs.text).toMatch(/link +6 B/);
    expect(ours.text).toMatch(/link +0 B/);
  });

  it('their refusal tells where a link leads, and whether something exists there', async () => {
    await symlink('../outside', root('link'));
    const there = await both('read_text_file', { path: root('link/secret.txt') });
    const absent = await both('read_text_file', { path: root('link/nothing.txt') });

    expect(there.theirs.text).toContain(join(base(), 'outside/secret.txt'));
    expect(absent.theirs.text).not.toContain(join(base(), 'outside/nothing.txt'));
    const heard = [there, absent].map(({ ours }) => ours.text.replace(/"[^"]*"/, '…'));
    expect(new Set(heard)).toEqual(new Set(['The path … leads out of the folder.']));
  });
});

describe('files that are no files', () => {
  it('theirs waits for somebody to write into a FIFO, and reads what that is', async () => {
    execFileSync('/usr/bin/env', ['mkfifo', root('fifo')]);
    const theirs = await connect('filesystem', 'theirs', { args: [root()] });
    const waiting = call(theirs, 'read_text_file', { path: root('fifo') });
    const writer = await open(root('fifo'), 'w');
    await writer.writeFile('from another program');
    await writer.close();
    expect(textOf(await waiting)).toBe('from another program');

    const ours = await connect('filesystem', 'ours', { args: [root()] });
    expect(await call(ours, 'read_text_file', { path: root('fifo') })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('is not a file') }],
    });
  });
});

describe('sizes', () => {
  const large = (bytes: number, filling = 'x') => writeFile(root('large'), filling.repeat(bytes));
  const lost = { isError: true, text: expect.stringContaining('Connection closed') };

  it('theirs reads a file of any size, and the official client ends the connection at the answer', async () => {
    await large(6_000_000);
    const { ours, theirs } = await both('read_text_file', { path: root('large') });

    expect(theirs).toEqual(lost);
    expect(ours).toEqual(refused('has more than 3200000 bytes'));
  });

  it('theirs reads several files of any size together', async () => {
    await large(3_000_000);
    const paths = [root('large'), root('large')];
    const { ours, theirs } = await both('read_multiple_files', { paths });

    expect(theirs).toEqual(lost);
    expect(ours).toEqual({ isError: false, text: expect.stringContaining('Error - "') });
    expect(ours.text.length).toBeLessThan(3_100_000);
  });

  it('a smaller file is too large for theirs as well, if each of its bytes takes six in JSON', async () => {
    await large(1_000_000, '\u0001');
    const { ours, theirs } = await both('read_text_file', { path: root('large') });

    expect(theirs).toEqual(lost);
    expect(ours.isError).toBe(true);
    expect(ours).not.toEqual(lost);
  });

  it('theirs reads the whole file for a first line without an end; ours reads no more than 3.2 MB', async () => {
    const args = { path: root('large'), head: 1 };
    // Its time grows with the square of the length: it needs 14 seconds for as much as ours refuses.
    await large(300_000);
    expect((await on('theirs', 'read_text_file', args)).text).toHaveLength(300_000);

    await large(3_300_000);
    expect(await on('ours', 'read_text_file', args)).toEqual(refused('has more than 3200000 bytes'));
  });

  it('theirs lists a folder of any size', async () => {
    for (let index = 0; index <= 10_000; index += 1) writeFileSync(root('inner', `f${index}`), '');
    const { ours, theirs } = await both('list_directory', { path: root('inner') });

    expect(theirs.text.split('\n')).toHaveLength(10_002);
    expect(ours).toEqual(refused('has more than 10000 entries'));
  });

  it('theirs accepts a pattern that stands for a hundred thousand, and reads it once for each file', async () => {
    const pattern = '{a,b}'.repeat(14);
    const { ours, theirs } = await both('search_files', { path: root(), pattern });

    expect(theirs.text).toBe('No matches found');
    expect(ours).toEqual(refused('too many patterns'));
  });
});

describe('names', () => {
  it('a name with a line break is two entries in their listing', async () => {
    await writeFile(root('x\n[FILE] approved.txt'), '');
    const { ours, theirs } = await both('list_directory', { path: root() });

    expect(theirs.text.split('\n')).toContain('[FILE] approved.txt');
    expect(ours.text.split('\n')).toEqual([
      '[FILE] a.txt',
      '[DIR] inner',
      '[FILE] x\\u{a}[FILE] approved.txt',
    ]);
  });

  it('theirs follows "..", also within the folder; ours wants the plain path', async () => {
    const { ours, theirs } = await both('read_text_file', { path: `${root()}/inner/../a.txt` });

    expect(theirs.text).toBe('a');
    expect(ours).toEqual(refused('Give one without ".."'));
  });

  it('theirs writes files whose name a later program may decode to "..", ours does not', async () => {
    const { ours, theirs } = await both('write_file', { path: root('%2e%2e%2fx'), content: '' });

    expect(theirs.isError).toBe(false);
    expect(ours).toEqual(refused('leads out of the folder'));
  });

  it('ours hides hidden files where that is asked for; theirs has no such option', async () => {
    await writeFile(root('.env'), 'KEY=1');
    const ours = await connect('filesystem', 'ours', { args: ['--no-hidden', root()] });

    expect(textOf(await call(ours, 'list_directory', { path: root() }))).toBe('[FILE] a.txt\n[DIR] inner');
    expect(await call(ours, 'read_text_file', { path: root('.env') })).toMatchObject({ isError: true });
    expect(await call(ours, 'write_file', { path: root('.git/hooks/x'), content: '' })).toMatchObject({
      isError: true,
    });
  });
});

describe('changes', () => {
  it('theirs overwrites a file that nobody may write to', async () => {
    await chmod(root('a.txt'), 0o444);
    const { ours, theirs } = await both('write_file', { path: root('a.txt'), content: 'x' });

    expect(ours).toEqual(refused('is read-only'));
    expect(theirs.isError).toBe(false);
  });

  it('theirs lets everybody read a new file, as far as the umask allows', async () => {
    const before = process.umask(0o022);
    try {
      for (const side of ['ours', 'theirs'] as const) {
        const client = await connect('filesystem', side, { args: [root()] });
        await call(client, 'write_file', { path: root(side), content: '' });
      }
    } finally {
      process.umask(before);
    }

    expect((await stat(root('theirs'))).mode & 0o777).toBe(0o644);
    expect((await stat(root('ours'))).mode & 0o777).toBe(0o640);
  });

  it('their edit turns the line ends of a whole file from Windows into others', async () => {
    for (const side of ['ours', 'theirs'] as const) {
      await writeFile(root(side), 'one\r\ntwo\r\nthree\r\n');
      const client = await connect('filesystem', side, { args: [root()] });
      await call(client, 'edit_file', {
        path: root(side),
        edits: [{ oldText: 'one\ntwo', newText: '1\n2' }],
      });
    }

    expect(await readFile(root('theirs'), 'utf8')).toBe('1\n2\nthree\n');
    expect(await readFile(root('ours'), 'utf8')).toBe('1\r\n2\r\nthree\r\n');
  });
});

describe('arguments', () => {
  it.each([
    ['read_text_file', { path: 'a.txt', head: 0.5 }],
    ['read_text_file', { path: 'a.txt', tail: -1 }],
    ['read_text_file', { path: 'a.txt', lines: 3 }],
    ['edit_file', { path: 'a.txt', edits: [{ oldText: '', newText: 'x' }] }],
  ])('theirs accepts %s with %j', async (name, args) => {
    const { ours, theirs } = await both(name, args);

    expect(theirs.isError).toBe(false);
    expect(ours.isError).toBe(true);
  });

  it('theirs shows the terminal escapes of a file to the model; ours makes them visible', async () => {
    await writeFile(root('a.txt'), 'red: \u001b[31mx');
    const { ours, theirs } = await both('read_text_file', { path: root('a.txt') });

    expect(theirs.text).toBe('red: \u001b[31mx');
    expect(ours.text).toBe('red: \\u{1b}[31mx');
  });
});
