import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './support/folder.js';
import { call, connect, type Side, textOf } from './support/reference-server.js';

const base = temporaryFolder();
const fileOf = (side: Side) => join(base(), `${side}.jsonl`);
const start = (side: Side) => connect('memory', side, { env: { MEMORY_FILE_PATH: fileOf(side) } });

const entity = (name: string) => ({ name, entityType: 'thing', observations: [] });

async function after(calls: [string, object][]): Promise<Record<Side, string>> {
  const on = async (side: Side) => {
    const client = await start(side);
    await Promise.all(calls.map(([name, args]) => call(client, name, args)));
    return readFile(fileOf(side), 'utf8');
  };
  return { ours: await on('ours'), theirs: await on('theirs') };
}

it('theirs loses most of what is remembered in the same moment', async () => {
  const names = Array.from({ length: 20 }, (_each, index) => `e${index}`);
  const { ours, theirs } = await after(
    names.map((name): [string, object] => ['create_entities', { entities: [entity(name)] }]),
  );

  expect(ours.split('\n')).toHaveLength(20);
  expect(theirs.split('\n').length).toBeLessThan(20);
});

it('theirs remembers two entities of one name if they come together', async () => {
  const { ours, theirs } = await after([['create_entities', { entities: [entity('x'), entity('x')] }]]);

  expect(theirs.split('\n')).toHaveLength(2);
  expect(ours.split('\n')).toHaveLength(1);
});

it('theirs lets every user of the machine read what is remembered, as far as the umask allows', async () => {
  const before = process.umask(0o022);
  try {
    await after([['create_entities', { entities: [entity('x')] }]]);
  } finally {
    process.umask(before);
  }

  expect((await stat(fileOf('theirs'))).mode & 0o777).toBe(0o644);
  expect((await stat(fileOf('ours'))).mode & 0o777).toBe(0o600);
});

it('theirs quotes a damaged file to the model; ours names the line', async () => {
  for (const side of ['ours', 'theirs'] as const)
    await writeFile(fileOf(side), '\n{"type":"entity"}\nsecret');
  const [ours, theirs] = [await start('ours'), await start('theirs')];

  expect(textOf(await call(theirs, 'read_graph'))).toContain('secret');
  const { isError, ...heard } = await call(ours, 'read_graph');
  expect(isError).toBe(true);
  expect(JSON.stringify(heard)).toContain('Line 3');
  expect(JSON.stringify(heard)).not.toContain('secret');
});

it('theirs ignores an argument that it does not know, ours names it', async () => {
  const args = { query: 'x', limit: 1 };
  const [ours, theirs] = [await start('ours'), await start('theirs')];

  expect((await call(theirs, 'search_nodes', args)).isError ?? false).toBe(false);
  expect(textOf(await call(ours, 'search_nodes', args))).toContain('limit');
});
