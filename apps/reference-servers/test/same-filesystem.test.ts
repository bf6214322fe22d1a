import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { contentsOf, fill, temporaryFolder } from './support/folder.js';
import { call, connect } from './support/reference-server.js';

const lines = Array.from({ length: 3_000 }, (_each, index) => `line ${index} äöü`).join('\n');
const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'windows.txt': 'one\r\ntwo\r\nthree',
  'empty.txt': '',
  'long.txt': lines,
  'picture.PNG': new Uint8Array([137, 80, 78, 71]),
  'sound.wav': new Uint8Array([1, 2, 3]),
  'data.bin': new Uint8Array([0, 255]),
  'ünicode name.md': '# Hi\n\n```js\nx\n```\n',
  '.hidden': 'h',
  'inner/b.txt': 'b',
  'inner/deep/c.md': 'c',
  'inner/node_modules/x/index.js': 'x',
  'empty/': '',
};
const base = temporaryFolder();
/** Two folders with the same files, each behind its own server. */
const folders = { ours: '', theirs: '' };
const clients = {} as Record<'ours' | 'theirs', Client>;

beforeEach(async () => {
  for (const side of ['ours', 'theirs'] as const) {
    folders[side] = join(base(), side);
    await mkdir(folders[side]);
    await fill(folders[side], files);
    await symlink('inner', join(folders[side], 'link'));
    clients[side] = await connect('filesystem', side, { args: [folders[side]] });
  }
});

type Call = [string, Record<string, unknown>];

/** What a call gives on one side, with `@` instead of the folder. In arguments `@` is the folder. */
async function answerOf(side: 'ours' | 'theirs', [name, args]: Call): Promise<unknown> {
  const swap = (value: unknown, from: string, to: string) =>
    JSON.parse(JSON.stringify(value).replaceAll(from, to)) as Record<string, unknown>;
  const {
    isError = false,
    content,
    structuredContent,
  } = await call(clients[side], name, swap(args, '@', folders[side]));
  // We leave empty texts out: APIs of models refuse a conversation that has one.
  const filled = (content as { text?: string }[]).filter(({ text }) => text !== '');
  return isError ? 'refused' : swap({ content: filled, structuredContent }, folders[side], '@');
}

async function expectSame(calls: readonly Call[]): Promise<void> {
  for (const each of calls)
    expect([each, await answerOf('ours', each)]).toEqual([each, await answerOf('theirs', each)]);
}

it('reads the same', async () => {
  const counts = [1, 2, 3, 4, 2_999, 3_000, 5_000];
  const names = ['a.txt', 'windows.txt', 'empty.txt', 'long.txt', 'ünicode name.md'];
  await expectSame([
    ...names.flatMap((name): Call[] => [
      ['read_file', { path: `$/${name}` }],
      ['read_text_file', { path: `$/${name}` }],
      ...counts.flatMap((count): Call[] => [
        ['read_text_file', { path: `$/${name}`, head: count }],
        ['read_text_file', { path: `$/${name}`, tail: count }],
      ]),
    ]),
    ['read_text_file', { path: 'a.txt' }],
    ['read_text_file', { path: '@/link/b.txt' }],
    ['read_text_file', { path: '@//inner/./b.txt' }],
    ['read_text_file', { path: '@/a.txt', head: 1, tail: 1 }],
    ['read_text_file', { path: '@/missing.txt' }],
    ['read_text_file', { path: '@/inner' }],
    ['read_text_file', { path: '/etc/passwd' }],
    ['read_text_file', { path: '../theirs-and-ours' }],
    ['read_text_file', {}],
    ['read_media_file', { path: '@/picture.PNG' }],
    ['read_media_file', { path: '@/sound.wav' }],
    ['read_media_file', { path: '@/data.bin' }],
    ['read_media_file', { path: '@/link/b.txt' }],
    ['read_multiple_files', { paths: ['@/a.txt', 'inner/b.txt'] }],
    ['read_multiple_files', { paths: [] }],
  ]);
});

