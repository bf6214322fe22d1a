import { json, LocalIssuer, type Page } from '../../../packages/http/test/support/local-issuer.js';
import { ask, call, initialize, old } from './support/ask.js';
import { runtimes } from './support/runtimes.js';
import { start, type Started } from './support/start.js';

const aud = 'https://contacts.example/mcp';

describe.each(runtimes)('$name', ({ command, args, hasNoSessions }) => {
  let issuer: LocalIssuer;
  let app: Started;
  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    publish();
    app = await start(command, args, { SERVE: 'secured', ISSUER: issuer.issuer });
  });
  afterAll(async () => {
    await app?.stop();
    await issuer.close();
  });

  function publish(): void {
    issuer.pages.set('/.well-known/oauth-authorization-server', json(issuer.metadata));
  }

  const withToken = async (claims = {}, header = {}) => ({
    headers: { authorization: `Bearer ${await issuer.token({ aud, ...claims }, header)}` },
  });
  const refusal = async (parts: { headers: Record<string, string> }) => {
    const { status, headers } = await ask(app.url, 'tools/list', {}, parts);
    return [status, headers.get('www-authenticate')];
  };

  // Nobody has asked the issuer yet.
  test('a client that goes away while the keys are fetched leaves the next one a way', async () => {
    let hold!: Page;
    const held = new Promise<Parameters<Page>[0]>((resolve) => (hold = resolve));
    issuer.outage = hold;
    const client = new AbortController();
    const gone = ask(app.url, 'tools/list', {}, { ...(await withToken()), signal: client.signal });
    const answer = await held;
    client.abort();
    await expect(gone).rejects.toThrow();
    issuer.outage = undefined;
    json(issuer.metadata)(answer);
    const { structuredContent } = await call(app.url, 'whoAmI', {}, await withToken({ sub: 'ben' }));
    expect(structuredContent).toEqual({ subject: 'ben' });
  });

  test('a token of the issuer says who calls, on both eras', async () => {
    const { structuredContent } = await call(app.url, 'whoAmI', {}, await withToken({ sub: 'ada' }));
    expect(structuredContent).toEqual({ subject: 'ada' });
    const parts = await withToken({ sub: 'ada' });
    const { headers } = await old(app.url, initialize, undefined, parts);
    const session = headers.get('mcp-session-id') ?? undefined;
    expect(session === undefined).toBe(hasNoSessions === true);
    const asking = { id: 2, method: 'tools/call', params: { name: 'whoAmI', arguments: {} } };
    const { messages } = await old(app.url, asking, session, parts);
    expect(messages.at(-1).result.structuredContent).toEqual({ subject: 'ada' });
  });

  test('a caller without a token is told where the metadata is, and finds the issuer there', async () => {
    const [status, challenge] = await refusal({ headers: {} });
    expect(status).toBe(401);
    const [, path] = /resource_metadata="https:\/\/contacts\.example([^"]+)"/.exec(String(challenge))!;
    const metadata = await fetch(new URL(path!, app.url));
    expect(await metadata.json()).toMatchObject({ resource: aud, authorization_servers: [issuer.issuer] });
  });

  test.each([
    ['of another resource', { aud: 'https://other.example' }, {}],
    ['of another issuer', { iss: 'https://other.example' }, {}],
    ['that has expired', { exp: 1_000_000_000 }, {}],
    ['that is an ID token', { nonce: 'n', at_hash: 'h' }, {}],
    ['whose key nobody knows', {}, { kid: 'unknown' }],
  ])('a token %s is refused', async (_, claims, header) => {
    const [status, challenge] = await refusal(await withToken(claims, header));
    expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });

  test('a changed signature is refused', async () => {
    const token = await issuer.token({ aud });
    const broken = token.replace(
      /\.([^.]{4})([^.]*)$/,
      (_, start: string, rest: string) => `.${[...start].reverse().join('')}${rest}`,
    );
    const [status] = await refusal({ headers: { authorization: `Bearer ${broken}` } });
    expect(status).toBe(401);
  });

  test('a new key of the issuer is known at once', async () => {
    await issuer.rotate('second');
    const { structuredContent } = await call(app.url, 'whoAmI', {}, await withToken({ sub: 'cy' }));
    expect(structuredContent).toEqual({ subject: 'cy' });
  });
});
