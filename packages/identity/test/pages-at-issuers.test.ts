import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer } from '@toolwright/core';
import { type GrantsOptions, oauthResourceServer } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';
import { APP, kinds, resource } from './support/issuer-tokens.js';
import { PROXY, startLifelike, type Habits } from './support/lifelike-issuer.js';
import { quietProvider } from './support/quiet-provider.js';

// The pages of grants and approvals sign people in the same way: where the issuer knows no resource indicators, too.

quietProvider();

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** The page of a server whose callers come from an issuer that behaves like this one. */
async function openPage(
  name: string,
  habits: Habits,
  options: Partial<GrantsOptions> = {},
  scopePrefix = '',
) {
  const { claims, header = {}, preset } = kinds[name]!;
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/connections`;
  const iss = String(claims['iss']);
  const issuer = await startLifelike(iss, habits, {
    claims,
    header,
    idClaims: { name: 'Ann Lee' },
    proxyCallback: `${url}/callback`,
  });
  const oauth = oauthResourceServer({
    resource,
    issuers: [preset(issuer.fetch)],
    scopePrefix,
    exchange: { 'https://x.example': { by: 'stored-grant', issuer: 'https://x.example', clientId: 'x' } },
    grants: { url, issuer: iss, ...PROXY, fetch: issuer.fetch, ...options },
  });
  const server = await createMcpServer({ name: 'desk', version: '1.0.0', logger: silentLogger });
  await oauth.attach(server);
  http.on('request', (req, res) => oauth.pages(req, res));
  toClose.push(
    () => http.close(),
    () => http.closeAllConnections(),
    () => issuer.close(),
    () => server.close(),
  );
  return { url, person: issuer.person() };
}

/** Follows the sign-in. Returns where the page has sent the person, and what they see at the end. */
async function signIn({ url, person }: Awaited<ReturnType<typeof openPage>>) {
  const open = (at: URL | string, cookies: readonly string[]) =>
    fetch(at, {
      redirect: 'manual',
      headers: { cookie: cookies.map((each) => each.split(';')[0]).join('; ') },
    });
  const sent = await open(url, []);
  const asked = new URL(sent.headers.get('location')!);
  const { at } = await person.open(asked);
  const back = await open(at, sent.headers.getSetCookie());
  const shown = back.status === 303 ? await open(url, back.headers.getSetCookie()) : back;
  return { asked: asked.searchParams, html: await shown.text() };
}

const closed = { registration: 'none', documents: false } as const;

test('Entra ID signs people in on a page that names no resource, and asks for a scope of the API by its long name', async () => {
  const options = { audience: false, scopes: ['read'] } as const;
  const habits = { ...closed, resource: 'refused' } as const;
  const { asked, html } = await signIn(await openPage('Entra ID v2', habits, options, `api://${APP}/`));
  expect([asked.get('scope'), asked.get('resource')]).toEqual([`openid api://${APP}/read`, null]);
  expect(html).toContain('You are signed in as Ann Lee (o-1)');
});

test('Auth0 gets an audience in place of the resource', async () => {
  const habits = { ...closed, resource: 'ignored' } as const;
  const { asked } = await signIn(await openPage('Auth0', habits, { audience: resource }));
  expect([asked.get('audience'), asked.get('resource')]).toEqual([resource, null]);
});

test('other issuers get the resource', async () => {
  const page = await openPage('Keycloak', { ...closed, resource: 'ignored' });
  const { asked, html } = await signIn(page);
  expect([asked.get('scope'), asked.get('audience'), asked.get('resource')]).toEqual([
    'openid',
    null,
    resource,
  ]);
  expect(html).toContain('You are signed in as Ann Lee (k-1)');
});
