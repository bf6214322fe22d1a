import { createHash, randomBytes } from 'node:crypto';
import { type RecordStore, systemClock } from '@toolwright/core/ports';
import { openAuthorizationProxy } from '../../src/proxy.js';
import { startGuardedApp, type GuardedApp } from './guarded-app.js';
import { connectAs } from './oauth-client.js';
import { ProxyAtWork, register, SECRET } from './open-proxy.js';
import { ProxyPerson } from './proxy-person.js';
import { quietProvider } from './quiet-provider.js';

const CALLBACK = 'http://127.0.0.1:9/callback';

/** What holds for replicas of the proxy, whatever store they share. @param openRecords is called for each replica */
export function describeProxy(name: string, openRecords?: () => Promise<RecordStore>): void {
  describe(name, () => {
    let app: GuardedApp;
    let proxy: ProxyAtWork;
    /** How far the clock of the proxy is ahead, in milliseconds. */
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };

    quietProvider();
    beforeAll(async () => {
      app = await startGuardedApp();
      proxy = await ProxyAtWork.start(app.endpoint, {
        replicas: 3,
        clock,
        openRecords,
        tokenClaims: ({ subject }) => ({ tenant: `of ${subject}` }),
      });
      app.trust(proxy.issuer);
    });

    afterAll(async () => {
      await proxy.close();
      await app.close();
    });

    /** A request of a client that registers itself, without the client. */
    async function beginSignIn(redirect = CALLBACK, scope = 'read write') {
      const client = await register(proxy.issuer, redirect, '/oauth/register', {
        grant_types: ['authorization_code', 'refresh_token'],
      });
      const verifier = randomBytes(32).toString('base64url');
      const url = new URL(`${proxy.issuer}/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: client,
        response_type: 'code',
        redirect_uri: redirect,
        scope,
        resource: app.endpoint,
        state: 'here',
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      }).toString();
      return { client, verifier, url };
    }

    type TokenField = 'access_token' | 'refresh_token' | 'error';

    async function askForTokens(form: Record<string, string>) {
      const response = await fetch(`${proxy.issuer}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return { status: response.status, ...((await response.json()) as Partial<Record<TokenField, string>>) };
    }

    /** Signs a person in, and redeems the code. */
    async function signIn(user: string, scope?: string) {
      const { client, verifier, url } = await beginSignIn(CALLBACK, scope);
      const back = await new ProxyPerson(user).signIn(url);
      const form = {
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: CALLBACK,
        code: back.searchParams.get('code')!,
        code_verifier: verifier,
      };
      return { client, back, form, tokens: await askForTokens(form) };
    }

    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

    describe.each(['v1', 'v2'] as const)('The official client %s', (version) => {
      test('registers, signs in upstream, and calls tools, with replicas that share one store', async () => {
        const client = await connectAs(version, app.endpoint, new ProxyPerson('ann'));
        expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
        expect((await client.call('write_note')).text).toBe('write_note by ann');
        await client.close();
      });

      test('gets the scopes that the person has upstream, and no others', async () => {
        const client = await connectAs(version, app.endpoint, new ProxyPerson('ben'));
        expect(await client.names()).toEqual(['whoami', 'read_note']);
        await client.close();
      });
    });

    describe.each(['v1', 'v2'] as const)('The official client %s with a metadata document', (version) => {
      test('is shown with the host that describes it', async () => {
        const document = 'https://client.example/metadata.json';
        const guarded = await startGuardedApp();
        const behind = await ProxyAtWork.start(guarded.endpoint, {
          registration: false,
          fetch: () =>
            Promise.resolve(
              Response.json({
                client_id: document,
                client_name: 'An application',
                redirect_uris: [CALLBACK],
                grant_types: ['authorization_code', 'refresh_token'],
                response_types: ['code'],
                token_endpoint_auth_method: 'none',
              }),
            ),
        });
        guarded.trust(behind.issuer);
        const person = new ProxyPerson('ann');
        const client = await connectAs(version, guarded.endpoint, person, { document });
        expect((await client.call('read_note')).text).toBe('read_note by ann');
        expect(person.pages[0]).toContain('described by client.example');
        await client.close();
        await behind.close();
        await guarded.close();
      });
    });

    test('A person sees who asks for what, and may refuse', async () => {
      const { url } = await beginSignIn();
      const person = new ProxyPerson('ann', 'deny');
      const back = await person.signIn(url);
      expect(back.searchParams.get('error')).toBe('access_denied');
      expect(back.searchParams.get('state')).toBe('here');
      for (const part of ['An application', '127.0.0.1:9', app.endpoint, 'write', 'has registered itself'])
        expect(person.pages[0]).toContain(part);
    });

    test('A token names the person, the endpoint and the client, and what the operator adds', async () => {
      const { client, tokens } = await signIn('ann');
      expect(claimsOf(tokens.access_token!)).toMatchObject({
        iss: proxy.issuer,
        sub: 'ann',
        aud: app.endpoint,
        client_id: client,
        scope: 'read write',
        tenant: 'of ann',
      });
    });

    test('Nothing that the store holds is a token, or shows one', async () => {
      const { tokens } = await signIn('ann');
      const rooms = ['oauth-RefreshToken', 'oauth-Account', 'oauth-Grant', 'oauth-SigningKeys'];
      const kept = JSON.stringify(await Promise.all(rooms.map(async (room) => proxy.records.list(room))));
      expect(kept.length).toBeGreaterThan(1_000);
      // Three letters alone appear in sealed texts by chance.
      for (const secret of [tokens.refresh_token!, '\\"ann\\"', 'RS256']) expect(kept).not.toContain(secret);
    });

    test('A code is redeemed once, also by requests at the same time to different replicas', async () => {
      const { client, verifier, url } = await beginSignIn();
      const code = (await new ProxyPerson('ann').signIn(url)).searchParams.get('code')!;
      const form = {
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: CALLBACK,
        code,
        code_verifier: verifier,
      };
      const answers = await Promise.all(Array.from({ length: 6 }, () => askForTokens(form)));
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect((await askForTokens(form)).error).toBe('invalid_grant');
    });

    test('Two refreshes at the same time both succeed; a refresh token that is used later ends the grant', async () => {
      const { client, tokens } = await signIn('ann');
      const form = { grant_type: 'refresh_token', client_id: client, refresh_token: tokens.refresh_token! };
      const [one, other] = await Promise.all([askForTokens(form), askForTokens(form)]);
      expect([one.status, other.status]).toEqual([200, 200]);
      ahead = 11_000;
      expect((await askForTokens(form)).error).toBe('invalid_grant');
      const next = { ...form, refresh_token: one.refresh_token! };
      expect((await askForTokens(next)).error).toBe('invalid_grant');
      ahead = 0;
    });

    describe('A stranger', () => {
      test('cannot have a client sent to an address that is not on the list', async () => {
        await expect(
          register(proxy.issuer, 'https://evil.example/callback', '/oauth/register'),
        ).rejects.toThrow('invalid_redirect_uri');
      });

      test('cannot register for assertions', async () => {
        const grants = { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] };
        await expect(register(proxy.issuer, CALLBACK, '/oauth/register', grants)).rejects.toThrow(
          'invalid_client_metadata',
        );
      });

      test('cannot answer the page of consent for a person', async () => {
        const { url } = await beginSignIn();
        const person = new ProxyPerson('ann');
        const { at, html } = await person.open(url);
        const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
        const answer = (headers: Record<string, string>, form: Record<string, string>) =>
          fetch(at, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) });
        const cookie = person.cookies;
        expect((await answer({}, { token, decision: 'allow' })).status).toBe(400);
        expect((await answer({ cookie }, { decision: 'allow' })).status).toBe(403);
        const other = (await new ProxyPerson('ann').open((await beginSignIn()).url)).html;
        const foreign = /name="token" value="([^"]+)"/.exec(other)![1]!;
        expect((await answer({ cookie }, { token: foreign, decision: 'allow' })).status).toBe(403);
        const origin = 'https://evil.example';
        expect((await answer({ cookie, origin }, { token, decision: 'allow' })).status).toBe(403);
        expect((await answer({ cookie }, { token, decision: 'allow' })).status).toBe(303);
      });

      test('cannot finish the sign-in of a person, or have a person finish theirs', async () => {
        const { url } = await beginSignIn();
        const ann = new ProxyPerson('ann');
        const { at: upstream } = await ann.depart(url);
        const back = await new ProxyPerson('ann').upstreamSignIn(upstream);
        const stranger = new ProxyPerson('ben');
        expect((await stranger.open(back)).status).toBe(400);
        await stranger.depart((await beginSignIn()).url);
        expect((await stranger.open(back)).status).toBe(400);
        expect((await ann.open(back)).at.searchParams.get('code')).toBeTruthy();
      });

      test('gets no token for an endpoint that the proxy does not know', async () => {
        const { url } = await beginSignIn();
        url.searchParams.set('resource', 'https://other.example/mcp');
        const { at, status, html } = await new ProxyPerson('ann').open(url);
        expect(at.searchParams.get('error') ?? `${status} ${html}`).toContain('invalid_target');
      });

      test('cannot choose the address of the proxy by a header', async () => {
        const response = await fetch(`${proxy.issuer}/.well-known/oauth-authorization-server`, {
          headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
        });
        expect(JSON.stringify(await response.json())).not.toContain('evil.example');
      });
    });

    test('A page that was left open for too long says what to do', async () => {
      const response = await fetch(`${proxy.issuer}/oauth/callback?code=1&state=2`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('Begin again in your application');
    });

    test('A secret can be changed without a new sign-in', async () => {
      const { client, tokens } = await signIn('ann');
      const rotated = await openAuthorizationProxy({
        issuer: proxy.issuer,
        upstream: { issuer: proxy.upstream.issuer, clientId: 'unused' },
        resources: { [app.endpoint]: ['read', 'write'] },
        scopesOf: () => [],
        secrets: ['another secret of the tests, also long enough', SECRET],
        records: proxy.records,
      });
      const { createServer } = await import('node:http');
      const server = createServer(rotated.handler).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client,
          refresh_token: tokens.refresh_token!,
        }),
      });
      server.close();
      server.closeAllConnections();
      expect(response.status).toBe(200);
    });
  });
}
