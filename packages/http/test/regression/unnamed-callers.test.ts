import { createMcpServer, type Principal, type ServerOptions } from '@toolwright/core';
import {
  mcpHttp,
  serveHttp,
  type Authentication,
  type HttpService,
  type McpHttpOptions,
} from '../../src/index.js';
import { ManualClock } from '@toolwright/testing';
import { modern, send } from '../support/wire.js';

const lines: unknown[][] = [];
const logger = { debug() {}, info() {}, warn() {}, error: (...line: unknown[]) => void lines.push(line) };
const services: HttpService[] = [];
afterEach(async () => {
  lines.length = 0;
  for (const service of services.splice(0)) await service.close();
});

const create = (options: Partial<ServerOptions> = {}) =>
  createMcpServer({ name: 'x', version: '1', services: [], logger, ...options });
const strict: Partial<ServerOptions> = { security: { mode: 'strict', relax: ['audit'] } };

async function serve(options: McpHttpOptions, more: Partial<ServerOptions> = {}): Promise<string> {
  const service = await serveHttp(await create(more), { port: 0, signals: false, ...options });
  services.push(service);
  return service.url;
}

const nameless = [{}, { subject: '' }, { subject: undefined }, { subject: '', clientId: '' }];

test.each(nameless)('a principal with neither subject nor client id gets 401: %j', async (given) => {
  const principal = { ...given, scopes: [] } as unknown as Principal;
  for (const options of [{ principal: () => principal }, { authenticate: () => ({ principal }) }]) {
    const url = await serve(options);
    const { status, headers, json } = await send(url, modern('tools/list'));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(json.error.message).toBe('Authentication required');
  }
});

test('the operator learns once what is wrong, and what to do', async () => {
  const url = await serve({ principal: () => ({ subject: '', scopes: [] }) });
  for (let turn = 0; turn < 3; turn++) await send(url, modern('tools/list'));
  expect(lines).toEqual([
    [
      {
        code: 'TW_PRINCIPAL_UNNAMED',
        option: 'principal',
        fix: expect.stringContaining('"subject" or "clientId"'),
      },
      expect.stringContaining('neither a subject nor a clientId'),
    ],
  ]);
});

test.each([
  ['principal', true, 'true is not a principal'],
  ['principal', 'ann', 'A text is not a principal'],
  ['authenticate', { principal: true }, 'true is not a principal'],
  ['authenticate', true, 'neither a principal nor a challenge'],
  ['authenticate', undefined, 'neither a principal nor a challenge'],
  ['authenticate', null, 'neither a principal nor a challenge'],
  ['authenticate', { subject: 'ann', scopes: [] }, 'neither a principal nor a challenge'],
])('the option %s that returns %j lets nobody in, and is named', async (option, value, cause) => {
  const fix = expect.stringContaining("{ subject: 'ann', scopes: [] }");
  for (const returned of [() => value, () => Promise.resolve(value)]) {
    lines.length = 0;
    const url = await serve({ [option]: returned });
    expect((await send(url, modern('tools/list'))).status).toBe(401);
    expect(lines).toEqual([
      [{ code: 'TW_PRINCIPAL_UNNAMED', option, fix }, expect.stringContaining(`the option "${option}"`)],
    ]);
    expect(lines[0]![1]).toContain(cause);
  }
});

test.each(['', null, 7, {}])('a principal whose tenant is %j gets 401', async (tenant) => {
  const principal = { subject: 'ann', tenant, scopes: [] } as unknown as Principal;
  const url = await serve({ principal: () => principal });
  expect((await send(url, modern('tools/list'))).status).toBe(401);
  expect(lines).toEqual([[expect.objectContaining({ code: 'TW_TENANT_INVALID' }), expect.any(String)]]);
});

test('a client without a user is a principal', async () => {
  const url = await serve({ principal: () => ({ subject: '', clientId: 'batch', scopes: [] }) });
  expect((await send(url, modern('tools/list'))).status).toBe(200);
});

test('in strict mode an anonymous caller gets 401 for every request', async () => {
  const url = await serve(
    { principal: (req) => (req.headers['x-user'] ? { subject: 'ada', scopes: [] } : undefined) },
    strict,
  );
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  for (const request of [modern('tools/list'), { body: initialize }, { method: 'GET' }])
    expect((await send(url, request)).status).toBe(401);
  const { headers, body } = modern('tools/list');
  expect((await send(url, { headers: { ...headers, 'x-user': 'ada' }, body })).status).toBe(200);
});

test('in strict mode an endpoint without authentication is refused', async () => {
  const server = await create(strict);
  expect(() => mcpHttp(server)).toThrow(/TW_SECURITY_STRICT.*Over HTTP, set oauth, principal/s);
  await server.close(0);
});

test('if a caller is never identified, the request gets an answer, and nobody is let in', async () => {
  const clock = new ManualClock();
  let asked!: () => void;
  const wasAsked = new Promise<void>((resolve) => (asked = resolve));
  const principal = () => {
    asked();
    return new Promise<undefined>(() => undefined);
  };
  const url = await serve({ principal }, { ports: { clock } });
  const answered = send(url, modern('tools/list'));
  await wasAsked;
  clock.advance(30_000);
  const { status, headers } = await answered;
  expect([status, headers['retry-after']]).toEqual([503, '5']);
});

test('an authentication may return any object that can be awaited', async () => {
  const challenge = { status: 401, headers: {}, message: 'No.' };
  const query = { then: (resolve: (outcome: Authentication) => void) => resolve({ challenge }) };
  const url = await serve({ authenticate: () => query as unknown as Promise<Authentication> });
  expect((await send(url, modern('tools/list'))).status).toBe(401);
});
