import { startDevIssuer, type DevIssuer } from '../src/dev.js';
import { ProxyAtWork, register } from './support/open-proxy.js';
import { Person } from './support/person.js';
import { quietProvider } from './support/quiet-provider.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';

let issuer: DevIssuer;
let proxy: ProxyAtWork;

quietProvider();
beforeAll(async () => {
  issuer = await startDevIssuer({ resource: RESOURCE });
  proxy = await ProxyAtWork.start(RESOURCE);
});

afterAll(async () => {
  await proxy.close();
  await issuer.close();
});

const metadataOf = async (origin: string) =>
  (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;

describe.each([
  ['the issuer of development', () => issuer.issuer],
  ['the authorization proxy', () => proxy.issuer],
])('The metadata of %s', (_what, originOf) => {
  test('name only endpoints that answer', async () => {
    const metadata = await metadataOf(originOf());
    const endpoints = Object.keys(metadata).filter((name) => /_endpoint$|^jwks_uri$/.test(name));
    expect(endpoints).toEqual(
      expect.arrayContaining(['authorization_endpoint', 'token_endpoint', 'registration_endpoint']),
    );
    const missing: string[] = [];
    for (const name of endpoints) {
      const url = metadata[name] as string;
      const answers = await Promise.all([fetch(url), fetch(url, { method: 'POST' })]);
      if (answers.every(({ status }) => status === 404)) missing.push(name);
    }
    expect(missing).toEqual([]);
  });

  test('offer the code and nothing else', async () => {
    const metadata = await metadataOf(originOf());
    expect(metadata['response_types_supported']).toEqual(['code']);
    expect(metadata['grant_types_supported']).toEqual(
      expect.arrayContaining(['authorization_code', 'refresh_token']),
    );
    expect(metadata['grant_types_supported']).not.toContain('implicit');
  });
});

test.each([
  ['127.0.0.1', 'without a port', 'http://127.0.0.1/cb', 'http://127.0.0.1:5/cb', undefined],
  ['localhost', 'with another port', 'http://localhost:33418/', 'http://localhost:5/', undefined],
  ['[::1]', 'and said to be a page', 'http://[::1]:1/cb', 'http://[::1]:5/cb', 'web'],
])(
  'The issuer of development sends a client to any port of %s, registered %s',
  async (_host, _how, registered, asked, application_type) => {
    const { authorization_endpoint: authorize } = await metadataOf(issuer.issuer);
    const client = await register(issuer.issuer, registered, '/reg', { application_type });
    const url = new URL(String(authorize));
    url.search = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: asked,
      resource: RESOURCE,
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      state: 's',
      scope: 'read',
    }).toString();
    const back = await new Person('ann').signIn(url);
    expect(back.href).toContain(`${asked}?code=`);
  },
);
