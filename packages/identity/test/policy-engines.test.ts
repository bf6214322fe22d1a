import type { McpServer } from '@toolwright/core';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { cedar, opa, openFga, type ExternalDecisionOptions } from '../src/decisions.js';
import { decisionsIn, startDecided, textOf, type DecidedServer } from './support/decided-server.js';
import { EngineServer } from './support/engine-server.js';

let engine: EngineServer | undefined;
let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  await engine?.close();
  server = engine = undefined;
});

async function start(options: ExternalDecisionOptions): Promise<DecidedServer> {
  const started = await startDecided(options);
  ({ server } = started);
  return started;
}

describe('Open Policy Agent, over HTTP', () => {
  const begin = async (answer: EngineServer['answer'], token?: string) => {
    engine = await EngineServer.start(answer);
    const decide = opa({ url: engine.url, path: 'mcp/allow', ...(token !== undefined && { token }) });
    return start({ decide });
  };

  test('is asked as its REST API says', async () => {
    const { call, events } = await begin(() => ({ decision_id: '4ca636c1', result: true }), 'opa-token');
    expect(textOf(await call('ann', 'refund', { amount: 5 }))).toBe('refund 5');
    expect(engine!.questions).toMatchObject([
      {
        path: '/v1/data/mcp/allow',
        authorization: 'Bearer opa-token',
        body: { input: { action: 'call', principal: { subject: 'ann' }, arguments: { amount: 5 } } },
      },
    ]);
    expect(decisionsIn(events)).toMatchObject([{ decision: '4ca636c1' }]);
  });

  test.each<[string, object, string | undefined, boolean]>([
    ['true', { result: true }, undefined, true],
    ['false', { result: false }, undefined, false],
    ['an undefined rule', {}, 'mcp/allow is undefined', false],
    ['an object', { result: { allow: true, reason: 'on call' } }, 'on call', true],
    ['an object with reasons', { result: { allow: false, reason: ['late', 'far'] } }, 'late; far', false],
  ])('answers with %s', async (_what, body, reason, isAllowed) => {
    const { call, events } = await begin(() => body);
    expect((await call('ann')).isError ?? false).toBe(!isAllowed);
    const [fields] = decisionsIn(events);
    expect(fields!['reason']).toBe(reason);
  });

  test.each<[string, EngineServer['answer']]>([
    ['an error', (_q, res) => void res.writeHead(500).end('{"result":true}')],
    ['a redirect', (_q, res) => void res.writeHead(307, { location: '/elsewhere' }).end()],
    ['text', (_q, res) => void res.end('true')],
    ['a list', () => [true]],
    ['a result of another kind', () => ({ result: 'true' })],
    ['an object without allow', () => ({ result: { allowed: true } })],
    ['too much', () => ({ result: true, filler: 'x'.repeat(70_000) })],
    ['half an answer', (_q, res) => void res.writeHead(200).write('{"result":', () => res.destroy())],
  ])('with %s refuses the call', async (_what, answer) => {
    const { call } = await begin(answer);
    expect(textOf(await call('ann'))).toMatch(/cannot be decided right now/);
  });

  test('that is away refuses the call', async () => {
    engine = await EngineServer.start(() => ({ result: true }));
    const decide = opa({ url: engine.url, path: 'mcp/allow' });
    await engine.close();
    const { call } = await start({ decide });
    expect(textOf(await call('ann'))).toMatch(/cannot be decided right now/);
  });

  test('gets no wrong options', () => {
    expect(() => opa({ url: 'ftp://opa', path: 'mcp/allow' })).toThrow(/url/);
    expect(() => opa({ url: 'http://opa:8181', path: '../secrets' })).toThrow(/path/);
  });
});

