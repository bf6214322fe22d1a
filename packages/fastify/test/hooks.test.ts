import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import { oauthResourceServer } from '@toolwright/http';
import { createFixture } from '../../http/test/support/fixture.js';
import { call, send } from '../../http/test/support/wire.js';
import { mcpFastify } from '../src/index.js';
import { closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

const whoami = { ...call('whoami'), path: '/mcp' };

test('hooks of the app run around the endpoint, and hooks inside other plugins do not', async () => {
  const app = createApp();
  const ran: string[] = [];
  for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend'] as const)
    app.addHook(hook, async () => void ran.push(hook));
  const responded = new Promise<void>((resolve) => app.addHook('onResponse', async () => resolve()));
  app.register(
    async (inner) => void inner.addHook('onRequest', async () => void ran.push('of another plugin')),
  );
  await mountFixture(app);
  await send(await serveApp(app), whoami);
  await responded;
  expect(ran).toEqual(['onRequest', 'preParsing', 'preValidation', 'preHandler']);
});

test('a hook may answer in the place of the endpoint', async () => {
  const app = createApp();
  app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ error: 'Sign in' }));
  await mountFixture(app);
  const answer = await send(await serveApp(app), whoami);
  expect([answer.status, answer.json]).toEqual([401, { error: 'Sign in' }]);
});

test('headers that hooks have set are sent', async () => {
  const app = createApp();
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-frame-options', 'DENY'));
  app.addHook('preHandler', async (_request, reply) => void reply.header('vary', 'Accept'));
  await mountFixture(app, { allowedOrigins: ['https://app.example.com'] });
  const headers = { ...whoami.headers, origin: 'https://app.example.com' };
  const answer = await send(await serveApp(app), { ...whoami, headers });
  expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', vary: 'Accept, Origin' });
});

test('`principal`, `authenticate` and `ip` get the request of Fastify, with what hooks have put there', async () => {
  const app = createApp();
  app.decorateRequest('user', '');
  app.addHook(
    'onRequest',
    async (request) => void Object.assign(request, { user: request.headers['x-user'] }),
  );
  const userOf = (request: FastifyRequest) => (request as FastifyRequest & { user: string }).user;
  const principalOf = (request: FastifyRequest) => ({ subject: userOf(request), scopes: [] });
  const ips: unknown[] = [];
  const ip = (request: FastifyRequest) => (ips.push(userOf(request)), '198.51.100.1');
  await mountFixture(app, { principal: principalOf, ip });
  await mountFixture(app, {
    path: '/own',
    authenticate: async (request) => ({ principal: principalOf(request) }),
  });
  const url = await serveApp(app);
  for (const path of ['/mcp', '/own']) {
    const answer = await send(url, { ...whoami, path, headers: { ...whoami.headers, 'x-user': 'ada' } });
    expect(answer.json.result.content[0].text).toBe('ada');
  }
  expect(ips).toEqual(['ada']);
});

test('tools read what a hook keeps in an AsyncLocalStorage', async () => {
  const app = createApp();
  const tenant = new AsyncLocalStorage<string>();
  const { server } = await createFixture();
  server.tools.add({ name: 'tenant', description: 'Tenant.', handler: () => tenant.getStore() });
  app.addHook('onRequest', (_request, _reply, done) => tenant.run('acme', done));
  app.register(mcpFastify, { server });
  const answer = await send(await serveApp(app), { ...call('tenant'), path: '/mcp' });
  expect(answer.json.result.content[0].text).toBe('acme');
});

test('a hook may serve the page that OAuth needs at the root', async () => {
  const oauth = oauthResourceServer({
    resource: 'https://mcp.example.com/mcp',
    issuers: ['https://login.example.com'],
  });
  const app = createApp();
  app.addHook('onRequest', (request, reply, done) => oauth.metadata(request.raw, reply.raw, done));
  await mountFixture(app, { oauth });
  const url = await serveApp(app);
  const asked = await send(url, whoami);
  expect([asked.status, asked.headers['www-authenticate']]).toEqual([
    401,
    expect.stringContaining(oauth.metadataUrl),
  ]);
  const { pathname } = new URL(oauth.metadataUrl);
  expect((await send(url, { method: 'GET', path: pathname })).json.resource).toBe(
    'https://mcp.example.com/mcp',
  );
});
