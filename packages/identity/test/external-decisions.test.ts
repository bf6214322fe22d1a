import type { McpServer } from '@toolwright/core';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import type { Decide, DecisionInput, ExternalDecisionOptions } from '../src/decisions.js';
import { decisionsIn, startDecided, textOf, type DecidedServer } from './support/decided-server.js';

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function start(options: ExternalDecisionOptions): Promise<DecidedServer> {
  const started = await startDecided(options);
  ({ server } = started);
  return started;
}

describe('a decision of a function', () => {
  test('lets only a clear yes through, and is in the audit log with its id and its reason', async () => {
    const decide: Decide = ({ principal, arguments: { amount } }) => ({
      allow: principal?.subject === 'ann' && Number(amount) <= 100,
      id: 'd-1',
      reason: 'limit',
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
      ['outcome', 'ok'],
      ['outcome', 'ok'],
      ['outcome', 'denied'],
      ['denied', 'TW_DECISION_DENIED'],
      ['outcome', 'denied'],
      ['denied', 'TW_DECISION_DENIED'],
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
