import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { NoteStore } from '../fixtures/notes/note-store.js';
import { NoteTools } from '../fixtures/notes/note-tools.js';

const app = join(__dirname, '..');
const bin = join(app, '../../packages/cli/bin/toolwright.js');
const toolwright = (...words: string[]) =>
  promisify(execFile)(process.execPath, [bin, ...words], { cwd: app });

test('nothing has changed for clients since the contract was locked by 0.1.0', async () => {
  const { stdout } = await toolwright('diff', '--lock', 'written/mcp.lock.json', '--fail-on', 'any');
  expect(stdout).toBe('No changes.\n');
});

test('an audit log of 0.1.0 is verified, and searched', async () => {
  const log = ['written/audit/calls', '--public-key', 'written/audit-key.pem'];
  expect((await toolwright('audit', 'verify', ...log)).stdout).toMatch(/^OK: 3 records/);
  const { stdout } = await toolwright('audit', 'query', 'written/audit/calls', '--json');
  const names = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name);
  expect(names).toEqual(['add_note', 'find_notes', 'find_notes']);
});

test('a server boots with a manifest of 0.1.0', async () => {
  const server = await createMcpServer({
    name: 'notes',
    version: '1.0.0',
    manifest: join(app, 'written/manifest.json'),
    services: [NoteTools],
    providers: [{ provide: NoteStore, useFactory: () => NoteStore.open() }],
    audit: false,
  });
  const client = await connect(server);
  const { structuredContent } = await client.call('add_note', { text: 'Buy milk.' });
  expect(structuredContent).toEqual({ id: 1, text: 'Buy milk.' });
  await server.close();
});
