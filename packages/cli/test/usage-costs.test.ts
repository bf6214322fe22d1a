import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { serveHttp } from '@toolwright/http';
import type { ServerCosts } from '@toolwright/audit';
import { runIn } from './support/recording-terminal.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'toolwright-costs-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A server with a tool that is used, and many that are not. It was called three times. */
async function callServer(): Promise<void> {
  const server = await createMcpServer({
    name: 'notes',
    version: '1',
    services: [],
    logger: silentLogger,
    audit: { file: join(folder, 'audit.jsonl') },
  });
  const annotations = { readOnlyHint: true };
  server.tools.add({
    name: 'read_note',
    description: 'Read a note.',
    annotations,
    handler: () => 'milk '.repeat(800),
  });
  for (let at = 0; at < 99; at++)
    server.tools.add({
      name: `list_notes_${at}`,
      description: `List the notes of shelf ${at}.`,
      annotations,
      handler: () => [],
    });
  const service = await serveHttp(server, { port: 0, signals: false });
  const url = String(service.url);
  for (let at = 0; at < 3; at++) await runIn(folder, 'call', '--url', url, 'read_note');
  const { stdout } = await runIn(folder, 'list', '--url', url, '--json');
  writeFileSync(join(folder, 'tools.json'), stdout);
  await service.close();
}

test('a list and a log say what the tools cost, in tokens of o200k', async () => {
  await callServer();
  const asked = ['usage', 'audit.jsonl', '--tools', 'tools.json'].map((word) =>
    word.includes('.') ? join(folder, word) : word,
  );
  const { status, stdout, stderr } = await runIn(folder, ...asked, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const costs = JSON.parse(stdout) as ServerCosts & { counted: string };
  expect(costs).toMatchObject({ counted: 'o200k', calls: 3, requests: 3 });
  expect(costs.tools).toHaveLength(100);
  expect(costs.tools[0]).toMatchObject({ name: 'read_note', calls: 3 });
  expect(costs.changes.find(({ kind }) => kind === 'search')).toMatchObject({ tools: ['read_note'] });
  const table = await runIn(folder, ...asked);
  expect(table.stdout).toContain('TOOL');
  expect(table.stdout).toContain(`tokens a week less (${costs.changes[0]!.percent} %)`);
});
