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
        response_types_supported: value('response_types_supported', ['code']),
        scopes_supported: value('issuer_scopes', undefined),
        code_challenge_methods_supported: value('code_challenge_methods_supported', ['S256']),
      }),
    '/reg': () =>
      json(
        {
          client_id: value('client_id', 'doctor'),
          client_secret: value('client_secret', undefined),
          client_secret_expires_at: value('client_secret_expires_at', undefined),
          redirect_uris: value('redirect_uris', ['http://127.0.0.1:9/callback']),
        },
        201,
      ),
    '/auth': () =>
      new Response('', { status: 302, headers: { location: String(value('location', '/page')) } }),
    '/token': () =>
      json({
        access_token: value('access_token', 'opaque'),
        token_type: value('token_type', 'Bearer'),
        expires_in: value('expires_in', undefined),
        refresh_token: value('refresh_token', undefined),
      }),
  };
};

function diagnose(changed: Record<string, unknown>, others: Answers = {}) {
  const answers = { ...answersWith(changed), ...others };
  return diagnoseSignIn(url, {
    fetch: (asked, init = {}) =>
      Promise.resolve(answers[new URL(String(asked)).pathname]?.(init) ?? new Response('', { status: 404 })),
    openPage: (page) =>
      Promise.resolve(new URL(`http://127.0.0.1:9/callback?code=c&state=${page.searchParams.get('state')}`)),
  });
}

test('without a change, only the first call fails', async () => {
  expect((await diagnose({})).failure?.step).toBe('call');
});

const addresses = ['javascript:alert(1)', 'data:,x', 'mailto:a@b.example', '//', 'x', '', 5, null, [], {}];

test.each([
  ['resource_metadata', 'metadata'],
  ['resource', 'metadata'],
  ['authorization_servers', 'metadata'],
  ['issuer', 'discovery'],
  ['authorization_endpoint', 'discovery'],
  ['token_endpoint', 'discovery'],
])('whatever a server writes as its %s, the step %s fails, and nothing is thrown', async (name, step) => {
  for (const value of addresses) {
    const { failure } = await diagnose({ [name]: name === 'authorization_servers' ? [value] : value });
    expect([value, failure?.step]).toEqual([value, step]);
  }
});

test('an address that nobody can register at is one that clients do not read, or one without registration', async () => {
  for (const value of addresses) {
    const { failure } = await diagnose({ registration_endpoint: value });
    expect(failure?.code).toBe(value === 'mailto:a@b.example' ? 'registration-missing' : 'issuer-invalid');
  }
});

const BODIES = ['null', '[]', '[{}]', '"text"', '5', 'true', '', '{', '<html>', '\ufeff', '{}'];

test.each([
  ['/.well-known/oauth-protected-resource/mcp', 200, 'metadata'],
  ['/.well-known/oauth-authorization-server', 200, 'discovery'],
  ['/reg', 201, 'registration'],
  ['/token', 200, 'token'],
])(
  'whatever the body of %s is, its step fails where both official clients end',
  async (path, status, step) => {
    for (const body of BODIES) {
      const { failure } = await diagnose({}, { [path]: () => new Response(body, { status }) });
      expect([body, failure?.step]).toEqual([body, step]);
    }
  },
);

test.each(['scopes_supported', 'code_challenge_methods_supported', 'client_id', 'location', 'access_token'])(
  'whatever a server writes as its %s, nothing is thrown',
  async (name) => {
    for (const value of ['http://', 'a\u0000b', 'ü', 5, null, [], {}, [{}]])
      expect((await diagnose({ [name]: value })).failure).toBeDefined();
  },
);

