import { Agent, request, type IncomingMessage } from 'node:http';
import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import { ask } from '../support/asked.js';
import { Browser } from '../support/browser.js';
import { GrantDesk } from '../support/grant-desk.js';
import { ProxyAtWork } from '../support/open-proxy.js';
import { RefundDesk } from '../support/refund-desk.js';

/** More than any endpoint reads, and more than the buffers of a connection. */
const LONG = `field=${'x'.repeat(3 * 1024 * 1024)}`;
const FORM = 'application/x-www-form-urlencoded';

let desk: RefundDesk;
let grants: GrantDesk;
let proxy: ProxyAtWork;
beforeAll(async () => {
  desk = await RefundDesk.open({ delegation: '14d' });
  proxy = await ProxyAtWork.start('http://127.0.0.1:9/mcp', { registration: true });
  const stores = { records: new MemoryRecordStore(systemClock) };
  grants = await GrantDesk.open({
    stores,
    secrets: ['a secret of the tests that has more than 32 characters'],
  });
});
afterAll(() => Promise.all([desk.close(), proxy.close(), grants.close()]));

type Headers = Record<string, string>;

async function send(agent: Agent, url: string, { body, headers = {} }: { body?: string; headers?: Headers }) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, resolve);
    sent.on('error', reject).end(body);
  });
  for await (const _ of answer);
  return answer.statusCode!;
}

/** The status of a long body, and of the next request of the same connection. */
async function both(url: string, headers: Headers): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await send(agent, url, { body: LONG, headers });
  const next = await send(agent, new URL('/nothing', url).href, {});
  agent.destroy();
  return [first, next];
}

/** A page, as somebody who has signed in there. */
async function pageOf(name: string): Promise<{ url: string; cookie: string }> {
  const browser = new Browser();
  const url =
    name === 'grants' ? grants.url : name === 'question' ? (await ask(desk, 'ann', 'refund')).url : desk.url;
  await browser.openAs(name === 'grants' ? 'ann' : 'bea', url);
  const kept = browser.cookies.get(new URL(url).origin)!;
  const cookie = [...kept].map(([key, { value }]) => `${key}=${value}`).join('; ');
  return { url: name === 'delegates' ? `${desk.url}/delegates` : url, cookie };
}

describe.each(['question', 'delegates', 'grants'])('the page %s', (name) => {
  test.each([FORM, 'application/json'])(
    'refuses a body of 3 MB as %s, and answers the next request',
    async (type) => {
      const { url, cookie } = await pageOf(name);
      const [first] = await both(url, { cookie, 'content-type': type });
      expect(first).toBe(403);
      expect((await both(url, { 'content-type': type }))[0]).toBe(403);
    },
  );
});

const atProxy = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/register',
  '/oauth/consent/abc',
];
const atIssuer = ['/token', '/token/introspection', '/token/revocation', '/reg', '/sign-in/abc', '/auth'];
test.each([
  ...atProxy.map((path) => ['the proxy', path] as const),
  ...atIssuer.map((path) => ['the issuer for development', path] as const),
])('%s answers the next request after 3 MB to %s', async (who, path) => {
  const origin = who === 'the proxy' ? proxy.issuer : proxy.upstream.issuer;
  for (const type of [FORM, 'application/json']) {
    const [first, next] = await both(origin + path, { 'content-type': type });
    expect([first! >= 400, next]).toEqual([true, 404]);
  }
});
