import { diagnoseSignIn } from '../../src/doctor.js';

const url = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com';
const metadata = `${new URL(url).origin}/.well-known/oauth-protected-resource/mcp`;

type Answers = Readonly<Record<string, (init: RequestInit) => Response>>;

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(value, { status, headers });

/** What a server and an issuer answer, with one value changed. */
const answersWith = (changed: Record<string, unknown>): Answers => {
  const value = (name: string, usual: unknown) => (name in changed ? changed[name] : usual);
  const challenge = `Bearer resource_metadata="${String(value('resource_metadata', metadata))}"`;
  return {
    '/mcp': () => json({}, 401, { 'www-authenticate': challenge }),
    '/.well-known/oauth-protected-resource/mcp': () =>
      json({
        resource: value('resource', url),
        authorization_servers: value('authorization_servers', [issuer]),
        scopes_supported: value('scopes_supported', ['read']),
      }),
    '/.well-known/oauth-authorization-server': () =>
      json({
        issuer: value('issuer', issuer),
        authorization_endpoint: value('authorization_endpoint', `${issuer}/auth`),
        token_endpoint: value('token_endpoint', `${issuer}/token`),
        registration_endpoint: value('registration_endpoint', `${issuer}/reg`),
        code_challenge_methods_supported: value('code_challenge_methods_supported', ['S256']),
      }),
    '/reg': () => json({ client_id: value('client_id', 'doctor') }, 201),
    '/auth': () =>
      new Response('', { status: 302, headers: { location: String(value('location', '/page')) } }),
    '/token': () => json({ access_token: value('access_token', 'opaque') }),
  };
};

function diagnose(changed: Record<string, unknown>) {
  const answers = answersWith(changed);
  return diagnoseSignIn(url, {
    fetch: (asked, init = {}) =>
      Promise.resolve(answers[new URL(String(asked)).pathname]?.(init) ?? new Response('', { status: 404 })),
    openPage: (page) =>
      Promise.resolve(new URL(`http://127.0.0.1:9/callback?code=c&state=${page.searchParams.get('state')}`)),
  });
}

test('without a change, only the first call fails', async () => {
  expect((await diagnose({})).fault?.step).toBe('call');
});

const addresses = ['javascript:alert(1)', 'data:,x', 'mailto:a@b.example', '//', 'x', '', 5, null, [], {}];

test.each([
  ['resource_metadata', 'metadata'],
  ['resource', 'metadata'],
  ['authorization_servers', 'metadata'],
  ['issuer', 'discovery'],
  ['authorization_endpoint', 'discovery'],
  ['token_endpoint', 'discovery'],
  ['registration_endpoint', 'registration'],
])('whatever a server writes as its %s, the step %s fails, and nothing is thrown', async (name, step) => {
  for (const value of addresses) {
    const { fault } = await diagnose({ [name]: name === 'authorization_servers' ? [value] : value });
    expect([value, fault?.step]).toEqual([value, step]);
  }
});

test.each(['scopes_supported', 'code_challenge_methods_supported', 'client_id', 'location', 'access_token'])(
  'whatever a server writes as its %s, nothing is thrown',
  async (name) => {
    for (const value of ['http://', 'a\u0000b', 'ü', 5, null, [], {}, [{}]])
      expect((await diagnose({ [name]: value })).fault).toBeDefined();
  },
);
