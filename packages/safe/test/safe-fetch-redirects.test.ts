import type { RequestListener } from 'node:http';
import { safeFetch, type Resolver, type SafeFetchOptions } from '../src/index.js';
import { codeOf, hello, serve } from './local-server.js';

describe('DNS rebinding', () => {
  it('fails, because the checked address is used and the name is looked up once', async () => {
    const inside = await serve(hello, '127.0.0.2');
    const outside = await serve(hello, '127.0.0.1');
    const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
    const resolve: Resolver = async () => answers.shift()!;
    const response = await safeFetch(outside.url, { ...outside.options, resolve });
    expect(response.text()).toBe('hello');
    expect({ left: answers.length, inside: inside.requests.length }).toEqual({ left: 1, inside: 0 });
  });

  it('fails at a redirect to the same name, because the new address is checked again', async () => {
    const { url, options, requests } = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' }).end();
    });
    const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
    expect(await codeOf(safeFetch(url, { ...options, resolve: async () => answers.shift()! }))).toBe(
      'TW_SAFE_ADDRESS',
    );
    expect(requests).toHaveLength(1);
  });
});

describe('redirects', () => {
  const redirectTo =
    (location: string, status = 302): RequestListener =>
    (request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end();
      else response.end(`${request.method} ${request.headers.authorization ?? 'anonymous'}`);
    };

  it.each([
    ['http://169.254.169.254/latest/', 'TW_SAFE_URL'],
    ['http://[::1]/', 'TW_SAFE_URL'],
    ['file:///etc/passwd', 'TW_SAFE_URL'],
    ['//user@site.example/', 'TW_SAFE_URL'],
    ['http://', 'TW_SAFE_URL'],
  ])('to %j are refused', async (location, code) => {
    const { url, options } = await serve(redirectTo(location));
    expect(await codeOf(safeFetch(url, options))).toBe(code);
  });

  it('to a private address on an allowed port are refused', async () => {
    const secret = await serve(hello, '127.0.0.2');
    const { url, options } = await serve(redirectTo(`http://127.0.0.2:${secret.port}/`));
    const ports = [...options.allowedPorts!, secret.port];
    expect(await codeOf(safeFetch(url, { ...options, allowedPorts: ports }))).toBe('TW_SAFE_ADDRESS');
    expect(secret.requests).toEqual([]);
  });

  it('are followed up to the limit', async () => {
    const { url, options, requests } = await serve((_request, response) => {
      response.writeHead(307, { location: '/' }).end();
    });
    expect(await codeOf(safeFetch(url, { ...options, maxRedirects: 3 }))).toBe('TW_SAFE_FETCH');
    expect(requests).toHaveLength(4);
  });

  it.each([
    [301, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('with status %d continue as %s', async (status, method) => {
    const { url, options } = await serve(redirectTo('/next', status));
    const response = await safeFetch(url, {
      ...options,
      method: 'POST',
      body: 'x',
      headers: { Authorization: 'me' },
    });
    expect(response.text()).toBe(`${method} me`);
  });

  /** A server that redirects to another one, and the request that the other one got. */
  async function elsewhere(status: number, request: SafeFetchOptions) {
    const bodies: string[] = [];
    const other = await serve((received, response) => {
      received.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      received.on('end', () => response.end('there'));
    });
    const { url, options } = await serve(redirectTo(`http://other.example:${other.port}/next`, status));
    const allowedPorts = [...options.allowedPorts!, other.port];
    const outcome = await codeOf(safeFetch(url, { ...options, ...request, allowedPorts }));
    return { outcome, bodies, requests: other.requests };
  }

  it('to another origin carry nothing that could be a credential', async () => {
    const secret = {
      authorization: 'secret',
      cookie: 'secret',
      'X-Api-Key': 'secret',
      'x-goog-iam-authorization-token': 'secret',
      'private-token': 'secret',
      referer: 'secret',
    };
    const harmless = {
      accept: 'text/html',
      'Accept-Language': 'de',
      'user-agent': 'test',
      range: 'bytes=0-9',
    };
    const { requests } = await elsewhere(302, { headers: { ...secret, ...harmless } });
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests[0]!.rawHeaders)).not.toContain('secret');
    expect(requests[0]!.headers).toMatchObject({
      accept: 'text/html',
      'accept-language': 'de',
      range: 'bytes=0-9',
    });
  });

  it.each([301, 302, 303])('with status %d to another origin turn a POST into a GET', async (status) => {
    const { outcome, bodies, requests } = await elsewhere(status, { method: 'POST', body: 'secret' });
    expect({ outcome, bodies, methods: requests.map(({ method }) => method) }).toEqual({
      outcome: 'no error',
      bodies: [],
      methods: ['GET'],
    });
  });

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [307, 'PUT'],
    [302, 'PUT'],
    [308, 'DELETE'],
  ])('with status %d to another origin never repeat a %s', async (status, method) => {
    const { outcome, requests } = await elsewhere(status, { method, body: 'secret' });
    expect({ outcome, requests }).toEqual({ outcome: 'TW_SAFE_URL', requests: [] });
  });

  it.each(['GET', 'HEAD'])(
    'with status 308 to another origin follow a %s without its body',
    async (method) => {
      const { outcome, bodies, requests } = await elsewhere(308, { method, body: 'secret' });
      expect({ outcome, bodies, method: requests[0]?.method }).toEqual({
        outcome: 'no error',
        bodies: [],
        method,
      });
    },
  );

  it('back to the first origin do not restore credentials', async () => {
    const other = await serve((_request, response) =>
      response.writeHead(302, { location: `http://site.example:${first.port}/back` }).end(),
    );
    const first = await serve(redirectTo(`http://other.example:${other.port}/`));
    const allowedPorts = [first.port, other.port];
    const headers = { authorization: 'me' };
    const response = await safeFetch(first.url, { ...first.options, allowedPorts, headers });
    expect(response.text()).toBe('GET anonymous');
  });
});
