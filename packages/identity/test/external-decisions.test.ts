import { createMcpServer, type McpServer } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import type { AuditEvent } from '@toolwright/core/ports';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import {
  cedar,
  externalDecision,
  opa,
  openFga,
  type Decide,
  type DecisionInput,
  type ExternalDecisionOptions,
} from '../src/decisions.js';
import { EngineServer } from './support/engine-server.js';

let server: McpServer | undefined;
let engine: EngineServer | undefined;
afterEach(async () => {
  await server?.close(0);
  await engine?.close();
  server = engine = undefined;
});

interface Started {
  readonly events: AuditEvent[];
  readonly errors: string[];
  readonly clock: FakeClock;
  wire(subject?: string): StatelessWire;
  call(subject: string | undefined, name?: string, args?: object): Promise<any>;
}

async function start(options: ExternalDecisionOptions): Promise<Started> {
  const events: AuditEvent[] = [];
  const errors: string[] = [];
  const clock = new FakeClock();
  const quiet = () => undefined;
  const started = (server = await createMcpServer({
    ...{ name: 'desk', version: '1.0.0', services: [], rateLimit: false, ports: { clock } },
    logger: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (_fields: unknown, text: string) => errors.push(text),
    },
    audit: {
      write: (event: AuditEvent) => void events.push(event),
      flush: async () => {},
      close: async () => {},
    },
  } as Parameters<typeof createMcpServer>[0]));
  await extend(started, externalDecision(options));
  const inputSchema = { type: 'object', properties: { amount: { type: 'integer' } } };
  for (const name of ['refund', 'look_up'])
    started.tools.add({
      ...{ name, description: name, inputSchema, annotations: { readOnlyHint: name === 'look_up' } },
      handler: ({ amount }) => `${name} ${String(amount)}`,
    });
  started.prompts.add({ name: 'reply', description: 'Reply.', handler: () => 'Reply.' });
  const wire = (subject?: string) =>
    subject === undefined ? new StatelessWire(started) : StatelessWire.of(started, subject);
  return {
    ...{ events, errors, clock, wire },
    call: async (subject, name = 'refund', args = {}) => (await wire(subject).call(name, args)).result,
  };
}

const textOf = (result: any) => result.content[0].text as string;
const decisionsIn = (events: readonly AuditEvent[]) =>
  events.filter(({ operation }) => operation === 'decision').map(({ loggable }) => loggable);