describe('OpenFGA, over HTTP', () => {
  const begin = async (answer: EngineServer['answer']) => {
    engine = await EngineServer.start(answer);
    const decide = openFga({
      url: engine.url,
      store: '01HXQ4',
      model: '01MODEL',
      token: 'fga-token',
      tuple: ({ principal, operation }) =>
        principal
          ? {
              user: `user:${principal.subject}`,
              relation: 'can_call',
              object: `tool:${operation.name}`,
              context: { hour: 9 },
            }
          : undefined,
    });
    return start({ decide });
  };

  test('is asked for a check as its API says', async () => {
    const { call, events } = await begin(({ body }) => ({
      allowed: body.tuple_key.user === 'user:ann',
      resolution: '',
    }));
    expect(textOf(await call('ann', 'refund', { amount: 5 }))).toBe('refund 5');
    expect(await call('bob')).toMatchObject({ isError: true });
    expect(engine!.questions[0]).toEqual({
      path: '/stores/01HXQ4/check',
      authorization: 'Bearer fga-token',
      body: {
        tuple_key: { user: 'user:ann', relation: 'can_call', object: 'tool:refund' },
        authorization_model_id: '01MODEL',
        context: { hour: 9 },
      },
    });
    expect(decisionsIn(events)).toMatchObject([
      { reason: 'user:ann can_call tool:refund' },
      { reason: 'user:bob can_call tool:refund' },
    ]);
    await call(undefined);
    expect(engine!.questions).toHaveLength(2);
  });

  test('with an error refuses the call', async () => {
    const { call } = await begin(
      (_q, res) =>
        void res.writeHead(400).end(JSON.stringify({ code: 'validation_error', message: 'type not found' })),
    );
    expect(textOf(await call('ann'))).toMatch(/cannot be decided right now/);
  });
});

describe('Cedar, in the process', () => {
  const policies = `
    permit(principal, action, resource in Group::"reading");
    @id("refunds")
    permit(principal == User::"ann", action == Action::"call", resource == Tool::"refund")
      when { context.scopes.contains("refunds") };
    forbid(principal, action, resource) unless { context has scopes };`;
  const entities = [
    { uid: { type: 'Tool', id: 'look_up' }, attrs: {}, parents: [{ type: 'Group', id: 'reading' }] },
  ];

  test('decides by the text of the policies', async () => {
    const { call, wire, events } = await start({ decide: cedar({ policies, entities }), hide: true });
    expect(textOf(await call('bob', 'look_up', { amount: 1 }))).toBe('look_up 1');
    expect((await wire('bob').request('tools/list')).result.tools).toMatchObject([{ name: 'look_up' }]);
    expect((await wire('bob').call('refund')).error).toMatchObject({ code: -32602 });
    expect(await wire(undefined).request('tools/list')).toMatchObject({ result: { tools: [] } });
    expect(decisionsIn(events)).toMatchObject([{ reason: 'policy0' }]);
  });

  test('sees scopes, arguments that the request names, and nothing else', async () => {
    const decide = cedar({
      policies:
        'permit(principal, action, resource) when { context.amount <= 100 && context.scopes.contains("r") };',
      request: ({ principal, operation, arguments: { amount } }) =>
        principal && {
          principal: { type: 'User', id: principal.subject },
          action: { type: 'Action', id: 'call' },
          resource: { type: 'Tool', id: operation.name },
          context: {
            scopes: [...principal.scopes],
            amount: Number.isSafeInteger(amount) ? Number(amount) : -1,
          },
        },
    } as Parameters<typeof cedar>[0]);
    await start({ decide });
    const as = (scopes: string[]) =>
      new StatelessWire(server!, {
        principal: { subject: 'ann', scopes },
        ip: undefined,
        transport: 'memory' as const,
      });
    expect(textOf((await as(['r']).call('refund', { amount: 100 })).result)).toBe('refund 100');
    expect((await as(['r']).call('refund', { amount: 101 })).result).toMatchObject({ isError: true });
    expect((await as([]).call('refund', { amount: 1 })).result).toMatchObject({ isError: true });
  });

  test('a policy that fails refuses, also if another one permits', async () => {
    const decide = cedar({
      policies:
        'permit(principal, action, resource); forbid(principal, action, resource) when { context.missing };',
    });
    const { call } = await start({ decide });
    expect(textOf(await call('ann'))).toMatch(/cannot be decided right now/);
  });

  test('refuses policies and schemas that cannot be read', () => {
    expect(() => cedar({ policies: 'permit(' })).toThrow(/"policies" of cedar cannot be used/);
    expect(() => cedar({ policies, schema: 'entity {' })).toThrow(/"schema" of cedar cannot be used/);
    expect(() => cedar({} as never)).toThrow(/policies/);
  });
});
