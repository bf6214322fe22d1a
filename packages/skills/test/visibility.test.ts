import type { McpServer, Principal } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { boot } from '../../core/test/support/booting.js';
import { RecordingSink } from '../../core/test/support/recording-sink.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { skillFolders, skillText } from './support/skill-folders.js';

const folderWith = skillFolders();
let server: McpServer;
afterEach(() => server.close(0));

const as = (principal: Principal | undefined) =>
  new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
const clerk: Principal = { subject: 'clerk', scopes: ['billing'], tenant: 'acme' };
const guest: Principal = { subject: 'guest', scopes: [], tenant: 'other' };

async function seenBy(principal: Principal | undefined) {
  const wire = as(principal);
  const names: string[] = [];
  for (const each of (await wire.request('skills/list')).result.skills) names.push(each.frontmatter.name);
  return names;
}

/** How each method answers a request for what a caller may not see. */
async function answersTo(principal: Principal | undefined) {
  const wire = as(principal);
  const get = await wire.request('skills/get', { uri: 'skill://staff/refunds/SKILL.md' });
  const read = await wire.request('resources/read', { uri: 'skill://staff/refunds/SKILL.md' });
  const directory = await wire.request('resources/directory/read', { uri: 'skill://staff' });
  return [get, read, directory].map(({ error }) => error?.code ?? 'ok');
}

const start = async (restriction: object) => {
  const open = folderWith({ 'git/SKILL.md': skillText('git') });
  const staff = folderWith({ 'refunds/SKILL.md': skillText('refunds') });
  server = await boot({ skills: [open, { folder: staff, prefix: 'staff', ...restriction }] });
};

test('Skills for some callers do not exist for others', async () => {
  await start({ for: (principal?: Principal) => principal?.tenant === 'acme' });
  expect(await seenBy(clerk)).toEqual(['git', 'refunds']);
  expect(await seenBy(guest)).toEqual(['git']);
  expect(await answersTo(clerk)).toEqual(['ok', 'ok', 'ok']);
  expect(await answersTo(guest)).toEqual([-32602, -32602, -32602]);
  expect((await as(guest).request('skills/list')).result.cacheScope).toBe('private');
});

test('Skills that need a scope are hidden from callers without it', async () => {
  await start({ scopes: ['billing'] });
  expect(await seenBy(clerk)).toEqual(['git', 'refunds']);
  expect(await seenBy(undefined)).toEqual(['git']);
  const [get, read, directory] = await answersTo(guest);
  expect([get, directory]).toEqual([-32602, -32602]);
  expect(read).not.toBe('ok');
});

test('Two tenants may have skills of one name', async () => {
  const text = (tenant: string) =>
    folderWith({ 'refunds/SKILL.md': skillText('refunds', `license: ${tenant}\n`) });
  const of = (tenant: string) => ({
    folder: text(tenant),
    for: (principal?: Principal) => principal?.tenant === tenant,
  });
  server = await boot({ skills: [of('acme'), of('other')] });
  for (const principal of [clerk, guest]) {
    const { result } = await as(principal).request('skills/get', { uri: 'skill://refunds/SKILL.md' });
    expect(result.skill.frontmatter.license).toBe(principal.tenant);
  }
});

test('The rules of the server count, and a read is in the audit log', async () => {
  const audit = new RecordingSink();
  const skills = folderWith({ 'git/SKILL.md': skillText('git') });
  server = await boot({ skills, audit, mayRead: (principal) => principal?.tenant === 'acme' });
  expect(await seenBy(clerk)).toEqual(['git']);
  expect(await seenBy(guest)).toEqual([]);
  await as(clerk).request('resources/read', { uri: 'skill://git/SKILL.md' });
  expect(audit.records.map(({ event }) => [event.operation, event.name, event.outcome])).toContainEqual([
    'resource',
    'git',
    'ok',
  ]);
});

test('A skill that an application removes is gone from all lists', async () => {
  server = await boot({ skills: folderWith({ 'git/SKILL.md': skillText('git') }) });
  expect(await seenBy(undefined)).toEqual(['git']);
  server.resources.remove('skill://git/SKILL.md');
  expect(await seenBy(undefined)).toEqual([]);
});

test('A package that decides about lists decides about skills, too', async () => {
  server = await boot({
    skills: folderWith({ 'git/SKILL.md': skillText('git'), 'svn/SKILL.md': skillText('svn') }),
  });
  const asked: (string | undefined)[] = [];
  await extend(server, {
    name: '@example/engine',
    start: () => ({
      beforeLists: async (_operations, { principal }) => void asked.push(principal?.subject),
      lists: { resources: (visible) => visible.filter(({ name }) => name !== 'svn') },
    }),
  });
  expect(await seenBy(clerk)).toEqual(['git']);
  expect(asked).toEqual(['clerk']);
  const { error } = await as(clerk).request('skills/get', { uri: 'skill://svn/SKILL.md' });
  expect(error?.code).toBe(-32602);
  expect((await as(clerk).request('skills/list')).result.cacheScope).toBe('private');
});