test.each<[string, unknown, string]>([
  ['scopes_supported', null, 'metadata-invalid'],
  ['response_types_supported', undefined, 'issuer-invalid'],
  ['issuer_scopes', null, 'issuer-invalid'],
  ['registration_endpoint', '', 'issuer-invalid'],
  ['registration_endpoint', null, 'issuer-invalid'],
  ['redirect_uris', undefined, 'registration-invalid'],
  ['client_secret', null, 'registration-invalid'],
  ['client_secret_expires_at', '0', 'registration-invalid'],
  ['token_type', undefined, 'token-invalid'],
  ['expires_in', 'an hour', 'token-invalid'],
  ['refresh_token', null, 'token-invalid'],
])('where both official clients end at %s: %j, the doctor says so', async (name, value, code) => {
  const { failure } = await diagnose({ [name]: value });
  expect(failure).toMatchObject({ code });
  expect(failure?.problem).toContain(name.replace('issuer_scopes', 'scopes_supported'));
});

describe('what answers with success is an MCP endpoint only if it answers the request', () => {
  const html = (text: string) =>
    new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const rpc = (value: object) => json({ jsonrpc: '2.0', id: 1, ...value });
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
  const stream = (...events: string[]) =>
    new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
  const odd: Record<string, [answer: () => Response, said: string]> = {
    'a page of sign-in': [
      () => html('<!doctype html><title>Sign in to Corp</title>'),
      'text/html, and an MCP endpoint answers in JSON-RPC. It said: a page of HTML: Sign in to Corp',
    ],
    'an app that answers every path': [() => html('<div id="root"></div>'), 'a page of HTML'],
    nothing: [() => new Response(null, { status: 204 }), 'answered 204 without a body'],
    'an empty body': [() => new Response(''), 'answered 200 without a body'],
    'an acknowledgement': [() => new Response('', { status: 202 }), 'answered 202 without a body'],
    'JSON of another kind': [
      () => json({ status: 'up' }),
      'application/json, and an MCP endpoint answers in JSON-RPC. It said: {"status":"up"}',
    ],
    'a list': [() => json([1]), '[1]'],
    'JSON-RPC without a result': [() => rpc({}), '"id":1'],
    'an answer to another request': [() => json({ jsonrpc: '2.0', id: 7, result: hello }), '"id":7'],
    'a stream that ends before the answer': [
      () => stream('data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error"}}\n\n'),
      'as text/event-stream',
    ],
  };

  test.each(Object.entries(odd))('%s is none', async (_name, [answer, said]) => {
    const { failure, isSignedIn } = await diagnose({}, { '/mcp': answer });
    expect({ isSignedIn, code: failure?.code, step: failure?.step }).toEqual({
      isSignedIn: false,
      code: 'endpoint-unknown',
      step: 'endpoint',
    });
    expect(failure!.problem).toContain(said);
  });

  test('a redirect to a page of sign-in is none, and is said without its query', async () => {
    const location = 'https://login.example.com/start?back=secret';
    const answer = () => new Response(null, { status: 302, headers: { location } });
    const { failure } = await diagnose({}, { '/mcp': answer });
    expect(failure).toMatchObject({ code: 'endpoint-blocked', step: 'endpoint' });
    expect(failure!.problem).toBe(`${url} answered 302, to ${issuer}/start.`);
  });

  test('a stream that sends nothing is not a server that is away', async () => {
    const answer = (_asked: unknown, init: RequestInit = {}) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (control) =>
              init.signal!.addEventListener('abort', () => control.error(init.signal!.reason)),
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
      );
    const { failure, steps } = await diagnoseSignIn(url, { timeout: 20, fetch: answer });
    expect(failure).toMatchObject({ code: 'endpoint-blocked', step: 'endpoint' });
    expect(failure!.problem).toContain('answered 200 as text/event-stream, and the answer does not end');
    expect(steps[0]!.exchanges).toEqual([{ method: 'POST', url, status: 200 }]);
  });

  test.each<[string, () => Response]>([
    ['JSON', () => rpc({ result: hello })],
    [
      'a stream, between other messages',
      () =>
        stream(
          'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error"}}\n\n',
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: hello })}\n\n`,
          'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n',
        ),
    ],
    [
      'the refusal of a server without handshakes',
      () => json({ jsonrpc: '2.0', id: null, error: { code: -32022, message: 'No.' } }, 400),
    ],
  ])('an open server may answer in %s, also if all other paths have a page', async (_name, answer) => {
    const others = Object.keys(answersWith({})).map((path) => [path, () => html('<html>')]);
    const diagnosis = await diagnose({}, { ...Object.fromEntries(others), '/mcp': answer } as Answers);
    expect(diagnosis).toMatchObject({ isSignedIn: true });
    expect(diagnosis.failure).toBeUndefined();
  });

  test('a page in place of the first call is no sign-in that works, and no word of it is shown', async () => {
    const answer = ({ headers }: RequestInit) => {
      const sent = new Headers(headers).get('authorization');
      return sent === null ? answersWith({})['/mcp']!({}) : json({ headers: { authorization: sent } });
    };
    const diagnosis = await diagnose({}, { '/mcp': answer });
    expect(diagnosis.failure).toMatchObject({ code: 'call-blocked', step: 'call' });
    expect(JSON.stringify(diagnosis)).not.toContain('Bearer');
  });
});

describe('what a server answers that is there is said, with what to do', () => {
  const answered = (status: number, text = '', headers: Record<string, string> = {}) =>
    new Response(text, { status, headers });
  const rpcError = (status: number, message: string) =>
    json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } }, status);
  test.each<[string, () => Response, string, string]>([
    [
      '403 of another server',
      () => json({ error: 'IP not allowed' }, 403),
      'endpoint-refused',
      '403 (IP not allowed)',
    ],
    ['403 without a word', () => answered(403), 'endpoint-refused', 'answered 403.'],
    ['500', () => answered(500, 'boom'), 'endpoint-failed', '500 (boom)'],
    [
      '500 with a page',
      () => answered(500, '<!doctype html><title>Error</title>'),
      'endpoint-failed',
      '500 (a page of HTML: Error)',
    ],
    ['503', () => answered(503), 'endpoint-failed', 'answered 503.'],
    [
      '503 for a time',
      () => answered(503, '<html>', { 'retry-after': '30' }),
      'endpoint-busy',
      '503, Retry-After: 30',
    ],
    [
      '429',
      () => answered(429, 'slow down', { 'retry-after': '7' }),
      'endpoint-busy',
      '429, Retry-After: 7 (slow down)',
    ],
    ['502 of a proxy', () => answered(502, '<html>'), 'endpoint-unreachable', 'answered 502'],
    ['400', () => answered(400, 'no csrf token'), 'endpoint-refused', '400 (no csrf token)'],
    ['an error in JSON-RPC', () => rpcError(200, 'Who are you?'), 'endpoint-refused', '200 (Who are you?)'],
  ])('%s', async (_name, answer, code, said) => {
    const { failure } = await diagnose({}, { '/mcp': answer });
    expect(failure).toMatchObject({ code, step: 'endpoint' });
    expect(failure!.problem).toContain(said);
  });

  const basic = { 'www-authenticate': 'Basic realm="Bearer of keys"' };
  test.each([
    ['', 404],
    ['<html><title>401 Authorization Required</title>', 401],
    ['<html>', 200],
  ])('a server that wants Basic is not asked for a token: %j and %d elsewhere', async (page, status) => {
    const other = () => answered(status, page, status === 401 ? basic : {});
    const others = Object.fromEntries(Object.keys(answersWith({})).map((path) => [path, other]));
    const { failure } = await diagnose({}, { ...others, '/mcp': () => answered(401, page, basic) });
    expect(failure).toMatchObject({ code: 'challenge-other', responsible: 'client' });
    expect(failure!.problem).toContain('The server wants Basic');
    expect(failure!.advice).toContain('--header "Authorization: Basic');
  });

  test('a server that wants Basic, and has metadata all the same, is signed in at', async () => {
    const { steps } = await diagnose({}, { '/mcp': () => answered(401, '', basic) });
    expect(steps.at(-1)!.step).toBe('call');
  });
});
