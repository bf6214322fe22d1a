import { gzipSync } from 'node:zlib';
import type { ToolError } from '@toolwright/core';
import { safeFetch, type Resolver } from '../src/index.js';
import { codeOf, hello, serve } from './local-server.js';

it('returns the answer of an allowed host', async () => {
  const { url, port, options, requests } = await serve(hello);
  const response = await safeFetch(url, { ...options, method: 'POST', body: 'x', headers: { 'X-A': '1' } });
  expect({ ...response, text: response.text(), headers: undefined, body: undefined }).toMatchObject({
    url,
    status: 200,
    text: 'hello',
  });
  expect(requests[0]).toMatchObject({
    method: 'POST',
    headers: { host: `site.example:${port}`, 'x-a': '1' },
  });
});

describe('hosts that are not on the public internet', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://169.254.43518/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://100.100.100.200/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://127.0.0.1:80#@example.com/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://127.0.0.1\t/',
    ' http://127.0.0.1/ ',
  ])('%j is refused', async (url) => {
    expect(await codeOf(safeFetch(url))).toBe('TW_SAFE_ADDRESS');
  });

  it('are refused if any address of their name is refused', async () => {
    const resolve: Resolver = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    const error = await safeFetch('http://inside.example/', { resolve }).catch((caught: ToolError) => caught);
    expect(error).toMatchObject({ code: 'TW_SAFE_ADDRESS' });
    expect((error as ToolError).message).toBe('The host "inside.example" is not on the public internet.');
  });
});

describe('URLs', () => {
  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://127.0.0.1:6379/_INFO',
    'dict://127.0.0.1:11211/stat',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:http://example.com/x',
    'ws://example.com/',
    'unix:/var/run/docker.sock',
    'jar:http://example.com!/',
    'http://user:password@example.com/',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1:22/',
    'http://example.com:6379/',
    'https://example.com:8443/',
    'http://256.256.256.256/',
    'http://0x100000000/',
    'http://[::1%25lo]/',
    'http:///',
    '//example.com/',
    '/etc/passwd',
    'example.com',
    '',
    'http://exa mple.com/',
    'http://a\u0000b/',
  ])('%j is refused', async (url) => {
    expect(await codeOf(safeFetch(url))).toBe('TW_SAFE_URL');
  });

  it('may be limited to certain hosts', async () => {
    const { options, port } = await serve(hello);
    const limited = { ...options, allowedHosts: ['site.example', '*.docs.example'] };
    const code = (host: string) => codeOf(safeFetch(`http://${host}:${port}/`, limited));
    expect(await code('site.example')).toBe('no error');
    expect(await code('SITE.example.')).toBe('no error');
    expect(await code('a.docs.example')).toBe('no error');
    for (const host of ['docs.example', 'evilsite.example', 'site.example.evil.example', 'xdocs.example']) {
      expect(await code(host)).toBe('TW_SAFE_URL');
    }
  });
});

describe('limits', () => {
  it.each([
    [
      'announced',
      (response: import('node:http').ServerResponse) => response.writeHead(200, { 'content-length': 5000 }),
    ],
    ['not announced', () => undefined],
  ])('on size apply when the size is %s', async (_how, announce) => {
    const { url, options } = await serve((_request, response) => {
      announce(response);
      response.end('x'.repeat(5000));
    });
    expect(await codeOf(safeFetch(url, { ...options, maxBytes: 4999 }))).toBe('TW_SAFE_TOO_LARGE');
    expect((await safeFetch(url, { ...options, maxBytes: 5000 })).body).toHaveLength(5000);
  });

  it('on size end an endless body', async () => {
    const { url, options } = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await codeOf(safeFetch(url, { ...options, maxBytes: 100_000 }))).toBe('TW_SAFE_TOO_LARGE');
  });

  it('also refuse compressed bodies', async () => {
    const { url, options } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000)));
    });
    expect(await codeOf(safeFetch(url, options))).toBe('TW_SAFE_FETCH');
  });

  it('on time apply during the lookup, before the answer and during the answer', async () => {
    const silent = await serve(() => undefined);
    const slow = await serve((_request, response) => void response.write('x'));
    const never: Resolver = () => new Promise(() => undefined);
    const quick = { timeout: 50 };
    expect(await codeOf(safeFetch('http://site.example/', { ...quick, resolve: never }))).toBe(
      'TW_SAFE_TIMEOUT',
    );
    expect(await codeOf(safeFetch(silent.url, { ...silent.options, ...quick }))).toBe('TW_SAFE_TIMEOUT');
    expect(await codeOf(safeFetch(slow.url, { ...slow.options, ...quick }))).toBe('TW_SAFE_TIMEOUT');
    await expect(safeFetch(silent.url, { ...silent.options, ...quick })).rejects.toThrow(
      `longer than ${quick.timeout} ms`,
    );
  });

  it.each([Infinity, '30d'] as const)('let a request take %s', async (timeout) => {
    const { url, options } = await serve(
      (_request, response) => void setTimeout(() => response.end('done'), 20),
    );
    expect((await safeFetch(url, { ...options, timeout })).text()).toBe('done');
  });

  it("include the caller's signal", async () => {
    const controller = new AbortController();
    const { url, options } = await serve(() => controller.abort(new Error('cancelled')));
    await expect(safeFetch(url, { ...options, signal: controller.signal })).rejects.toThrow('cancelled');
  });
});

it.each(['Host', 'Transfer-Encoding', 'proxy-authorization', 'Content-Length'])(
  '%s cannot be set',
  async (name) => {
    const { url, options } = await serve(hello);
    expect(await codeOf(safeFetch(url, { ...options, headers: { [name]: 'x' } }))).toBe('TW_SAFE_FETCH');
  },
);

it('a failed request reveals nothing about the network', async () => {
  const { url, options } = await serve((request) => request.socket.destroy());
  const error = await safeFetch(url, options).catch((caught: ToolError) => caught);
  expect((error as ToolError).message).toBe('The request to site.example failed.');
});
