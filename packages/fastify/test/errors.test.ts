import { send, call } from '../../http/test/support/wire.js';
import { closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

class NotSignedIn extends Error {
  readonly statusCode = 401;
}

const whoami = { ...call('whoami'), path: '/mcp' };
test('without an error handler Fastify answers', async () => {
  const app = createApp();
  await mountFixture(app, { principal: () => Promise.reject(new NotSignedIn('Sign in')) });
  const answer = await send(await serveApp(app), whoami);
  expect([answer.status, answer.json.message]).toEqual([401, 'Sign in']);
});

test('what is thrown and is no error is never sent as an answer', async () => {
  const app = createApp();
  const seen: Error[] = [];
  app.setErrorHandler((error: Error, _request, reply) => (seen.push(error), reply.code(500).send()));
  await mountFixture(app, { principal: () => Promise.reject('secret-canary') });
  const answer = await send(await serveApp(app), whoami);
  expect([answer.status, answer.text]).toEqual([500, '']);
  expect(seen[0]!.cause).toBe('secret-canary');
});
