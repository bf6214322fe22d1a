import { createHash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import type { Skill, SkillResourceEntry } from '@modelcontextprotocol/server/ext/skills';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import type { McpServer, ServerOptions } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { manySkills, skillFolders, skillText } from './support/skill-folders.js';

const folderWith = skillFolders();
let server: McpServer | undefined;
let http: HttpService | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  await http?.close();
  await server?.close(0);
  [client, http, server] = [undefined, undefined, undefined];
});

async function start(options: Partial<ServerOptions>): Promise<StatelessWire> {
  server = await boot(options);
  return new StatelessWire(server);
}

async function officialClient(
  mode: 'legacy' | { pin: string } = { pin: '2026-07-28' },
): Promise<SkillsClient> {
  http = await serveHttp(server!, { port: 0 });
  client = new Client({ name: 'official', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
  return new SkillsClient(client);
}

describe('a folder of skills', () => {
  test('has the entries that the official server makes of it', async () => {
    const folder = folderWith(manySkills);
    const wire = await start({ skills: folder });
    const { result } = await wire.request('skills/list');
    const theirs = await loadSkills(folder, { strict: true });
    // Both orders are right. Theirs is that of the URIs, ours that of the folders.
    const sorted = <Of extends { uri: string }>(all: readonly Of[]) =>
      [...all].sort((one, other) => (one.uri < other.uri ? -1 : 1));
    const filed = (all: readonly Skill[]) =>
      sorted(all).map(({ resources, ...skill }) => ({
        ...skill,
        resources: sorted(resources as SkillResourceEntry[]),
      }));
    expect(filed(result.skills)).toEqual(filed(theirs.entries));
    expect(result.skills).toHaveLength(4);
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' });
  });

  test.each([{ pin: '2026-07-28' }, 'legacy'] as const)(
    'is read and verified by the official client (%j)',
    async (mode) => {
      await start({ skills: folderWith(manySkills) });
      const skills = await officialClient(mode);
      expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
      const { skills: listed } = await skills.list();
      let files = 0;
      for (const skill of listed) {
        expect((await skills.get(skill.uri)).skill).toEqual(skill);
        for (const { uri } of skill.resources as { uri: string }[]) {
          expect((await skills.read(skill, uri)).verified).toBe(true);
          files++;
        }
      }
      expect([listed.length, files]).toEqual([4, 7]);
    },
  );

  test('is read folder by folder', async () => {
    await start({ skills: folderWith(manySkills) });
    const skills = await officialClient();
    const namesIn = async (uri: string) =>
      (await skills.readDirectory(uri)).resources.map(({ name, mimeType }) => `${name} ${mimeType}`);
    expect(await namesIn('skill://acme')).toEqual(['billing inode/directory']);
    expect(await namesIn('skill://acme/billing/refunds')).toEqual([
      'refunds text/markdown',
      'partial inode/directory',
      'templates inode/directory',
    ]);
    expect(await namesIn('skill://acme/billing/refunds/templates')).toEqual([
      'letter to all.md text/markdown',
      'seal.png image/png',
    ]);
  });

  test('has what the author wrote in its front matter, by YAML 1.2', async () => {
    const wire = await start({ skills: folderWith(manySkills) });
    const { result } = await wire.request('skills/get', { uri: 'skill://acme/billing/refunds/SKILL.md' });
    expect(result.skill.frontmatter).toEqual({
      name: 'refunds',
      description: 'Does what refunds says.',
      license: 'MIT',
      metadata: { version: '2.1', reviewed: '2026-09-01', strict: 'no' },
    });
  });

  test('may be one skill, and may have a prefix', async () => {
    const folder = folderWith({ 'one-thing/SKILL.md': skillText('one-thing') });
    const wire = await start({ skills: { folder: `${folder}/one-thing`, prefix: 'acme/v2', ttl: '1h' } });
    const { result } = await wire.request('skills/list');
    expect(result.skills[0].uri).toBe('skill://acme/v2/one-thing/SKILL.md');
    expect(result.ttlMs).toBe(3_600_000);
  });

  test('has its bytes in the answer, whatever happens to the file later', async () => {
    const bytes = Buffer.from([0, 255, 1]);
    const folder = folderWith({ 'a/SKILL.md': skillText('a'), 'a/data.bin': bytes });
    const wire = await start({ skills: folder });
    folderWith({});
    const { result } = await wire.request('resources/read', { uri: 'skill://a/data.bin' });
    expect(result.contents[0]).toMatchObject({ blob: bytes.toString('base64') });
    const entry = (await wire.request('skills/get', { uri: 'skill://a/SKILL.md' })).result.skill;
    expect(entry.resources[1].digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  });
});

describe('what does not exist', () => {
  test.each([
    ['skills/get', { uri: 'skill://git-workflow' }],
    ['skills/get', { uri: 'skill://other/SKILL.md' }],
    ['skills/get', {}],
    ['skills/list', { cursor: 'made up' }],
    ['resources/directory/read', { uri: 'skill://git-workflow/SKILL.md' }],
    ['resources/directory/read', { uri: 'skill://git-workflow/' }],
    ['resources/directory/read', { uri: 'skill:/' }],
    ['resources/read', { uri: 'skill://git-workflow/../../etc/passwd' }],
    ['resources/read', { uri: 'skill://git-workflow/%2e%2e/acme/billing/refunds/SKILL.md' }],
    ['resources/read', { uri: 'skill://git-workflow/.secret' }],
  ])('%s of %j is -32602', async (method, params) => {
    const wire = await start({ skills: folderWith({ ...manySkills, 'git-workflow/.secret': 'key' }) });
    expect((await wire.request(method, params)).error?.code).toBe(-32602);
  });

  test('is a capability that nobody asked for', async () => {
    const wire = await start({});
    expect((await wire.request('skills/list')).error?.code).toBe(-32601);
  });
});

test('A long list comes in pages, and each skill is on one of them', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `skill-${index}`);
  const wire = await start({
    skills: folderWith(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)]))),
  });
  const found: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const { result } = await wire.request('skills/list', cursor ? { cursor } : {});
    found.push(
      ...(result.skills as { frontmatter: { name: string } }[]).map((each) => each.frontmatter.name),
    );
    sizes.push(result.skills.length);
    cursor = result.nextCursor;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(found)).toEqual(new Set(names));
});