describe('a decision of a function', () => {
  test('lets only a clear yes through, and is in the audit log with its id and its reason', async () => {
    const decide: Decide = ({ principal, arguments: { amount } }) => ({
      ...{ allow: principal?.subject === 'ann' && Number(amount) <= 100, id: 'd-1', reason: 'limit' },
    });
    const { call, events } = await start({ decide });
    expect(textOf(await call('ann', 'refund', { amount: 100 }))).toBe('refund 100');
    const refused = await call('ann', 'refund', { amount: 101 });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).not.toMatch(/limit|d-1/);
    await call(undefined, 'refund', { amount: 1 });
    expect(decisionsIn(events)).toMatchObject([
      { kind: 'tool', decision: 'd-1', reason: 'limit', source: 'asked' },
      { decision: 'd-1' },
      {},
    ]);
    expect(events.map(({ event, reason, outcome }) => [event, reason ?? outcome])).toEqual([
      ...[
        ['outcome', 'ok'],
        ['outcome', 'ok'],
      ],
      ...[
        ['outcome', 'denied'],
        ['denied', 'TW_DECISION_DENIED'],
      ],
      ...[
        ['outcome', 'denied'],
        ['denied', 'TW_DECISION_DENIED'],
      ],
    ]);
  });

  test.each<[string, Decide]>([
    [
      'throws',
      () => {
        throw new Error('secret of the engine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret of the engine'))],
    ['says nothing', () => undefined as never],
    ['says yes in words', () => ({ allow: 'true' }) as never],
    ['says 1', () => ({ allow: 1 }) as never],
    ['says null', () => null as never],
  ])('that %s refuses the call, and is logged once a minute', async (_what, decide) => {
    const { call, errors, clock, wire, events } = await start({ decide });
    for (let time = 0; time < 3; time++) {
      const result = await call('ann');
      expect(result).toMatchObject({ isError: true });
      expect(textOf(result)).toMatch(/cannot be decided right now/);
    }
    expect(errors).toEqual(['The policy engine gives no decisions, so calls are refused']);
    await clock.advance(60_000);
    await call('ann');
    expect(errors).toHaveLength(2);
    const { error } = await wire('ann').request('prompts/get', { name: 'reply' });
    expect(error).toMatchObject({ code: 503 });
    expect(JSON.stringify([error, decisionsIn(events)])).not.toContain('secret of the engine');
    expect(events.at(-1)).toMatchObject({ event: 'denied', reason: 'TW_DECISION_UNAVAILABLE' });
  });

  test('that comes too late refuses the call, and its request is aborted', async () => {
    let aborted = false;
    const { call, clock } = await start({
      decide: (_input, signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
      timeout: '3s',
    });
    const result = call('ann');
    await clock.advance(2_999);
    expect(aborted).toBe(false);
    await clock.advance(1);
    expect(textOf(await result)).toMatch(/cannot be decided right now/);
    expect(aborted).toBe(true);
  });

  test('is asked once for equal questions, counts for a while, and never for another question', async () => {
    const asked: DecisionInput[] = [];
    let allow = true;
    let answer: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    const decide: Decide = async (input) => {
      asked.push(input);
      await gate;
      return { allow };
    };
    const { call, clock, events } = await start({ decide, cache: { for: '10s', max: 3 } });
    const many = Array.from({ length: 20 }, () => call('ann', 'refund', { amount: 1 }));
    answer!();
    await Promise.all(many);
    expect(asked).toHaveLength(1);
    await call('ann', 'refund', { amount: 1 });
    expect(asked).toHaveLength(1);
    expect(new Set(decisionsIn(events).map((fields) => fields!['source']))).toEqual(
      new Set(['asked', 'shared', 'cached']),
    );
    allow = false;
    // Each part of a question tells it apart.
    expect(await call('ann', 'refund', { amount: 2 })).toMatchObject({ isError: true });
    expect(await call('ann', 'look_up', { amount: 1 })).toMatchObject({ isError: true });
    expect(await call('bob', 'refund', { amount: 1 })).toMatchObject({ isError: true });
    expect(asked).toHaveLength(4);
    // The first answer was used least lately, and three fit.
    expect(await call('ann', 'refund', { amount: 1 })).toMatchObject({ isError: true });
    expect(asked).toHaveLength(5);
    await clock.advance(10_000);
    await call('ann', 'refund', { amount: 1 });
    expect(asked).toHaveLength(6);
  });

  test('is asked for each call without a cache, and not for what `when` leaves out', async () => {
    let asked = 0;
    const decide: Decide = () => ({ allow: (asked += 1) > 0 });
    const { call } = await start({ decide, cache: false, when: ({ name }) => name === 'refund' });
    await call('ann');
    await call('ann');
    await call('ann', 'look_up');
    expect(asked).toBe(2);
    const steps = (name: string) => server!.explain(name)!.steps.map((step) => step.name);
    expect([steps('refund'), steps('look_up')].map((names) => names.includes('decision'))).toEqual([
      true,
      false,
    ]);
  });

  test('gets the claims that are named, and no others', async () => {
    const asked: DecisionInput[] = [];
    const { events } = await start({
      decide: (input) => ({ allow: asked.push(input) > 0 }),
      claims: ['level'],
    });
    const principal = { subject: 'ann', scopes: ['b', 'a'], claims: { level: 3, email: 'ann@example.com' } };
    await new StatelessWire(server!, { principal, ip: undefined, transport: 'memory' }).call('refund');
    expect(asked[0]).toEqual({
      action: 'call',
      principal: { subject: 'ann', scopes: ['a', 'b'], claims: { level: 3 } },
      operation: { kind: 'tool', name: 'refund', annotations: { readOnlyHint: false } },
      arguments: {},
    });
    expect(events.length).toBeGreaterThan(0);
  });
});

describe('with `hide`', () => {
  const onlyAnn: Decide = ({ principal, operation }) => ({
    allow: operation.name !== 'refund' || principal?.subject === 'ann',
  });

  test('lists leave out what may not be listed, and a call of it is like one of an unknown name', async () => {
    const { wire, call } = await start({ decide: onlyAnn, hide: true });
    const names = async (subject: string) =>
      (await wire(subject).request('tools/list')).result.tools.map(({ name }: any) => name);
    expect(await names('ann')).toEqual(['refund', 'look_up']);
    expect(await names('bob')).toEqual(['look_up']);
    const hidden = (await wire('bob').call('refund')).error;
    const unknown = (await wire('bob').call('refunds')).error;
    expect(hidden!.code).toBe(unknown!.code);
    expect(hidden!.message).toBe(unknown!.message.replace('refunds', 'refund').replace(/\. Did you.*/, ''));
    // Without a list before, too.
    expect(textOf(await call('ann', 'refund', { amount: 1 }))).toBe('refund 1');
    const listed = (await wire('bob').request('prompts/list')).result;
    expect(listed).toMatchObject({ prompts: [{ name: 'reply' }], cacheScope: 'private' });
  });

  test('an engine that fails hides everything it is asked about', async () => {
    let fails = false;
    const decide: Decide = (input) => {
      if (fails) throw new Error('away');
      return onlyAnn(input, new AbortController().signal);
    };
    const { wire, clock } = await start({ decide, hide: true, when: ({ kind }) => kind === 'tool' });
    const lists = async () => [
      (await wire('ann').request('tools/list')).result.tools.length,
      (await wire('ann').request('prompts/list')).result.prompts.length,
    ];
    expect(await lists()).toEqual([2, 1]);
    fails = true;
    await clock.advance(10_000);
    expect(await lists()).toEqual([0, 1]);
    expect((await wire('ann').call('refund')).error).toMatchObject({ code: -32602 });
  });
});

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
      ...{ url: engine.url, store: '01HXQ4', model: '01MODEL', token: 'fga-token' },
      tuple: ({ principal, operation }) =>
        principal
          ? {
              ...{
                user: `user:${principal.subject}`,
                relation: 'can_call',
                object: `tool:${operation.name}`,
              },
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
        ...{ principal: { subject: 'ann', scopes }, ip: undefined, transport: 'memory' as const },
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
