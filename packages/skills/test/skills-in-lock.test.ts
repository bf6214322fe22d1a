import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { snapshotServers } from '../../cli/src/app/child/snapshot-servers.js';
import { readLock, writeLock } from '../../cli/src/contract/lock-file.js';
import { compareSkills, type Skills } from '../../cli/src/contract/skills.js';
import { boot } from '../../core/test/support/booting.js';
import { skillFolders, skillText } from './support/skill-folders.js';

const folderWith = skillFolders();
const project = temporaryFolder();
const lock = join(project, 'mcp.lock.json');
let server: McpServer;
let folder: string;

beforeEach(async () => {
  folder = folderWith({
    'refunds/SKILL.md': skillText('refunds'),
    'refunds/references/LIMITS.md': 'At most 200 euros.\n',
    'letters/SKILL.md': skillText('letters'),
  });
  server = await boot({ skills: folder });
});
afterEach(() => server.close(0));

const skillsNow = async () => (await snapshotServers([server], undefined)).skills!;
const write = (skills: Skills | undefined) => writeLock(lock, { tools: [], parts: {}, skills }, project);

test('the lock has the digest of each file of each skill', async () => {
  write(await skillsNow());
  const text = readFileSync(lock, 'utf8');
  const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string;
  expect((JSON.parse(text) as { skills: Skills }).skills).toEqual({
    'skill://letters/SKILL.md': { 'SKILL.md': digest },
    'skill://refunds/SKILL.md': { 'SKILL.md': digest, 'references/LIMITS.md': digest },
  });
  expect(compareSkills(readLock(lock).skills, await skillsNow())).toEqual([]);
  // Where nobody looked at the app, what was locked stays. An app without skills has none.
  write(undefined);
  expect(readFileSync(lock, 'utf8')).toBe(text);
  write({});
  expect(readLock(lock).skills).toBeUndefined();
});

test('a changed file is told, with its digests, and a lock without skills compares none', async () => {
  const before = await skillsNow();
  writeFileSync(join(folder, 'refunds/references/LIMITS.md'), 'At most 20,000 euros.\n');
  await server.operate('toolwright dev').ask('skills.reload');
  expect(compareSkills(before, await skillsNow())).toEqual([
    {
      tool: 'skill skill://refunds/SKILL.md',
      path: '',
      impact: 'notable',
      message: 'what the skill says changed',
      before: expect.stringMatching(/^references\/LIMITS\.md sha256:\w{64}$/) as string,
      after: expect.stringMatching(/^references\/LIMITS\.md sha256:\w{64}$/) as string,
    },
  ]);
  expect(compareSkills(undefined, await skillsNow())).toEqual([]);
});

test('a skill that a method writes has no digests, and becoming one is told', () => {
  const files = { 'skill://a/SKILL.md': { 'SKILL.md': 'sha256:1' } };
  const dynamic = { 'skill://a/SKILL.md': 'dynamic' as const };
  expect(compareSkills(dynamic, dynamic)).toEqual([]);
  expect(compareSkills(files, dynamic)[0]).toMatchObject({ message: 'a method writes the skill now' });
  expect(compareSkills(dynamic, files)[0]).toMatchObject({ message: 'the skill is read from files now' });
});