it('lists the same', async () => {
  await expectSame([
    ['list_directory', { path: '@' }],
    ['list_directory', { path: '.' }],
    ['list_directory', { path: '@/empty' }],
    ['list_directory', { path: '@/link' }],
    ['list_directory', { path: '@/a.txt' }],
    ['list_directory', { path: '@/missing' }],
    ['list_directory_with_sizes', { path: '@' }],
    ['list_directory_with_sizes', { path: '@', sortBy: 'size' }],
    ['list_directory_with_sizes', { path: '@', sortBy: 'age' }],
    ['list_directory_with_sizes', { path: '@/empty' }],
    ['directory_tree', { path: '@' }],
    ['directory_tree', { path: '@', excludePatterns: ['node_modules', '*.txt'] }],
    ['directory_tree', { path: '@', excludePatterns: ['**/deep', 'inner/b.txt'] }],
    ['directory_tree', { path: '@/empty' }],
    ['directory_tree', { path: '@/a.txt' }],
    ['search_files', { path: '@', pattern: '*.txt' }],
    ['search_files', { path: '@', pattern: '**/*.{txt,md}' }],
    ['search_files', { path: '@/inner', pattern: '**', excludePatterns: ['node_modules/**'] }],
    ['search_files', { path: '@/inner', pattern: '**/*', excludePatterns: ['node_modules'] }],
    ['search_files', { path: '@/link', pattern: '*.txt' }],
    ['search_files', { path: '@', pattern: 'no such' }],
    ['search_files', { path: '@', pattern: 'li*' }],
    ['list_allowed_directories', {}],
  ]);
});

it('describes a file in the same way', async () => {
  await chmod(join(folders.ours, 'data.bin'), 0o641);
  const theirs = await connect('filesystem', 'theirs', { args: [folders.ours] });
  for (const path of ['data.bin', 'empty', 'link', 'missing']) {
    const args = { path: join(folders.ours, path) };
    const answers = [clients.ours, theirs].map(async (client) => {
      const { isError = false, content } = await call(client, 'get_file_info', args);
      return isError || content;
    });

    expect(await answers[0]).toEqual(await answers[1]);
  }
});

it('changes the same', async () => {
  await expectSame([
    ['write_file', { path: '@/new.txt', content: 'new\n' }],
    ['write_file', { path: '@/a.txt', content: 'one\ntwo\n    three\n  four\n' }],
    ['write_file', { path: '@/link/b.txt', content: 'through a link' }],
    ['write_file', { path: '@/no/folder.txt', content: '' }],
    ['write_file', { path: '@/inner', content: '' }],
    ['write_file', { path: '/etc/toolwright', content: '' }],
    ['edit_file', { path: '@/a.txt', edits: [{ oldText: 'two', newText: '$& `2`' }], dryRun: true }],
    ['edit_file', { path: '@/a.txt', edits: [{ oldText: 'two', newText: '$& ```2' }] }],
    ['edit_file', { path: '@/a.txt', edits: [{ oldText: 'three\nfour', newText: 'x\n  y\nz' }] }],
    ['edit_file', { path: '@/a.txt', edits: [{ oldText: 'nowhere', newText: '' }] }],
    ['edit_file', { path: '@/ünicode name.md', edits: [{ oldText: '```js\nx', newText: 'y' }] }],
    [
      'edit_file',
      {
        path: '@/inner/b.txt',
        edits: [
          { oldText: 'a link', newText: 'links' },
          { oldText: 'links', newText: 'two\nlines' },
        ],
      },
    ],
    ['create_directory', { path: '@/x/y/z' }],
    ['create_directory', { path: '@/x/y' }],
    ['create_directory', { path: '@/a.txt' }],
    ['move_file', { source: '@/x/y', destination: '@/moved' }],
    ['move_file', { source: '@/new.txt', destination: '@/moved/new.txt' }],
    ['move_file', { source: '@/moved/new.txt', destination: '@/a.txt' }],
    ['move_file', { source: '@/missing', destination: '@/somewhere' }],
    ['move_file', { source: '@/a.txt', destination: '/tmp/toolwright-escape' }],
  ]);

  expect(await contentsOf(folders.ours)).toEqual(await contentsOf(folders.theirs));
});

it.each(['ours', 'theirs'] as const)('%s keeps the rights of a file', async (side) => {
  const path = join(folders[side], 'a.txt');
  await chmod(path, 0o751);
  await answerOf(side, ['write_file', { path: '@/a.txt', content: 'x' }]);
  await answerOf(side, ['edit_file', { path: '@/a.txt', edits: [{ oldText: 'x', newText: 'y' }] }]);

  expect((await stat(path)).mode & 0o777).toBe(0o751);
});
