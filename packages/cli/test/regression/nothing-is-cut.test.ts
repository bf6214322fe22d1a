import { join } from 'node:path';
import { openAuditSink } from '@toolwright/audit';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { serveHttp, type HttpService } from '@toolwright/http';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { formatExplanation } from '../../src/explain/explain-tool.js';
import { run } from '../../src/run.js';
import { RecordingTerminal } from '../support/recording-terminal.js';

const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const story =
  'A description of more than one line.\nIts second line says what a model must know about the result.';
const words = 'the words to look for, of which there may be as many as a person wants to write into the box';

let server: McpServer;
let service: HttpService;
beforeAll(async () => {
  server = await createMcpServer({ name: 'files', version: '1', services: [], audit: false });
  server.tools.add({
    name: 'find_files',
    description: story,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: words }, url: { type: 'string' } },
    },
    outputSchema: { type: 'object' },
    handler: ({ url }) => ({
      files: [1, 2].map((id) => ({ id, name: `a file with the number ${id}`, sha256, url: url ?? 'none' })),
    }),
  });
  server.tools.add({
    name: 'ping',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    handler: () => ({ ok: true }),
  });
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

async function at(columns: number | undefined, ...line: string[]) {
  const terminal = Object.assign(new RecordingTerminal(__dirname), { columns });
  const code = await run(line, terminal);
  expect([code, terminal.stderr]).toEqual([0, '']);
  return terminal.stdout;
}

test.each([40, 80, 160])('list and call show every word on a screen of %i columns', async (columns) => {
  const listed = await at(columns, 'list', '--url', service.url);
  for (const word of `${story} ${words}`.split(/\s+/)) expect(listed).toContain(word);
  expect(Math.max(...listed.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  const called = await at(columns, 'call', '--url', service.url, 'find_files');
  expect(called.split(sha256)).toHaveLength(3);
  expect(listed + called).not.toContain('…');
  const longest = Math.max(...called.split('\n').map((line) => line.length));
  expect(longest).toBeLessThanOrEqual(Math.max(columns, sha256.length + 10));
});

test('options of the command may stand after the arguments of the tool', async () => {
  const late = await at(100, 'call', 'ping', '--url', service.url, '--json', '--timeout', '10s');
  expect(JSON.parse(late)).toMatchObject({ structuredContent: { ok: true } });
  const named = await at(100, 'call', '--url', service.url, 'ping', '--json');
  expect(JSON.parse(named)).toMatchObject({ structuredContent: { ok: true } });
});

test('an option that the tool has as an argument is the argument', async () => {
  const named = await at(
    100,
    'call',
    '--url',
    service.url,
    'find_files',
    '--url',
    'https://example.com',
    '--json',
  );
  expect(JSON.parse(named).structuredContent.files[0].url).toBe('https://example.com');
});

test.each([undefined, 60])('a table of an audit log is whole at %s columns', async (columns) => {
  const folder = temporaryFolder();
  const file = join(folder, 'audit.jsonl');
  const sink = await openAuditSink({ file });
  const name = 'find_everything_that_anybody_has_ever_written_down';
  const event: AuditEvent = {
    id: 'a',
    callId: sha256,
    time: 1_785_225_600_000,
    event: 'denied',
    operation: 'tool',
    name,
    contract: sha256,
    annotations: {},
    principal: { subject: sha256 },
    client: null,
    revision: '2026-07-28',
    arguments: {},
  };
  await sink.write(event, 'strict');
  await sink.close();
  const shown = await at(columns, 'audit', 'query', file);
  expect(shown).not.toContain('…');
  expect(shown).toContain(name);
  expect(shown.split(sha256)).toHaveLength(3);
  if (columns === undefined) expect(shown.trimEnd().split('\n')).toHaveLength(2);
});

test('explain shows a long value whole', () => {
  const value = 'the words to look for, as many as a person wants to write into the box of the page';
  const origin = { path: '/properties/query', keyword: 'description', value, origin: 'doc comment' };
  const lines = formatExplanation(
    {
      name: 'find_files',
      key: 'a.ts#A.find',
      input: { type: 'object', properties: { query: { type: 'string' } } },
      output: null,
      origins: { input: [origin], output: [] },
    } as never,
    { colours: false, columns: 50 },
  );
  const [row, ...below] = lines.slice(lines.findIndex((line) => line.includes('description')));
  expect(row).toMatch(/description {2}below {2}<- doc comment/);
  expect(below.join(' ').replace(/\s+/g, ' ')).toContain(`"${value}"`);
  expect(below.every((line) => line.length <= 50)).toBe(true);
});
