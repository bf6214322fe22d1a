import { systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { startBehalfServer, type BehalfServer } from './support/behalf-server.js';
import {
  EXCHANGE,
  type ExchangingIssuer,
  ON_BEHALF_OF,
  startExchangingIssuer,
  UPSTREAM,
} from './support/exchanging-issuer.js';

let issuer: ExchangingIssuer;
let open: BehalfServer[] = [];

beforeAll(async () => {
  issuer = await startExchangingIssuer();
});
afterAll(() => issuer.close());
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
  issuer.requests.length = 0;
  Object.assign(issuer, { answer: 'token', gate: Promise.resolve(), life: 3_600 });
});

async function start(...[rule, options]: [rule?: Parameters<typeof startBehalfServer>[1], options?: object]) {
  const server = await startBehalfServer(issuer, rule, options);
  open.push(server);
  return server;
}

const claims = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>;

test('a tool gets a token of its caller for the resource, by RFC 8693', async () => {
  const { ask } = await start({ scopes: ['calendar:read'] });
  const token = await issuer.token('ann');
  expect(claims(await ask(token))).toMatchObject({ sub: 'ann', aud: UPSTREAM, scope: 'calendar:read' });
  expect(issuer.requests).toEqual([
    expect.objectContaining({
      grant_type: EXCHANGE,
      subject_token: token,
      resource: UPSTREAM,
      client_id: 'mcp',
    }),
  ]);
});

test('the same at Entra ID, which is asked for the default scope of the resource', async () => {
  const { ask } = await start({ by: 'on-behalf-of' });
  expect(claims(await ask(await issuer.token('ann')))).toMatchObject({ sub: 'ann', aud: UPSTREAM });
  expect(issuer.requests).toEqual([
    expect.objectContaining({
      grant_type: ON_BEHALF_OF,
      requested_token_use: 'on_behalf_of',
      scope: `${UPSTREAM}/.default`,
    }),
  ]);
});

test('a token of the server itself is the same for all callers, also for anonymous ones', async () => {
  const { ask } = await start({ by: 'client-credentials' });
  const answers = [await ask(undefined), await ask(await issuer.token('ann'))].map(claims);
  expect(answers[0]).toMatchObject({ sub: 'mcp', aud: UPSTREAM });
  expect(answers[1]).toEqual(answers[0]);
  expect(issuer.requests).toHaveLength(1);
});

test('the secret may be sent in the header', async () => {
  const { ask } = await start({ clientAuth: 'basic' });
  expect(claims(await ask(await issuer.token('ann')))).toMatchObject({ sub: 'ann' });
  expect(issuer.requests[0]).not.toHaveProperty('client_secret');
});

test('many calls at a time ask the issuer once, and later ones not at all', async () => {
  const { ask, written } = await start();
  const token = await issuer.token('ann');
  let letGo = () => {};
  issuer.gate = new Promise<void>((resolve) => (letGo = resolve));
  const asking = Promise.all(Array.from({ length: 200 }, () => ask(token)));
  while (issuer.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  letGo();
  for (const answer of await asking) expect(claims(answer)).toMatchObject({ sub: 'ann' });
  await ask(token);
  expect(issuer.requests).toHaveLength(1);
  expect(written.audit.filter(({ operation }) => (operation as string) === 'token')).toHaveLength(201);
});

test('a token is bound to who asks, with which rights, and for what', async () => {
  const { ask } = await start();
  const subjects: unknown[] = [];
  for (const token of [
    await issuer.token('ann', ['read']),
    await issuer.token('ann', ['read', 'write']),
    await issuer.token('ben', ['read']),
    await issuer.token('ann', ['read'], 'phone'),
  ])
    subjects.push(claims(await ask(token))['sub']);
  expect(subjects).toEqual(['ann', 'ann', 'ben', 'ann']);
  const token = await issuer.token('ann', ['read']);
  await ask(token, { scopes: ['calendar:read'] });
  await ask(token, { scopes: ['calendar:write'] });
  await ask(token, { scopes: ['calendar:write', 'calendar:read'] });
  await ask(token, { scopes: ['calendar:read', 'calendar:write'] });
  expect(issuer.requests).toHaveLength(7);
});

test('a token that is about to expire is not used any more', async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, after: timer };
  const { ask } = await start({}, { ports: { clock } });
  const token = await issuer.token('ann');
  await ask(token);
  ahead = 3_530_000;
  await ask(token);
  expect(issuer.requests).toHaveLength(1);
  ahead = 3_545_000;
  await ask(token);
  expect(issuer.requests).toHaveLength(2);
});

