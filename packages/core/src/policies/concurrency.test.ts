import { OverloadError } from '@toolwright/ground/base/errors/errors';
import type { ClientInput } from '@toolwright/ground/base/request-context';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import { settled } from '../../test/support/fake-clock.js';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Concurrency } from './concurrency.js';

/** A tool whose calls end when the test says so. */
function gated(fixture: PipelineFixture, options = {}) {
  const gates: ((value: unknown) => void)[] = [];
  const tool = fixture.tool(() => new Promise((resolve) => gates.push(resolve)), options);
  return { tool, gates };
}

const slots = (fixture: PipelineFixture) => fixture.environment.slots!.load;

describe('the limit of calls that run at a time', () => {
  it('is 32 per principal by default; more wait their turn', async () => {
    const fixture = new PipelineFixture();
    const { tool, gates } = gated(fixture);
    const calls = Array.from({ length: 40 }, () => fixture.call(tool));
    await settled();
    expect(gates).toHaveLength(32);
    const other = fixture.call(tool, {}, fixture.request({ principal: { subject: 'bob', scopes: [] } }));
    await settled();
    expect(gates).toHaveLength(33);
    while (gates.length) {
      gates.shift()!('done');
      await settled();
    }
    expect((await Promise.all([...calls, other])).every((result) => textOf(result) === 'done')).toBe(true);
    expect(slots(fixture)).toEqual({ running: 0, waiting: 0 });
    expect(fixture.clock.pending).toBe(0);
  });

  it('can be set for one tool, for all its callers together', async () => {
    const fixture = new PipelineFixture();
    const { tool, gates } = gated(fixture, { policies: [Concurrency.entry({ max: 1, queue: 1 })] });
    const calls = ['ann', 'bob', 'eve'].map((subject) =>
      fixture.call(tool, {}, fixture.request({ principal: { subject, scopes: [] } })),
    );
    await settled();
    expect(gates).toHaveLength(1);
    const refused = await calls[2]!;
    expect(textOf(refused)).toBe('Too many calls of work run or wait already; retry in 1 s');
    expect(refused).toMatchObject({ isError: true, _meta: { retryAfterMs: 1_000 } });
    gates[0]!('first');
    await settled();
    gates[1]!('second');
    expect(await Promise.all(calls.slice(0, 2).map(async (call) => textOf(await call)))).toEqual([
      'first',
      'second',
    ]);
  });

  it('can be set for each tenant, of the server and of one tool', async () => {
    const inTenant = (fixture: PipelineFixture, tenant: string, subject: string) =>
      fixture.request({ principal: { subject, tenant, scopes: [] } });
    for (const [concurrency, policies] of [
      [{ perTenant: 1 }, []],
      [{}, [Concurrency.entry({ max: 1, per: 'tenant' })]],
    ] as const) {
      const fixture = new PipelineFixture({ concurrency });
      const { tool, gates } = gated(fixture, { policies });
      const calls = [
        ['acme', 'ann'],
        ['acme', 'bob'],
        ['globex', 'ann'],
      ].map(([tenant, subject]) => fixture.call(tool, {}, inTenant(fixture, tenant!, subject!)));
      await settled();
      expect(gates).toHaveLength(2);
      while (gates.length) {
        gates.shift()!('done');
        await settled();
      }
      expect((await Promise.all(calls)).map(textOf)).toEqual(['done', 'done', 'done']);
    }
  });

  it('sheds load of the whole server as a protocol error that says when to come back', async () => {
    const fixture = new PipelineFixture({ concurrency: { total: 1, queue: 0 } });
    const { tool, gates } = gated(fixture);
    const running = fixture.call(tool);
    await settled();
    const refusal = fixture.call(tool);
    await expect(refusal).rejects.toThrow(OverloadError);
    await expect(refusal).rejects.toMatchObject({ rpcCode: 503, data: { retryAfterMs: 1_000 } });
    expect(fixture.sink.records[0]!.event).toMatchObject({ event: 'limited', reason: 'TW_OVERLOAD' });
    gates[0]!(1);
    await running;
  });

  it.each([
    ['a method that throws', () => Promise.reject(new Error('no'))],
    [
      'a method that throws synchronously',
      () => {
        throw new Error('no');
      },
    ],
    ['a method that answers synchronously', () => 1],
  ])('leaves no slot and no timer behind after %s', async (_, method) => {
    const fixture = new PipelineFixture();
    const call = fixture.call(fixture.tool(method, { policies: [Concurrency.entry({ max: 1 })] }));
    await fixture.clock.advance(60_000);
    await call;
    expect(slots(fixture)).toEqual({ running: 0, waiting: 0 });
    expect(fixture.clock.pending).toBe(0);
  });

  it('lets who is cancelled leave the queue', async () => {
    const fixture = new PipelineFixture({ concurrency: { perPrincipal: 1 } });
    const { tool, gates } = gated(fixture);
    const first = fixture.call(tool);
    const controller = new AbortController();
    const second = fixture.call(tool, {}, fixture.request({ signal: controller.signal }));
    await settled();
    controller.abort();
    expect(textOf(await second)).toBe('The call was cancelled.');
    gates[0]!('done');
    await first;
    expect(gates).toHaveLength(1);
    expect(fixture.sink.events).toEqual(['outcome cancelled', 'outcome ok']);
  });

  it('is not used up by somebody who waits for a person', async () => {
    const fixture = new PipelineFixture({ concurrency: { perPrincipal: 1 } });
    let answer!: (value: Record<string, unknown>) => void;
    const input: ClientInput = {
      ask: () => new Promise((resolve) => (answer = resolve)),
      supports: () => true,
      pending: new Map(),
      resumed: false,
      paid: false,
      recall: () => undefined,
      remember: () => undefined,
    };
    const asking = fixture.tool(async (_: unknown, ctx: ToolContext) => {
      const { action } = await ctx.elicit('name', { message: 'Name?', schema: {} });
      return action;
    });
    const waiting = fixture.call(
      asking,
      {},
      fixture.request({ era: 'stateful', revision: '2025-11-25', input }),
    );
    await settled();
    expect(slots(fixture)).toEqual({ running: 0, waiting: 0 });
    expect(textOf(await fixture.call(fixture.tool(async () => 'served meanwhile')))).toBe('served meanwhile');
    await fixture.clock.advance(3_600_000);
    const { tool, gates } = gated(fixture);
    const busy = fixture.call(tool);
    await settled();
    answer({ action: 'decline' });
    await settled();
    expect(slots(fixture)).toEqual({ running: 1, waiting: 1 });
    gates[0]!(1);
    expect(textOf(await waiting)).toBe('decline');
    await busy;
    expect(slots(fixture)).toEqual({ running: 0, waiting: 0 });
    expect(fixture.clock.pending).toBe(0);
  });
});
