import { ConfigurationError, createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { mcpFetch, mcpHttp, oauthResourceServer, serveHttp } from '../../src/index.js';
const small = (further: object = {}) =>
  createMcpServer({
    name: 'small',
    version: '1',
    services: [],
    audit: false,
    logger: silentLogger,
    ...further,
  } as never);

/** Runs something that is wrong. Whatever it starts is stopped. */
async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    const started = (await run()) as { close?(graceMs?: number): Promise<void> } | undefined;
    await started?.close?.(0);
    return undefined;
  } catch (error) {
    return error;
  }
}

const serve = async (options: object) => serveHttp(await small(), { signals: false, ...options } as never);

/** What no option takes. */
const values = [null, 5, -1, Number.NaN, '', 'x', true, {}, [], [null], [5], [{}], () => 1, Symbol('s')];

test.each([
  ['host', { port: 0, host: '0.0.0.0' }, /needs the option "allowedHosts"[^]*List the names/],
  [
    'requestTimeout',
    { port: 0, requestTimeout: '99999999999d' },
    /"requestTimeout" must be a duration[^]*100 years/,
  ],
  ['headersTimeout', { port: 0, headersTimeout: '2m' }, /"headersTimeout" is longer than "requestTimeout"/],
])('serveHttp says what is wrong with %s, and what to do', async (_name, options, words) => {
  const error = await failureOf(() => serve(options));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toMatch(words);
});

test('a short requestTimeout shortens the time for headers, if nobody has set it', async () => {
  expect(await failureOf(() => serve({ port: 0, requestTimeout: '2s' }))).toBeUndefined();
});

test.each(['serveHttp', 'mcpHttp', 'mcpFetch', 'createMcpServer'] as const)(
  '%s without its first argument, or with a promise of it, names it',
  async (name) => {
    const functions = {
      serveHttp: (first: never) => serveHttp(first, { port: 0 }),
      mcpHttp: (first: never) => mcpHttp(first),
      mcpFetch: (first: never) => mcpFetch(first),
      createMcpServer: (first: never) => createMcpServer(first),
    };
    for (const first of [undefined, null, 5, {}, Promise.resolve({})]) {
      const error = await failureOf(() => functions[name](first as never));
      expect(error).toBeInstanceOf(ConfigurationError);
    }
    if (name === 'createMcpServer') return;
    expect(await failureOf(() => functions[name](Promise.resolve({}) as never))).toMatchObject({
      message: expect.stringContaining('got a promise'),
    });
  },
);

const options = {
  serveHttp: [
    'allowedHosts',
    'allowedOrigins',
    'cors',
    'maxBodyBytes',
    'maxUnreadBytes',
    'keepAlive',
    'sse',
    'landing',
    'publicUrl',
    'principal',
    'authenticate',
    'oauth',
    'ip',
    'port',
    'host',
    'path',
    'pages',
    'healthPath',
    'readyPath',
    'drainDelay',
    'grace',
    'signals',
    'headersTimeout',
    'requestTimeout',
  ],
  createMcpServer: [
    'name',
    'version',
    'title',
    'instructions',
    'services',
    'providers',
    'manifest',
    'middleware',
    'audit',
    'rateLimit',
    'authorize',
    'concurrency',
    'timeout',
    'secrets',
    'stores',
    'ports',
    'logger',
    'tasks',
    'lockedTools',
    'resolver',
    'confirmDestructive',
    'toolSearch',
    'skills',
    'approvals',
    'security',
    'icons',
    'websiteUrl',
    'limits',
    'sessions',
    'maxOutput',
    'unknownOption',
  ],
  oauthResourceServer: [
    'resource',
    'issuers',
    'audience',
    'clientIds',
    'algorithms',
    'scopesSupported',
    'impliedScopes',
    'scopePrefix',
    'clockTolerance',
    'tenant',
    'exchange',
    'grants',
    'dpop',
    'proofs',
    'challenge',
    'rememberedTokens',
    'anonymous',
    'requireAtJwt',
    'keysMaxAge',
    'resourceName',
    'resourceDocumentation',
  ],
};

const make = {
  serveHttp: (given: object) => serve({ port: 0, ...given }),
  createMcpServer: (given: object) => small(given),
  oauthResourceServer(given: object): void {
    const base = { resource: 'https://a.example.com/mcp', issuers: ['https://i.example.com'] };
    oauthResourceServer({ ...base, ...given } as never);
  },
};

describe.each(Object.entries(options))('%s', (owner, names) => {
  test.each(names)('takes no wrong %s, or says so as a configuration', async (name) => {
    for (const value of values) {
      const error = await failureOf(() => make[owner as keyof typeof make]({ [name]: value }));
      if (error !== undefined) expect(error).toBeInstanceOf(ConfigurationError);
    }
  });
});
