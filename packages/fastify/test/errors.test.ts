import { send, call } from '../../http/test/support/wire.js';
import { closeApps, createApp, mountFixture, serveApp } from './support/apps.js';

afterEach(closeApps);

class NotSignedIn extends Error {
  readonly statusCode = 401;
}

const whoami = { ...call('whoami'), path: '/mcp' };
const failures: [string, () => Promise<never>][] = [
  [
    'throws',
    () => {
      throw new NotSignedIn('Sign in');
    },
  ],
  ['rejects', () => Promise.reject(new NotSignedIn('Sign in'))],
];

test.each(failures)(
  'the error of a "principal" that %s goes to the error handler',
  async (_how, principal) => {
    const app = createApp();
    const seen: unknown[] = [];
    app.setErrorHandler((error: NotSignedIn, _request, reply) => {
      seen.push(error);
      return reply.code(error.statusCode).send({ mine: error.message });
    });
    await mountFixture(app, { principal });
    const answer = await send(await serveApp(app), whoami);
    expect([answer.status, answer.json]).toEqual([401, { mine: 'Sign in' }]);
    expect(seen).toEqual([expect.any(NotSignedIn)]);
  },
);

test('without an error handler Fastify answers', async () => {
  const app = createApp();
  await mountFixture(app, { principal: failures[1]![1] });
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

test('our refusals are answers, not errors', async () => {
  const app = createApp();
  app.setErrorHandler((_error, _request, reply) => reply.code(418).send());
  await mountFixture(app);
  const url = await serveApp(app);
  const foreign = await send(url, { ...whoami, headers: { ...whoami.headers, host: 'evil.example' } });
  const unparsed = await send(url, { path: '/mcp', body: '{' });
  expect([foreign.status, unparsed.status]).toEqual([403, 400]);
});
