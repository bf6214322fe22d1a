import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../../.ci/test/support/temporary-folder.js';
import { openSource } from './open-source.js';

const outside = temporaryFolder();
const workspace = join(outside, 'workspace');
const directory = join(workspace, 'packages/app');
const started: (readonly string[])[] = [];
const before = process.env['LAUNCH_EDITOR'];

beforeAll(() => {
  mkdirSync(join(directory, 'src'), { recursive: true });
  mkdirSync(join(workspace, 'packages/shared'));
  writeFileSync(join(workspace, 'package.json'), '{"workspaces":["packages/*"]}');
  for (const file of [
    'packages/app/src/a.ts',
    'packages/shared/b.ts',
    '../secret.ts',
    'packages/app/src/$(x) y.ts',
  ])
    writeFileSync(join(workspace, file), '');
  symlinkSync(join(outside, 'secret.ts'), join(directory, 'src/link.ts'));
});

beforeEach(() => {
  started.length = 0;
  process.env['LAUNCH_EDITOR'] = 'code';
});

afterAll(() => {
  if (before === undefined) delete process.env['LAUNCH_EDITOR'];
  else process.env['LAUNCH_EDITOR'] = before;
});

const open = (location: string) =>
  openSource(
    { location },
    {
      directory,
      refusal: (message) => new Error(message),
      start: async (editor, args) => void started.push([editor, ...args]),
    },
  );

test.each([
  ['a file of the project', 'src/a.ts:3:7', 'packages/app/src/a.ts'],
  ['a file of the workspace', '../shared/b.ts:1:1', 'packages/shared/b.ts'],
  ['a name that a shell would read', 'src/$(x) y.ts:1:1', 'packages/app/src/$(x) y.ts'],
])('%s is opened at its place, as one argument', async (_, location, file) => {
  await open(location);
  const place = location.replace(/^.*?(:\d+:\d+)$/, '$1');
  expect(started).toEqual([['code', '-r', '-g', `${join(workspace, file)}${place}`]]);
});

test.each([
  ['a file outside', '../../../secret.ts:1:1'],
  ['an absolute path', '/etc/passwd:1:1'],
  ['a link that leads outside', 'src/link.ts:1:1'],
  ['a folder', 'src:1:1'],
  ['a file that does not exist', 'src/none.ts:1:1'],
  ['an option', '--wait:1:1'],
])('%s is not opened', async (_, location) => {
  await expect(open(location)).rejects.toThrow('is no file of this workspace');
  expect(started).toEqual([]);
});

test.each(['src/a.ts', 'src/a.ts:1', 'src/a.ts:1:-1', '', 'src/a.ts\0:1:1'])(
  '%j is no place',
  async (location) => {
    await expect(open(location)).rejects.toThrow('file:line:column');
  },
);

test.each(['vim', '/usr/bin/nano'])('%s is not started, because it needs the terminal', async (editor) => {
  process.env['LAUNCH_EDITOR'] = editor;
  await expect(open('src/a.ts:1:1')).rejects.toThrow('LAUNCH_EDITOR');
  expect(started).toEqual([]);
});
