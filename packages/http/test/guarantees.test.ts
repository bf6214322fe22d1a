import { RateLimit, RequireScopes } from '@toolwright/core';
import { createFixture, type Fixture } from './support/fixture.js';
import { servedUntilAfterEach } from './support/serve-fixture.js';
import { LegacyClient } from './support/legacy-client.js';
import { LiveStream } from './support/live-stream.js';
import { call, modern, send, type WireRequest } from './support/wire.js';

const start = servedUntilAfterEach();
const serve = async (...own: Parameters<typeof start>) => (await start(...own)).url;

const withHeaders = (request: WireRequest, headers: Record<string, string>): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const textOf = ({ json }: { json: any }): string => json.result.content[0].text as string;

describe('from outside', () => {
  const secret = 'postgres://admin:hunter2@10.0.0.7/pages';
  const leak = (): never => {
    throw Object.assign(new Error(secret, { cause: new Error(secret) }), { detail: secret, code: secret });
  };

  async function leaking(): Promise<Fixture> {
    const fixture = await createFixture();
    const { server } = fixture;
    server.tools.add({ name: 'leak', description: 'Leaks.', handler: leak });
    server.prompts.add({
      name: 'leak',
      description: 'Leaks.',
      complete: { a: leak },
      arguments: [{ name: 'a' }],
      handler: leak,
    });
    server.resources.add({ name: 'leak', uri: 'test://leak', handler: leak });
    server.resourceTemplates.add({ name: 'leaks', uriTemplate: 'test://leaks/{id}', handler: leak });
    return fixture;
  }
  const asked: [method: string, params: Record<string, unknown>][] = [
    ['tools/call', { name: 'leak', arguments: {} }],
    ['prompts/get', { name: 'leak', arguments: {} }],
    ['resources/read', { uri: 'test://leak' }],
    ['resources/read', { uri: 'test://leaks/1' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'leak' }, argument: { name: 'a', value: 'x' } },
    ],
  ];

  test.each(asked)('a secret thrown in %s %j is never sent', async (method, params) => {
    const url = await serve(await leaking());
    const client = await LegacyClient.connect(url, '2025-11-25');
    for (const answer of [
      await send(url, modern(method, { params })),
      await client.request(method, params),
    ]) {
      expect(JSON.stringify(answer.headers) + answer.text).not.toMatch(/hunter2|10\.0\.0\.7/);
      expect(answer.text).toMatch(/Internal error \(ref /);
    }
  });

  test('a tool is neither listed nor callable for a caller without its scope', async () => {
    const fixture = await createFixture();
    let ran = 0;
    fixture.server.tools.add({
      name: 'delete_page',
      description: 'Deletes.',
      policies: [RequireScopes.entry('pages:write')],
      handler: () => `ran ${++ran}`,
    });
    const url = await serve(fixture, {
      principal: (req) => ({ subject: 'ada', scopes: String(req.headers['x-scopes']).split(' ') }),
    });
    const as = (scopes: string, request: WireRequest) =>
      send(url, withHeaders(request, { 'x-scopes': scopes }));
    for (const scopes of ['', 'pages:read', 'pages', 'pages:write2', 'PAGES:WRITE']) {
      const listed = (await as(scopes, modern('tools/list'))).json.result.tools as { name: string }[];
      expect(listed.map(({ name }) => name)).not.toContain('delete_page');
      expect((await as(scopes, call('delete_page'))).status).toBe(403);
    }
    expect(ran).toBe(0);
    const listed = (await as('pages:write', modern('tools/list'))).json.result.tools as { name: string }[];
    expect(listed.map(({ name }) => name)).toContain('delete_page');
    expect(textOf(await as('pages:write', call('delete_page')))).toBe('ran 1');
  });

  test('a caller without their scope cannot watch resources, nor those of a template', async () => {
    const fixture = await createFixture();
    const policies = [RequireScopes.entry('secrets')];
    const handler = () => 'x';
    fixture.server.resources.add({ name: 'one', uri: 'secret://one', policies, handler });
    fixture.server.resourceTemplates.add({ name: 'all', uriTemplate: 'secrets://{id}', policies, handler });
    const url = await serve(fixture, {
      principal: (req) => ({ subject: 'ada', scopes: [String(req.headers['x-scopes'])] }),
    });
    const uris = ['secret://one', 'secrets://two', 'test://plain'];
    const heardBy = async (scopes: string) => {
      const request = modern('subscriptions/listen', {
        params: { notifications: { resourceSubscriptions: uris } },
      });
      const stream = await LiveStream.open(url, withHeaders(request, { 'x-scopes': scopes }));
      const { message } = await stream.event(1);
      const { resourceSubscriptions } = message.params.notifications;
      for (const uri of uris) fixture.server.resourceUpdated(uri);
      const heard: string[] = [];
      while (heard.at(-1) !== 'test://plain')
        heard.push((await stream.event(heard.length + 2)).message.params.uri);
      stream.close();
      // What is acknowledged is what is told.
      expect(resourceSubscriptions).toEqual(heard);
      return heard;
    };
    expect(await heardBy('none')).toEqual(['test://plain']);
    expect(await heardBy('secrets')).toEqual(uris);
  });

  test('a question without an answer costs a call each time it is asked again', async () => {
    const fixture = await createFixture();
    fixture.server.tools.add({
      name: 'wait',
      description: 'Waits.',
      policies: [RateLimit.entry({ points: 3, per: '1m' })],
      handler: async (_args, ctx) =>
        (await ctx.elicit('go', { message: 'Go?', schema: { type: 'object' } })).action,
    });
    const url = await serve(fixture);
    const wait = async (params: Record<string, unknown>) =>
      (await send(url, call('wait', {}, { capabilities: { elicitation: {} }, params }))).json.result;
    const types = [];
    let params: Record<string, unknown> = {};
    for (let turn = 0; turn < 5; turn++) {
      const result = await wait(params);
      types.push(result.isError ? 'limited' : result.resultType);
      params = { requestState: result.requestState };
    }
    expect(types).toEqual([...Array<string>(4).fill('input_required'), 'limited']);
  });

  test('limits are exact when many calls arrive at once', async () => {
    const fixture = await createFixture();
    const { server } = fixture;
    const limit = RateLimit.entry({ points: 25, per: '1h' });
    server.tools.add({ name: 'limited', description: 'x', policies: [limit], handler: () => 'ran' });
    const url = await serve(fixture, {
      principal: (req) => ({ subject: String(req.headers['x-user']), scopes: [] }),
    });
    const users = ['ada', 'bob', 'eve'];
    const answers = await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: 80 }, () => send(url, withHeaders(call('limited'), { 'x-user': user }))),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const ran = answers.filter((answer) => textOf(answer) === 'ran');
    expect(ran).toHaveLength(3 * 25);
    const refused = answers.find((answer) => textOf(answer) !== 'ran')!.json.result;
    expect(refused).toMatchObject({ isError: true, _meta: { retryAfterMs: expect.any(Number) } });
    expect(refused.structuredContent).toBeUndefined();
  });

  test.each([
    ['prompts/get', { name: 'limited', arguments: {} }],
    ['resources/read', { uri: 'test://limited' }],
  ])('above its limit, %s gets 429 with the time to come back', async (method, params) => {
    const fixture = await createFixture();
    const policies = [RateLimit.entry({ points: 1, per: '1m' })];
    fixture.server.prompts.add({ name: 'limited', description: 'x', policies, handler: () => 'x' });
    fixture.server.resources.add({ name: 'limited', uri: 'test://limited', policies, handler: () => 'x' });
    const url = await serve(fixture);
    expect((await send(url, modern(method, { params }))).status).toBe(200);
    const answer = await send(url, modern(method, { params }));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json.error).toMatchObject({ code: 429, data: { retryAfterMs: expect.any(Number) } });
  });
});