test('neither the tool nor a log nor the audit sees a token', async () => {
  const { ask, seen, written } = await start({ scopes: ['calendar:read'] });
  const token = await issuer.token('ann');
  await ask(token);
  issuer.answer = { error: 'invalid_target' };
  await ask(await issuer.token('ben'));
  const all = JSON.stringify([seen, written]);
  for (const secret of [token, token.split('.')[2]!, 'secret of']) expect(all).not.toContain(secret);
  const [first, second] = written.audit.filter(({ operation }) => (operation as string) === 'token');
  expect(first).toMatchObject({
    name: UPSTREAM,
    outcome: 'ok',
    principal: { subject: 'ann' },
    loggable: { resource: UPSTREAM, scopes: ['calendar:read'], by: 'token-exchange', source: 'exchanged' },
  });
  expect(second).toMatchObject({ outcome: 'TW_TOKEN_REFUSED', principal: { subject: 'ben' } });
});

test.each([
  ['interaction_required', 'must sign in to this server again'],
  ['invalid_client', 'The operator of this server finds the reason in its log'],
  ['temporarily_unavailable', 'Try again later'],
])('an issuer that answers %s leads to a text that says what to do', async (error, words) => {
  const { ask, written } = await start();
  issuer.answer = { error };
  const { text, isError } = await ask(await issuer.token('ann'));
  expect({ text, isError }).toEqual({ text: expect.stringContaining(words) as string, isError: true });
  expect(text).not.toContain('secret');
  expect(written.logs.join()).toContain(error);
});

test('an issuer in trouble is asked once in five seconds, and then again', async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, after: timer };
  const { ask } = await start({}, { ports: { clock } });
  const token = await issuer.token('ann');
  issuer.answer = 'broken';
  const answers = [await ask(token), await ask(token), await ask(token)];
  for (const { text } of answers) expect(text).toContain('does not answer. Try again later');
  expect(issuer.requests).toHaveLength(1);
  issuer.answer = 'token';
  ahead = 5_001;
  expect(claims(await ask(token))).toMatchObject({ sub: 'ann' });
});

test('an issuer that cannot be reached is no fault of the caller', async () => {
  const { ask } = await start({ issuer: 'http://127.0.0.1:9' });
  const { text } = await ask(await issuer.token('ann'));
  expect(text).toContain('does not answer. Try again later');
});

test('what the option does not allow is refused, and the option is named', async () => {
  const token = await issuer.token('ann');
  const allowed = await start({ scopes: ['calendar:read'] });
  for (const { text } of [
    await allowed.ask(token, { scopes: ['calendar:write'] }),
    await allowed.ask(token, { resource: 'https://mail.example.com' }),
    await (await start(false)).ask(token),
  ])
    expect(text).toMatch(/Its operator adds .*option "exchange" of oauthResourceServer/);
  expect(issuer.requests).toEqual([]);
});

test('a caller without a token gets none on its behalf', async () => {
  const { ask } = await start();
  expect((await ask(undefined)).text).toContain('needs a caller that has signed in with an access token');
});

describe('a task on a queue', () => {
  const queued = () => ({
    stores: { tasks: new MemoryTaskQueue(systemClock) },
    tasks: { concurrency: 2 },
    secrets: ['a secret of the tests that has more than 32 characters'],
  });

  test('gets a token of the server itself', async () => {
    const { askInTask } = await start({ by: 'client-credentials' }, queued());
    expect(claims(await askInTask(await issuer.token('ann')))).toMatchObject({ sub: 'mcp' });
  });

  test('gets none on behalf of its caller, even if a call has just got one, and says what to do', async () => {
    const { ask, askInTask, seen } = await start({}, queued());
    const token = await issuer.token('ann');
    expect(claims(await ask(token))).toMatchObject({ sub: 'ann' });
    const { text, isError } = await askInTask(token);
    expect(isError).toBe(true);
    expect(text).toContain('A durable task gets no token');
    expect(text).toContain('use a rule with client-credentials');
    expect(seen.map((principal) => principal?.subject)).toEqual(['ann', 'ann']);
    expect(issuer.requests).toHaveLength(1);
  });
});

test('a task in this process goes on with the token of its caller', async () => {
  const { askInTask } = await start();
  expect(claims(await askInTask(await issuer.token('ann')))).toMatchObject({ sub: 'ann' });
});

test.each([
  [{ by: 'magic' }, 'by'],
  [{ issuer: 'http://login.example.com' }, 'no https URL'],
  [{ by: 'client-credentials', clientSecret: undefined }, 'need a secret'],
])('a rule with %j is refused at boot', async (rule, words) => {
  await expect(start(rule as never)).rejects.toThrow(words);
});

const timer = (ms: number, run: () => void) => {
  const handle = setTimeout(run, ms);
  return () => clearTimeout(handle);
};
