import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { snapshotServers } from '../app/child/snapshot-servers.js';
import { readLock, writeLock } from './lock-file.js';
import { compareVersions, versionsOf } from './versions.js';

const folder = temporaryFolder();
const file = join(folder, 'mcp.lock.json');
let server: McpServer;

const version = (name: string, property: string, more: object = {}) => ({
  name: 'search_pages',
  description: `Search pages, version ${name}.`,
  annotations: { readOnlyHint: true },
  version: name,
  inputSchema: {
    type: 'object',
    properties: { [property]: { type: 'string' } },
    additionalProperties: false,
  },
  handler: () => name,
  ...more,
});

beforeEach(async () => {
  server = await createMcpServer({ name: 'pages', version: '1', services: [], audit: false });
  server.tools.add([version('1', 'word'), version('2', 'words')]);
});
afterEach(() => server.close(0));

const write = (versions: ReturnType<typeof versionsOf> | undefined) =>
  writeLock(file, { tools: [], parts: {}, versions }, folder);

test('the lock has every version, and where nobody knows them, those that it had', async () => {
  const { versions, tools } = await snapshotServers([server], undefined);
  expect(tools.map(({ name }) => name)).toEqual(['search_pages']);
  write(versions);
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    versions: {
      'search_pages.v1': { inputSchema: { properties: { word: {} } }, scopes: [] },
      'search_pages.v2': { inputSchema: { properties: { words: {} } }, scopes: [] },
    },
  });
  expect(compareVersions(readLock(file).versions, versions)).toEqual([]);
  write(undefined);
  expect(readFileSync(file, 'utf8')).toBe(text);
  write([]);
  expect(readLock(file).versions).toBeUndefined();
});

test('what changed is said of the version in which it did', () => {
  write(versionsOf(server));
  const before = readLock(file).versions;
  server.tools.update('search_pages.v1', { description: 'Search.', deprecated: 'use words' });
  server.tools.add(version('3', 'query'));
  expect(compareVersions(before, versionsOf(server))).toMatchObject([
    { tool: 'search_pages.v1', impact: 'notable', message: 'description changed' },
    { tool: 'search_pages.v1', impact: 'notable', message: 'is deprecated now: use words' },
    { tool: 'search_pages.v3', impact: 'compatible', message: 'the tool was added' },
  ]);
  server.tools.remove('search_pages.v1');
  expect(compareVersions(before, versionsOf(server))).toContainEqual(
    expect.objectContaining({ tool: 'search_pages.v1', impact: 'breaking', message: 'the tool was removed' }),
  );
});

test('a lock of before, and a running server, do not say which versions there are', () => {
  expect(compareVersions(undefined, versionsOf(server))).toEqual([]);
  expect(compareVersions(versionsOf(server), undefined)).toEqual([]);
});

test('a tenant has its own versions', async () => {
  const isOfAcme = (principal: { tenant?: string } | undefined) => principal?.tenant === 'acme';
  server.tools.add(version('3', 'query', { for: isOfAcme }));
  const names = async (tenant?: string) =>
    (await snapshotServers([server], tenant)).versions.map(({ name }) => name);
  expect(await names()).toEqual(['search_pages.v1', 'search_pages.v2']);
  expect(await names('acme')).toEqual(['search_pages.v1', 'search_pages.v2', 'search_pages.v3']);
});
