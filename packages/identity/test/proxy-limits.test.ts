import type { IncomingMessage } from 'node:http';
import { MemoryRateLimiter } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { RequestLimits } from '../src/proxy/request-limits.js';
import type { AuthorizationProxyOptions } from '../src/proxy.js';
import { ProxyAtWork } from './support/open-proxy.js';

const RESOURCE = 'http://127.0.0.1:9/mcp';
const CALLBACK = 'http://127.0.0.1:9/callback';

let proxy: ProxyAtWork;
afterEach(() => proxy.close());

const clientAddress = ({ headers }: IncomingMessage) => headers['x-test-address'] as string | undefined;
const start = async (options: Partial<AuthorizationProxyOptions> & { replicas?: number } = {}) => {
  proxy = await ProxyAtWork.start(RESOURCE, { clientAddress, ...options });
};

const send = (path: string, address: string, init: RequestInit = {}) =>
  fetch(`${proxy.issuer}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { ...init.headers, 'x-test-address': address },
  });

const registers = (address: string, path = '/oauth/register') =>
  send(path, address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }),
  });

/** The statuses of some requests, one after the other. */
async function statuses(count: number, request: () => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let at = 0; at < count; at++) all.push((await request()).status);
  return all;
}

const timesOf = (status: number, all: readonly number[]) => all.filter((each) => each === status).length;

test('an address registers ten clients in a minute, whatever the case of the path, and others go on', async () => {
  const clock = new ManualClock();
  await start({ rateLimiter: new MemoryRateLimiter(clock) });
  const paths = ['/oauth/register', '/oauth/REGISTER', '/oauth/Register/'];
  let turn = 0;
  const all = await statuses(12, () => registers('203.0.113.7', paths[turn++ % 3]!));
  expect(timesOf(201, all)).toBeLessThanOrEqual(10);
  expect(all.slice(10)).toEqual([429, 429]);
  expect(await proxy.records.list('oauth-Client')).toHaveLength(timesOf(201, all));
  expect((await registers('203.0.113.8')).status).toBe(201);
  clock.advance(60_000);
  expect((await registers('203.0.113.7')).status).toBe(201);
});

test('a network of IPv6 counts as one address', async () => {
  await start({ limits: { registrations: 2 } });
  let turn = 0;
  const all = await statuses(3, () => registers(`2001:db8:1:2::${turn++}`));
  expect(all).toEqual([201, 201, 429]);
  expect((await registers('2001:db8:1:3::1')).status).toBe(201);
});

test('programs get the error of OAuth, pages a page, and both say when to come again', async () => {
  await start({ limits: { tokens: 1, registrations: 1, signIns: 1 } });
  const address = '203.0.113.7';
  await registers(address);
  const registration = await registers(address);
  expect(await registration.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect(Number(registration.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(registration.headers.get('access-control-allow-origin')).toBe('*');
  const asks = () =>
    send('/oauth/token', address, { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) });
  expect([(await asks()).status, (await asks()).status]).toEqual([400, 429]);
  const opens = (path: string) => send(path, address);
  expect((await opens('/oauth/authorize')).status).toBe(400);
  for (const path of [
    '/oauth/authorize',
    '/oauth/AUTHORIZE',
    '/oauth/authorize/x',
    '/oauth/sign-in/x',
    '/oauth/callback',
    '/oauth/%61uthorize',
  ]) {
    const refused = await opens(path);
    expect([path, refused.status]).toEqual([path, 429]);
    expect(await refused.text()).toContain('Please wait');
  }
});

test('replicas that share a limiter count together', async () => {
  await start({ replicas: 3, limits: { registrations: 3 }, rateLimiter: new MemoryRateLimiter() });
  expect(await statuses(4, () => registers('203.0.113.7'))).toEqual([201, 201, 201, 429]);
});

test.each([
  ['is switched off', { limits: false }],
  ['has no address', { clientAddress: () => undefined }],
  ['comes from this machine', { clientAddress: undefined }],
] as const)('a request is not counted that %s', async (_what, options) => {
  await start(options as Partial<AuthorizationProxyOptions>);
  expect(timesOf(201, await statuses(12, () => registers('203.0.113.7')))).toBe(12);
});

test('a limiter that cannot be reached refuses nobody, and what clients need to begin is not counted', async () => {
  const warnings: unknown[] = [];
  const logger = { debug() {}, info() {}, warn: (...all: unknown[]) => void warnings.push(all), error() {} };
  await start({ rateLimiter: { consume: () => Promise.reject(new Error('away')) }, logger });
  expect((await registers('203.0.113.7')).status).toBe(201);
  expect(warnings).toHaveLength(1);
  for (const path of ['/oauth/jwks', '/.well-known/oauth-authorization-server'])
    expect((await send(path, '203.0.113.7')).status).toBe(200);
  expect(warnings).toHaveLength(1);
});

test('behind a balancer without `clientAddress`, everybody shares one quota, and the log says so once, with the remedy', async () => {
  const warnings: unknown[][] = [];
  const logger = { debug() {}, info() {}, warn: (...all: unknown[]) => void warnings.push(all), error() {} };
  const limits = new RequestLimits({
    issuer: 'https://proxy.test',
    limits: { registrations: 2, signIns: 2, tokens: 2 },
    limiter: new MemoryRateLimiter(new ManualClock()),
    clientAddress: undefined,
    logger,
  });
  // All that a request behind a balancer has of its client is a header that anybody may write.
  const behind = (client: string) =>
    ({ socket: { remoteAddress: '10.0.0.5' }, headers: { 'x-forwarded-for': client } }) as never;
  const waits: number[] = [];
  for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
    waits.push(await limits.secondsToWait(behind(client), '/oauth/register'));
  expect(waits.map((wait) => wait > 0)).toEqual([false, false, true, true]);
  const refusals = warnings.filter(([about]) => Object.hasOwn(about as object, 'address'));
  expect(refusals).toEqual([
    [{ address: '10.0.0.5', kind: 'registrations' }, expect.stringContaining('set "clientAddress"')],
  ]);
});

test('a header that says whose request a balancer passes on is said in the log before the quota is used up', async () => {
  const warnings: unknown[][] = [];
  const logger = { debug() {}, info() {}, warn: (...all: unknown[]) => void warnings.push(all), error() {} };
  await start({ clientAddress: undefined, logger });
  const asked = (headers: Record<string, string>) => fetch(`${proxy.issuer}/oauth/jwks`, { headers });
  await asked({});
  expect(warnings).toEqual([]);
  for (let time = 0; time < 3; time++) await asked({ 'x-forwarded-for': '203.0.113.7' });
  expect(warnings).toEqual([[{ option: 'clientAddress' }, expect.stringContaining('set "clientAddress"')]]);
});

test('with `clientAddress`, such a header is no news', async () => {
  const warnings: unknown[][] = [];
  const logger = { debug() {}, info() {}, warn: (...all: unknown[]) => void warnings.push(all), error() {} };
  await start({ logger });
  await fetch(`${proxy.issuer}/oauth/jwks`, { headers: { forwarded: 'for=203.0.113.7' } });
  expect(warnings).toEqual([]);
});
