import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import type { PromptDraft } from '@toolwright/ground/call/operation/draft';
import type { Complete } from '@toolwright/ground/call/operation/operation';
import { PipelineFixture } from '../../test/support/pipeline-fixture.js';
import { Audit } from './audit/audit.js';
import { RateLimit } from './rate-limit.js';
import { promptKind } from '../boot/kinds/prompt.js';

const bob = { principal: { subject: 'bob', scopes: [] } };

function prompt(
  complete: Complete,
  options: PipelineOptions = {},
  policies: PromptDraft['policies'] = new Map(),
) {
  const fixture = new PipelineFixture(options);
  const draft: PromptDraft = {
    kind: 'prompt',
    name: 'plan_day',
    annotations: {},
    arguments: [{ name: 'city', required: true }],
    complete: { city: complete },
    policies,
    target: { method: (() => 'x') as never, instance: () => undefined },
  };
  const operation = promptKind.plan(draft, fixture.environment);
  const type = (value: string, request = fixture.request()) =>
    Promise.resolve().then(() => operation.complete['city']!(value, { theme: 'food' }, request));
  return { fixture, operation, type };
}

const cities: Complete = () => ['Bern', 'Biel'];

describe('completions', () => {
  it('have a separate quota per caller, whatever the limit of calls is', async () => {
    const policies = new Map([RateLimit.entry({ points: 1, per: '1m' })]);
    const { fixture, operation, type } = prompt(cities, { rateLimit: { points: 2, per: '1m' } }, policies);
    await operation.run(fixture.request(), {});
    expect(await type('B')).toEqual(['Bern', 'Biel']);
    expect(await type('Be')).toEqual(['Bern', 'Biel']);
    await expect(type('Ber')).rejects.toMatchObject({
      rpcCode: 429,
      data: { retryAfterMs: expect.any(Number) },
    });
    expect(await type('B', fixture.request(bob))).toHaveLength(2);
  });

  it('have no limit if the server limits nothing', async () => {
    const { type } = prompt(cities, { rateLimit: false, concurrency: false });
    for (let count = 0; count < 1_000; count++) await type('B');
    expect(await type('B')).toHaveLength(2);
  });

  it('are audited as completions, including refused ones', async () => {
    const { fixture, type } = prompt(cities, { rateLimit: { points: 1, per: '1m' } });
    await type('B');
    await expect(type('Be')).rejects.toThrow();
    expect(fixture.sink.events).toEqual(['outcome ok', 'limited limited']);
    expect(fixture.sink.records[0]!.event).toMatchObject({
      operation: 'completion',
      name: 'plan_day',
      arguments: { argument: 'city', value: 'B', known: { theme: 'food' } },
    });
  });

  it('are not audited if the prompt is not', async () => {
    const { fixture, type } = prompt(cities, {}, new Map([Audit.entry(false)]));
    await type('B');
    expect(fixture.sink.records).toEqual([]);
  });

  it('never reveal what a source threw', async () => {
    const { fixture, type } = prompt(() => {
      throw new Error('postgres://secret');
    });
    await expect(type('B')).rejects.toMatchObject({ message: 'Internal error (ref ref0123456).' });
    expect(fixture.logger.lines[0]).toMatchObject({ level: 'error', fields: { reference: 'ref0123456' } });
  });

  it('end at the deadline and leave no timer', async () => {
    const { fixture, type } = prompt(() => new Promise<never>(() => undefined), { timeout: '5s' });
    const refused = expect(type('B')).rejects.toMatchObject({ rpcCode: 504 });
    await fixture.clock.advance(5_000);
    await refused;
    expect(fixture.clock.pending).toBe(0);
  });

  it('take a slot of their caller', async () => {
    const { fixture, type } = prompt(() => new Promise<never>(() => undefined), {
      concurrency: { perPrincipal: 1, queue: 0 },
      timeout: '1s',
    });
    const first = type('B').catch(() => undefined);
    await expect(type('Be')).rejects.toMatchObject({ rpcCode: 429 });
    await fixture.clock.advance(1_000);
    await first;
  });
});
