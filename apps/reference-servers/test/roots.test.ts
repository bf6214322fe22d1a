import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { temporaryFolder } from './support/folder.js';
import { call, connect, type Side, textOf } from './support/reference-server.js';

const base = temporaryFolder({ 'one/a.txt': 'a', 'one/below/x.txt': 'x', 'two/b.txt': 'b', 'file.txt': '' });
const uri = (name: string) => pathToFileURL(join(base(), name)).href;
const allowed = async (client: Client) =>
  textOf(await call(client, 'list_allowed_directories'))
    .replaceAll(base(), '$')
    .split('\n')
    .slice(1);

const start = (side: Side, given: string[], roots: () => string[]) =>
  connect('filesystem', side, { args: given.map((name) => join(base(), name)), roots });

/** Ours knows the folders of the client at the first call. Theirs answers before it does, and is asked until then. */
async function expectAllowed(side: Side, client: Client, expected: string[]): Promise<void> {
  let found = await allowed(client);
  while (side === 'theirs' && String(found) !== String(expected)) found = await allowed(client);
  expect(found).toEqual(expected);
}

describe.each(['ours', 'theirs'] as const)('%s', (side) => {
  it('takes its folders from the client if the command line names none', async () => {
    const roots = () => [uri('one'), uri('file.txt'), uri('missing'), 'file://elsewhere/folder', uri('two')];
    const client = await start(side, [], roots);

    await expectAllowed(side, client, ['$/one', '$/two']);
    expect(textOf(await call(client, 'read_text_file', { path: join(base(), 'two/b.txt') }))).toBe('b');
  });

  it('keeps those of the command line if the client has none that exist', async () => {
    const client = await start(side, ['two'], () => [uri('missing')]);

    await expectAllowed(side, client, ['$/two']);
  });

  it('takes those of the client that are within the command line', async () => {
    const client = await start(side, ['one'], () => [uri('one/below')]);

    await expectAllowed(side, client, ['$/one/below']);
  });
});

it('a client can lead theirs out of the folders of the command line, but not ours', async () => {
  const roots = () => [uri('two')];
  const [ours, theirs] = [await start('ours', ['one'], roots), await start('theirs', ['one'], roots)];
  const secret = { path: join(base(), 'two/b.txt') };

  await expectAllowed('theirs', theirs, ['$/two']);
  expect(textOf(await call(theirs, 'read_text_file', secret))).toBe('b');
  expect(await allowed(ours)).toEqual(['$/one']);
  expect(await call(ours, 'read_text_file', secret)).toMatchObject({ isError: true });
});

it('ours notices at the next call when the folders of the client change', async () => {
  let now = ['one'];
  const client = await start('ours', [], () => now.map(uri));
  expect(await allowed(client)).toEqual(['$/one']);

  now = ['two', 'one'];
  expect(await allowed(client)).toEqual(['$/two', '$/one']);
});

it('ours says what is missing if neither names a folder', async () => {
  const client = await connect('filesystem', 'ours');

  expect(textOf(await call(client, 'list_directory', { path: '/' }))).toMatch(/^No folder is allowed/);
});
