import type { RequestListener } from 'node:http';
import { safeFetch, type Resolver } from '../src/index.js';
import { codeOf, hello, serve } from './local-server.js';

describe('DNS rebinding', () => {
  it('fails: the address that was checked is the one that is used, and the name is looked up once', async () => {
    const inside = await serve(hello, '127.0.0.2');
    const outside = await serve(hello, '127.0.0.1');
    const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
    const resolve: Resolver = async () => answers.shift()!;
    const response = await safeFetch(outside.url, { ...outside.options, resolve });
    expect(response.text()).toBe('hello');
    expect({ left: answers.length, inside: inside.requests.length }).toEqual({ left: 1, inside: 0 });
  });

  it('fails at a redirect to the same name, whose new address is checked anew', async () => {
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

  it('are followed so many times and no more', async () => {
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
  ])('with status %d go on as %s', async (status, method) => {
    const { url, options } = await serve(redirectTo('/next', status));
    const response = await safeFetch(url, {
      ...options,
      method: 'POST',
      body: 'x',
      headers: { Authorization: 'me' },
    });
    expect(response.text()).toBe(`${method} me`);
  });

  it('to another origin carry no credentials', async () => {
    const other = await serve(redirectTo('/'));
    const { url, options } = await serve(redirectTo(`http://other.example:${other.port}/next`));
    const ports = [...options.allowedPorts!, other.port];
    const response = await safeFetch(url, {
      ...options,
      allowedPorts: ports,
      headers: { authorization: 'me' },
    });
    expect(response.text()).toBe('GET anonymous');
  });
});
