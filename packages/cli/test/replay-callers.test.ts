import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { type HttpService, oauthResourceServer, serveHttp } from '@toolwright/http';
import { type DevIssuer, startDevIssuer } from '../../identity/src/dev.js';
import { recordTo } from '@toolwright/replay';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { runIn } from './support/recording-terminal.js';

// The issuer is a real one (oidc-provider), the one of `toolwright dev`.
let issuer: DevIssuer;
let server: McpServer;
let served: HttpService;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'toolwright-callers-'));

// Jest hides from oidc-provider what its own fetch needs, and it says so. These tests fetch nothing.
beforeAll(() => void jest.spyOn(console, 'warn').mockImplementation());
afterAll(() => jest.restoreAllMocks());

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  issuer = await startDevIssuer();
  server = await createMcpServer({
    name: 'desk',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  server.tools.add({
    name: 'who',
    description: 'Says who calls.',
    annotations: { readOnlyHint: true },
    handler: (_args, ctx) => ctx.principal!.subject,
  });
  const oauth = oauthResourceServer({ resource: url, issuers: [issuer.issuer] });
  served = await serveHttp(server, { port, oauth, signals: false });
  const recorder = recordTo(server, { file: join(folder, 'calls.jsonl') });
  await callAs('ann');
  await callAs('ben');
  recorder.close();
  const left = recordTo(server, { file: join(folder, 'left.jsonl') });
  await callAs('ben');
  left.close();
});

afterAll(async () => {
  await served.close();
  await issuer.close();
  rmSync(folder, { recursive: true });
});

async function callAs(user: string): Promise<void> {
  const token = await issuer.token(user, { resource: url });
  const client = new Client({ name: 'official', version: '1.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  await client.callTool({ name: 'who', arguments: {} });
  await client.close();
}

test('test users of dev sign in by their names, and each gets its own answer', async () => {
  const { status, stdout, stderr } = await runIn(folder, 'replay', '--url', url, 'calls.jsonl');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('2 of 2 calls, 2 the same.');
});

test('who signs in is one caller, and has to say which', async () => {
  const header = `Authorization: Bearer ${await issuer.token('ben', { resource: url })}`;
  const both = await runIn(folder, 'replay', '--url', url, '--header', header, 'calls.jsonl');
  expect(both.status).toBe(1);
  expect(both.stdout).toContain(
    '2: you sign in as one caller, and the recording has 2: choose one with --only: who',
  );
  const one = await runIn(folder, 'replay', '--url', url, '--header', header, '--only', 'ben', 'calls.jsonl');
  expect([one.status, one.stdout]).toEqual([0, expect.stringContaining('1 of 1 call, 1 the same.')]);
  const as = await runIn(folder, 'replay', '--url', url, '--as', 'ben', 'left.jsonl');
  expect([as.status, as.stderr]).toEqual([0, '']);
});

test('no token is in a recording', () => {
  expect(readFileSync(join(folder, 'calls.jsonl'), 'utf8')).not.toMatch(/eyJ|Bearer/);
});
