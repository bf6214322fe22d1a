import { createHash } from 'node:crypto';
import { createMcpServer, type ServerOptions } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { mcpHttp, oauthResourceServer, serveHttp, type ServeHttpOptions } from '../src/index.js';
import { send, type WireRequest } from './support/wire.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

async function serve(options: Partial<ServeHttpOptions> = {}, about: Partial<ServerOptions> = {}) {
  const server = await createMcpServer({
    name: 'notes',
    version: '4.5.6',
    about: { title: 'Team notes', description: 'Keeps what the team knows.' },
    logger: silentLogger,
    ...about,
  });
  server.tools.add({ name: 'secret_tool', description: 'Nobody knows it.', handler: () => 'x' });
  const service = await serveHttp(server, { port: 0, signals: false, ...options });
  open.push(() => service.close());
  const get = ({ headers, ...rest }: WireRequest = {}) =>
    send(service.url, {
      method: 'GET',
      ...rest,
      headers: { 'content-type': undefined, accept: BROWSER, ...headers },
    });
  return { url: service.url, get };
}

const unescape = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test('a person who opens the endpoint learns what it is and how to connect', async () => {
  const { url, get } = await serve();
  const { status, headers, text } = await get();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const page = unescape(text);
  for (const part of [
    '<h1 dir="auto">Team notes</h1>',
    'Keeps what the team knows.',
    'Version 4.5.6',
    url,
    `claude mcp add --transport http notes ${url}`,
    `"url":"${url}"`,
  ])
    expect(page).toContain(part);
  expect(page).toMatch(/<a href="vscode:mcp\/install\?[^"]+">Add to VS Code<\/a>/);
  // The clouds of ChatGPT and claude.ai cannot reach this machine.
  expect(page).not.toContain('<h3>ChatGPT</h3>');
  expect(page).not.toMatch(/secret_tool|Nobody knows/);
});

test('the page runs no script, loads nothing, tells nobody where it was opened, and stands in no frame', async () => {
  const { get } = await serve({}, { about: { icons: [{ src: 'https://cdn.example.com/icon.png' }] } });
  const { headers, text } = await get();
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers).toMatchObject({
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data: https://cdn.example.com; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    vary: expect.stringContaining('Accept'),
  });
  expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/i);
});

