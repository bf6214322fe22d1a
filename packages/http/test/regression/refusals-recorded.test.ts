import type { SecurityEvent } from '@toolwright/core/operate';
import type { AuditEvent } from '@toolwright/core/ports';
import { oauthResourceServer, serveHttp, type HttpService } from '../../src/index.js';
import { createFixture, type Fixture } from '../support/fixture.js';
import { json, LocalIssuer } from '../support/local-issuer.js';
import { send } from '../support/wire.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

const resource = 'https://mcp.example.com/mcp';

let issuer: LocalIssuer;
let fixture: Fixture;
let service: HttpService;
let records: AuditEvent[];
let alerts: SecurityEvent[];
let logged: Record<string, unknown>[];

const start = async (guarded: boolean) => {
  const logger = {
    debug() {},
    info: (fields: Record<string, unknown>) => void logged.push(fields),
    warn: (fields: Record<string, unknown>) => void logged.push(fields),
    error() {},
  };
  const audit = auditTo((event) => void records.push(event));
  fixture = await createFixture({ audit, logger });
  fixture.server.on('security', (event) => alerts.push(event));
  const oauth = oauthResourceServer({ resource, issuers: [issuer.issuer] });
  service = await serveHttp(fixture.server, { port: 0, signals: false, ...(guarded && { oauth }) });
};

beforeEach(async () => {
  [records, alerts, logged] = [[], [], []];
  issuer = await LocalIssuer.start();
  issuer.pages.set('/.well-known/oauth-authorization-server', json(issuer.metadata));
});
afterEach(async () => {
  await service.close();
  await issuer.close();
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {}, _meta } };
const headers = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

const now = Math.floor(Date.now() / 1000);
const tokens: [reason: string, claims: Record<string, unknown>, header: Record<string, unknown>][] = [
  ['audience', { aud: 'https://other.example.com' }, {}],
  ['expired', { aud: resource, exp: now - 600 }, {}],
  ['issuer', { aud: resource, iss: 'https://other.example.com' }, {}],
  ['unknown-key', { aud: resource }, { kid: 'nobody' }],
  ['type', { aud: resource, nonce: 'n' }, { typ: 'JWT' }],
];

test.each(tokens)(
  'a token is refused, recorded and reported with its reason: %s',
  async (reason, claims, header) => {
    await start(true);
    const authorization = `Bearer ${await issuer.token(claims, header)}`;
    const { status } = await send(service.url, { headers: { ...headers, authorization }, body: call });
    expect(status).toBe(401);
    const heard = { reason: 'TW_AUTHENTICATION', detail: reason, operation: 'request', ip: '127.0.0.1' };
    expect(records).toEqual([expect.objectContaining({ event: 'denied', ...heard })]);
    expect(logged).toContainEqual(expect.objectContaining(heard));
    expect(alerts).toEqual([expect.objectContaining({ type: 'authentication', reason, count: 1 })]);
  },
);

test('a request without a token is recorded, but is not an attack', async () => {
  await start(true);
  expect((await send(service.url, { headers, body: call })).status).toBe(401);
  expect(records).toEqual([expect.objectContaining({ reason: 'TW_AUTHENTICATION', detail: 'missing' })]);
  expect(alerts).toEqual([]);
});

test('headers that contradict the message are recorded', async () => {
  await start(false);
  await send(service.url, { headers: { ...headers, 'mcp-name': 'other' }, body: call });
  await send(service.url, { headers: { ...headers, 'mcp-method': 'tools/list' }, body: call });
  const heard = { reason: 'TW_HEADER_MISMATCH', operation: 'tool', name: 'echo' };
  expect(records).toEqual([expect.objectContaining(heard), expect.objectContaining(heard)]);
});

test.each(['POST', 'GET', 'DELETE'])('an unknown session is recorded: %s', async (method) => {
  await start(false);
  const old = { accept: 'application/json, text/event-stream', 'mcp-session-id': 'guessed' };
  const body = method === 'POST' ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : undefined;
  expect((await send(service.url, { method, headers: old, body })).status).toBe(404);
  expect(records).toEqual([expect.objectContaining({ reason: 'TW_SESSION_UNKNOWN', ip: '127.0.0.1' })]);
});

test.each([
  ['host', { host: 'rebound.example' }],
  ['origin', { origin: 'https://elsewhere.example' }],
])('a request that is refused for its %s is recorded', async (detail, address) => {
  await start(false);
  expect((await send(service.url, { headers: { ...headers, ...address }, body: call })).status).toBe(403);
  const heard = { reason: 'TW_ADDRESS', detail, operation: 'request', ip: '127.0.0.1' };
  expect(records).toEqual([expect.objectContaining({ event: 'denied', ...heard })]);
  expect(logged).toContainEqual(expect.objectContaining(heard));
});
