import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type McpServer, RequireScopes } from '@toolwright/core';
import { boot } from '../../core/test/support/booting.js';
import { settled } from '../../core/test/support/fake-clock.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { skillFolders, skillText } from './support/skill-folders.js';

const folderWith = skillFolders();
let server: McpServer;
let folder: string;
let wire: StatelessWire;

beforeEach(async () => {
  folder = folderWith({
    'refunds/SKILL.md': skillText('refunds'),
    'refunds/references/LIMITS.md': 'At most 200 euros.\n',
  });
  server = await boot({ skills: { folder, scopes: ['support'], for: () => true } });
  wire = new StatelessWire(server);
});
afterEach(() => server.close(0));

const reload = () => server.operate('ann').ask('skills.reload');
const state = async () => (await server.operate('ann').state()).skills!;

test('operators see the skills, their digests, and who may see them', async () => {
  expect(await state()).toEqual([
    {
      uri: 'skill://refunds/SKILL.md',
      name: 'refunds',
      description: expect.any(String) as string,
      files: expect.arrayContaining([
        {
          uri: 'skill://refunds/references/LIMITS.md',
          digest: expect.stringMatching(/^sha256:/) as string,
          size: 19,
        },
      ]) as object[],
      scopes: ['support'],
      isForSome: true,
    },
  ]);
});

test('files that were changed, added and removed are served after a reload', async () => {
  const [before] = await state();
  writeFileSync(join(folder, 'refunds/references/LIMITS.md'), 'None.\n');
  writeFileSync(join(folder, 'refunds/NEW.md'), 'New.\n');
  expect(await reload()).toBe(true);
  const [after] = await state();
  expect(after!.files).toHaveLength(3);
  expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
  expect(after).toMatchObject({ scopes: ['support'], isForSome: true });
  rmSync(join(folder, 'refunds/references'), { recursive: true });
  await reload();
  expect((await state())[0]!.files).toHaveLength(2);
  expect(server.resources.list().map(({ uri }) => uri)).toEqual([
    'skill://refunds/NEW.md',
    'skill://refunds/SKILL.md',
  ]);
});

test('clients that asked hear once that lists changed, and of each file with other bytes', async () => {
  const limits = 'skill://refunds/references/LIMITS.md';
  const watched = [limits, 'skill://refunds/SKILL.md'];
  const staff = StatelessWire.of(server, 'ann', {}, ['support']);
  const stream = staff.open('subscriptions/listen', {
    params: { notifications: { resourcesListChanged: true, resourceSubscriptions: watched } },
  });
  const heard = () =>
    stream.inbox.messages.slice(1).map(({ method, params }) => [method, params?.['uri']] as const);
  await reload();
  await settled();
  expect(heard()).toEqual([]);
  writeFileSync(join(folder, 'refunds/references/LIMITS.md'), 'None.\n');
  writeFileSync(join(folder, 'refunds/NEW.md'), 'New.\n');
  await reload();
  await settled();
  expect(heard()).toEqual([
    ['notifications/resources/list_changed', undefined],
    ['notifications/resources/updated', limits],
  ]);
  stream.giveUp();
});

describe('under toolwright dev', () => {
  const OBSERVER = Symbol.for('toolwright.folderObserver');
  const places = globalThis as Record<symbol, unknown>;
  let readers: { folders: readonly string[]; changed: () => Promise<unknown> }[];

  beforeEach(() => {
    readers = [];
    places[OBSERVER] = (folders: readonly string[], changed: () => Promise<unknown>) => {
      const reader = { folders, changed };
      readers.push(reader);
      return () => readers.splice(readers.indexOf(reader), 1);
    };
  });
  afterEach(() => delete places[OBSERVER]);

  test('a server says which folders it reads, reads them again, and says when it ends', async () => {
    const watched = await boot({ skills: folder });
    expect(readers.map(({ folders }) => folders)).toEqual([[folder]]);
    writeFileSync(join(folder, 'refunds/NEW.md'), 'New.\n');
    await readers[0]!.changed();
    expect(watched.resources.list()).toHaveLength(3);
    await watched.close(0);
    expect(readers).toEqual([]);
  });

  test('a server that does not boot has said which folders it reads', async () => {
    writeFileSync(join(folder, 'refunds/SKILL.md'), 'No front matter.\n');
    await expect(boot({ skills: folder })).rejects.toThrow(/cannot be served/);
    expect(readers).toHaveLength(1);
  });

  test('a server without a folder of skills watches nothing', async () => {
    await (await boot({ skills: [] })).close(0);
    expect(readers).toEqual([]);
  });
});

test('what is wrong is told, and the skills of before stay', async () => {
  const [before] = await state();
  writeFileSync(join(folder, 'refunds/SKILL.md'), 'No front matter.\n');
  await expect(reload()).rejects.toThrow(/cannot be served/);
  expect((await state())[0]).toEqual(before);
  const { result } = await wire.request('skills/list');
  expect(result.skills).toEqual([]);
});

test('what an application has changed about a file counts after a reload', async () => {
  const uri = 'skill://refunds/references/LIMITS.md';
  server.resources.update(uri, { policies: [RequireScopes.entry('admin')] });
  writeFileSync(join(folder, 'refunds/references/LIMITS.md'), 'None.\n');
  await reload();
  const codeFor = async (...scopes: string[]) =>
    (await StatelessWire.of(server, 'ann', {}, scopes).request('resources/read', { uri })).error?.code;
  expect([await codeFor('support'), await codeFor('support', 'admin')]).toEqual([403, undefined]);
});