test('a brand names and colors the page, and clients of the protocol are not sent it', async () => {
  const brand = { name: 'Acme', logo: 'https://cdn.acme.example/logo.svg', color: '#7a1fa2' };
  const { url, get } = await serve({}, { about: { title: 'Team notes', brand } });
  const { headers, text } = await get();
  expect(headers['content-security-policy']).toContain('img-src data: https://cdn.acme.example;');
  expect(text).toContain('<img src="https://cdn.acme.example/logo.svg" alt=""><p dir="auto">Acme</p>');
  expect(text).toContain('--accent:#7a1fa2');
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const opened = await send(url, {
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  expect(opened.text).toContain('Team notes');
  expect(opened.text).not.toMatch(/brand|Acme/);
});

test.each([
  [{ color: '#ffd400' }, 'its contrast with white is 1.4, and text needs 4.5'],
  [{ color: 'red' }, 'a color is written as "#0b57d0"'],
  [{ logo: 'http://example.com/logo.png' }, 'about.brand.logo'],
])('the brand %j fails the boot', async (brand, problem) => {
  await expect(createMcpServer({ name: 'notes', version: '1.0.0', about: { brand } })).rejects.toThrow(
    problem,
  );
});

test('hostile names, descriptions, icons and links stay text', async () => {
  const hostile = `</title></style><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
  const { get } = await serve(
    {},
    {
      name: hostile,
      version: hostile,
      about: {
        title: hostile,
        description: hostile,
        icons: [{ src: 'javascript:alert(1)' }, { src: `data:image/png,"><script>alert(1)</script>` }],
        websiteUrl: `https://example.com/"onmouseover="alert(1)`,
      },
    },
  );
  const { text } = await get();
  const tags = [...text.matchAll(/<\/?([a-z][a-z0-9]*)([^<>]*)>/gi)];
  const known =
    /^(?:html|head|meta|title|link|style|body|main|header|img|h1|h2|h3|p|pre|code|section|a|details|summary|ol|li)$/;
  for (const [tag, name, attributes] of tags) {
    expect([tag, name]).toEqual([tag, expect.stringMatching(known)]);
    expect(attributes).not.toMatch(/(?:^|["'\s])on\w+\s*=(?![^"]*"(?:\s|$))/);
  }
  expect(text).not.toContain('javascript:');
  expect(unescape(text).split(hostile)).toHaveLength(5);
  expect(text.match(/<h1[^>]*>/g)).toEqual(['<h1 dir="auto">']);
});

test.each<[string, WireRequest]>([
  ['a client of the protocol', { headers: { accept: 'application/json, text/event-stream' } }],
  ['a client that also reads pages', { headers: { accept: 'text/html, text/event-stream' } }],
  ['a client that reads anything', { headers: { accept: '*/*' } }],
  ['a client that says nothing', { headers: { accept: undefined } }],
  ['a client that refuses pages', { headers: { accept: 'text/html;q=0, */*' } }],
  ['a client with a session', { headers: { 'mcp-session-id': 'x' } }],
  ['a client with a revision', { headers: { 'mcp-protocol-version': '2026-07-28' } }],
  ['PUT', { method: 'PUT' }],
  ['DELETE', { method: 'DELETE' }],
  ['POST', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
])('%s is answered as if there were no page', async (_, request) => {
  const withPage = await (await serve()).get(request);
  const without = await (await serve({ landing: false })).get(request);
  const undated = ({ headers }: typeof without) => ({ ...headers, date: undefined });
  expect(undated(withPage)).toEqual(undated(without));
  expect([withPage.status, withPage.text]).toEqual([without.status, without.text]);
  expect(withPage.headers['content-type']).not.toMatch(/html/);
});

test('HEAD is answered as the protocol says', async () => {
  const { url } = await serve();
  expect(await fetch(url, { method: 'HEAD', headers: { accept: BROWSER } })).toMatchObject({ status: 405 });
});

test('without the page, a browser gets 405', async () => {
  expect(await (await serve({ landing: false })).get()).toMatchObject({ status: 405 });
});

test('strict security shows no page, unless that part is relaxed', async () => {
  const parts = ['principals', 'annotations', 'scopes', 'audit'] as const;
  const strict = { security: { mode: 'strict' as const, relax: parts } };
  expect(await (await serve({}, strict)).get()).toMatchObject({ status: 405 });
  await expect(serve({ landing: true }, strict)).rejects.toThrow(/TW_SECURITY_STRICT.*landing: true/s);
  const relaxed = { security: { mode: 'strict' as const, relax: [...parts, 'landing' as const] } };
  expect(await (await serve({ landing: true }, relaxed)).get()).toMatchObject({ status: 200 });
});

const oauth = oauthResourceServer({
  resource: 'https://mcp.example.com/mcp',
  issuers: ['https://login.example.com'],
});

test('behind OAuth, a person is told to sign in, with the status and the headers that clients get', async () => {
  const { get } = await serve({ oauth });
  const page = await get();
  const client = await get({ headers: { accept: 'application/json, text/event-stream' } });
  expect(client).toMatchObject({ status: 401, json: { error: { message: 'Authentication required' } } });
  expect(page.status).toBe(401);
  expect(page.headers['www-authenticate']).toBe(client.headers['www-authenticate']);
  expect(page.text).toContain('opens the page on which you sign in');
  expect(unescape(page.text)).toContain('claude mcp add --transport http notes https://mcp.example.com/mcp');
  // Whoever is not let in learns no version.
  expect(page.text).not.toContain('4.5.6');
});

test.each([
  ['Bearer realm="x"', 'a token', "--header 'Authorization: Bearer ${NOTES_TOKEN}'"],
  ['Basic', 'how to sign in', 'claude mcp add --transport http notes'],
])('behind %s, the page says to ask for %s, and how a host is told of it', async (scheme, asked, shown) => {
  const { get } = await serve({
    authenticate: () => ({
      challenge: { status: 401, headers: { 'www-authenticate': scheme }, message: 'no' },
    }),
  });
  const { status, headers, text } = await get();
  expect([status, headers['www-authenticate']]).toEqual([401, scheme]);
  expect(unescape(text)).toMatch(new RegExp(`Ask whoever runs it [a-z ]*${asked}`));
  expect(unescape(text)).toContain(shown);
});

test('a fault of the authentication is no page', async () => {
  const { get } = await serve({
    authenticate: () => ({ challenge: { status: 503, headers: {}, message: 'later' } }),
  });
  expect(await get()).toMatchObject({ status: 503, json: { error: { message: 'later' } } });
});

test('a foreign Host gets no page', async () => {
  const { get } = await serve();
  expect(await get({ headers: { host: 'evil.example' } })).toMatchObject({ status: 403 });
});

const shown = (text: string) => /<pre><code>([^<]*)<\/code>/.exec(text)![1];

test('behind a proxy, the page shows the configured URL, or an allowed Host with https; never a forwarded header', async () => {
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const allowedHosts = ['mcp.example.com'];
  const host = 'mcp.example.com';
  const plain = await serve({ allowedHosts });
  expect(shown((await plain.get({ headers: { host, ...forged } })).text)).toBe('https://mcp.example.com/mcp');
  const behind = await serve({ allowedHosts, publicUrl: 'http://tools.example.com/notes/mcp' });
  expect(shown((await behind.get({ headers: { host, ...forged } })).text)).toBe(
    'http://tools.example.com/notes/mcp',
  );
});

test('a query of the request is not shown', async () => {
  const { url, get } = await serve();
  expect(shown((await get({ path: `${url}?x="><script>` })).text)).toBe(url);
});

test('a URL that is not http or https is refused at the start', async () => {
  const server = await createMcpServer({ name: 'a', version: '1.0.0', logger: silentLogger });
  expect(() => mcpHttp(server, { publicUrl: 'javascript:alert(1)' })).toThrow(/publicUrl/);
});
