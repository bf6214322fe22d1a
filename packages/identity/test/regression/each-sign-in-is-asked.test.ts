import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { startDevIssuer, type DevIssuer } from '../../src/dev.js';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { Person } from '../support/person.js';
import { ProxyPerson } from '../support/proxy-person.js';
import { quietProvider } from '../support/quiet-provider.js';

const CALLBACK = 'http://127.0.0.1:9/callback';
const RESOURCE = 'http://127.0.0.1:9/mcp';
const DOCUMENT = 'https://client.example/metadata.json';
const UNLISTED = 'https://client.example/collect';

/** Other spellings of an address that a router, or a parser of URLs, may read as that address. */
const spellings = [
  'AUTH',
  'Auth',
  'auth/',
  '/auth',
  './auth',
  'x/../auth',
  '%61uth',
  'au%74h',
  'auth;a=b',
  'auth%2f',
  '\\auth',
  'auth?',
  'AUTH/',
];

let proxy: ProxyAtWork;
let issuer: DevIssuer;

quietProvider();
beforeAll(async () => {
  issuer = await startDevIssuer();
  proxy = await ProxyAtWork.start(RESOURCE, {
    fetch: () =>
      Promise.resolve(
        Response.json({
          client_id: DOCUMENT,
          client_name: 'An application',
          redirect_uris: [CALLBACK, UNLISTED],
          token_endpoint_auth_method: 'none',
        }),
      ),
  });
});

afterAll(async () => {
  await proxy.close();
  await issuer.close();
});

const asks = (client: string, redirect = CALLBACK) =>
  new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'read',
    resource: RESOURCE,
    state: 'of a stranger',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
  });

/** Sends a target as it is: `fetch` would write it in another way. */
function send(origin: string, path: string, cookie: string): Promise<{ location: string; status: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin);
    const sent = request({ hostname, port, path, headers: { cookie, host } }, (response) => {
      response.resume();
      resolve({ location: response.headers.location ?? '', status: response.statusCode! });
    });
    sent.on('error', reject).end();
  });
}

const seesNoCode = async (origin: string, path: string, cookie: string) => {
  const { location } = await send(origin, path, cookie);
  expect(`${path} ${location}`).not.toMatch(/[?&]code=/);
};

test('the proxy gives no code without the page of consent, however its address is written', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  const ann = new ProxyPerson('ann');
  const url = new URL(`/oauth/authorize?${asks(client)}`, proxy.issuer);
  expect((await ann.signIn(url)).searchParams.has('code')).toBe(true);
  for (const each of ['auth', ...spellings]) {
    const path = `/oauth/${each.replace('auth', 'authorize').replace('AUTH', 'AUTHORIZE')}`;
    await seesNoCode(proxy.issuer, `${path}?${asks(client)}`, ann.cookies);
    await seesNoCode(proxy.issuer, `${path}?${asks(client)}&prompt=none`, ann.cookies);
    await seesNoCode(proxy.issuer, `${proxy.issuer}${path}?${asks(client)}`, ann.cookies);
  }
  const shown = await send(proxy.issuer, `/oauth/AUTHORIZE?${asks(client)}`, ann.cookies);
  expect(shown.location).toMatch(/^\/oauth\/sign-in\//);
});

test('a document client that was let in once is sent to no address that is not listed', async () => {
  const ann = new ProxyPerson('ann');
  const listed = new URL(`/oauth/authorize?${asks(DOCUMENT)}`, proxy.issuer);
  expect((await ann.signIn(listed)).searchParams.has('code')).toBe(true);
  for (const path of ['/oauth/authorize', '/oauth/AUTHORIZE', '/oauth/authorize/']) {
    const wish = `${path}?${asks(DOCUMENT, UNLISTED)}`;
    for (const more of ['', '&prompt=none', '&response_type=nothing', '&scope=%22'])
      expect(await send(proxy.issuer, wish + more, ann.cookies)).toEqual({ location: '', status: 400 });
  }
  const { html } = await ann.open(new URL(`/oauth/authorize?${asks(DOCUMENT, UNLISTED)}`, proxy.issuer));
  expect(html).toContain('This application is not let in');
});

test('another person can sign in with the browser of the last one', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register');
  const url = () => new URL(`/oauth/authorize?${asks(client)}`, proxy.issuer);
  const browser = new ProxyPerson('ann');
  expect((await browser.signIn(url())).searchParams.has('code')).toBe(true);
  const { at } = await browser.depart(url());
  const back = await new Person('ben').signIn(at);
  expect((await browser.open(back)).at.searchParams.has('code')).toBe(true);
});

test('the issuer of development lets a person choose at each sign-in, however its address is written', async () => {
  const client = await register(issuer.issuer, CALLBACK);
  const ann = new Person('ann');
  const first = await ann.signIn(new URL(`/auth?${asks(client)}`, issuer.issuer));
  expect(first.searchParams.has('code')).toBe(true);
  for (const each of ['auth', ...spellings]) {
    await seesNoCode(issuer.issuer, `/${each}?${asks(client)}`, ann.cookies);
    await seesNoCode(issuer.issuer, `${issuer.issuer}/${each}?${asks(client)}`, ann.cookies);
  }
});

test('the page of consent marks what a name hides', async () => {
  const client = await register(proxy.issuer, CALLBACK, '/oauth/register', {
    client_name: 'Ed\u{e0100}it\u00ador\u2064\u200b\u202e \u{e0041}',
  });
  const { html } = await new ProxyPerson('ann').open(
    new URL(`/oauth/authorize?${asks(client)}`, proxy.issuer),
  );
  for (const code of ['e0100', 'ad', '2064', '200b', '202e', 'e0041']) expect(html).toContain(`\\u{${code}}`);
});
