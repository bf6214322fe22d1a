import { expectTypeOf } from 'expect-type';
import { collectRecords } from '@toolwright/ground/base/metadata/class-records';
import type { PolicyEntry } from '@toolwright/ground/base/metadata/store';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Audit } from './audit/audit.js';
import { Cache } from './cache.js';
import { Concurrency, type ConcurrencyOptions } from './concurrency.js';
import { Confirm } from './confirm/confirm.js';
import { definePolicy } from './define-policy.js';
import { MaxOutput } from './output/max-output.js';
import { RateLimit } from './rate-limit.js';
import { RequireScopes } from './authorize.js';
import { Timeout } from './timeout.js';
import { UseMiddleware } from './middleware.js';

const Owner = definePolicy<{ team: string }>('owner', {
  plan:
    ({ team }, tool) =>
    async (_, next) => {
      const result = await next();
      return { ...result, _meta: { team, tool: tool.name } };
    },
});

describe('a custom policy', () => {
  it('plans its middleware with its options', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, { policies: [Owner.entry({ team: 'docs' })] });
    expect((await fixture.call(tool))._meta).toEqual({ team: 'docs', tool: 'work' });
    expect(tool.plan!.at(-1)).toEqual({ name: 'owner', origin: 'method' });
  });

  it('can be read by middleware', () => {
    const entry = Owner.of({ policies: new Map([Owner.entry({ team: 'docs' })]) });
    expect(entry).toEqual({ options: { team: 'docs' }, origin: 'method' });
    expect(Owner.of({ policies: new Map() })).toBeUndefined();
  });

  it('records its options with its place, and parses them when they are first read', () => {
    let parsed = 0;
    const Counted = definePolicy('counted', { parse: (times: number) => (parsed++, times * 2) });
    class Service {
      @Counted(2) method() {}
    }
    const [record] = collectRecords(Service).methods[0]!.records;
    expect(parsed).toBe(0);
    const policies = new Map([['counted', { options: record!.options, origin: 'method' } as PolicyEntry]]);
    expect([Counted.of({ policies })!.options, Counted.of({ policies })!.options, parsed]).toEqual([4, 4, 1]);
  });

  it('combines its options if it defines how', async () => {
    const calls: string[] = [];
    const note = (name: string) => UseMiddleware((_, next) => (calls.push(name), next()));
    @note('class')
    class Service {
      @note('method') method() {}
    }
    const { records, methods } = collectRecords(Service);
    const [outer, inner] = [records[0]!, methods[0]!.records[0]!];
    const options = inner.combine!(outer.options, inner.options);
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 'ran', { policies: [['useMiddleware', { options, origin: 'method' }]] });
    expect(textOf(await fixture.call(tool))).toBe('ran');
    expect(calls).toEqual(['class', 'method']);
  });
});

describe('options without sense', () => {
  it.each<[string, [string, PolicyEntry], { of(operation: object): unknown }]>([
    ['no points', RateLimit.entry({ points: 0, per: '1m' }), RateLimit as never],
    ['a span that overflows timers', RateLimit.entry({ points: 1, per: '25d' }), RateLimit as never],
    ['a cost below nothing', RateLimit.entry({ points: 1, per: '1m', cost: -1 }), RateLimit as never],
    ['half a call', Concurrency.entry({ max: 0.5 }), Concurrency as never],
    ['no time', Timeout.entry('0s'), Timeout as never],
    ['a scope that is two', RequireScopes.entry('read write'), RequireScopes as never],
    ['no room', MaxOutput.entry({ bytes: 0 }), MaxOutput as never],
    ['nothing kept', Cache.entry({ ttl: '1s', entries: 0 }), Cache as never],
  ])('are refused: %s', (_, entry, policy) => {
    expect(() => policy.of({ policies: new Map([entry]) })).toThrow(/must be|is not|not a positive/);
  });

  it('are compile errors', () => {
    // @ts-expect-error -- no unit
    RateLimit({ points: 1, per: '60' });
    // @ts-expect-error -- an unknown unit
    Timeout('1w');
    // @ts-expect-error -- points are missing
    RateLimit({ per: '1m' });
    // @ts-expect-error -- a misspelt option
    RateLimit({ points: 1, per: '1m', burst: 2 });
    // @ts-expect-error -- at least one scope
    expect(() => RequireScopes()).not.toThrow();
    // @ts-expect-error -- bytes or tokens, not both
    MaxOutput({ bytes: 1, tokens: 1 });
    // @ts-expect-error -- not a mode
    Audit({ mode: 'lax' });
    // @ts-expect-error -- not a fallback
    Confirm('Sure?', { fallback: 'accept' });
    // @ts-expect-error -- not a kind of key
    Concurrency({ max: 1, per: 'session' });
    // @ts-expect-error -- not a middleware
    UseMiddleware('log');
    // @ts-expect-error -- options of another policy
    Owner({ name: 'docs' });
    expectTypeOf(Concurrency).parameter(0).toEqualTypeOf<ConcurrencyOptions>();
    expectTypeOf(Timeout).parameter(0).toEqualTypeOf<Duration | false>();
    expectTypeOf(Owner.of({ policies: new Map() })).toEqualTypeOf<
      PolicyEntry<{ team: string }> | undefined
    >();
    const misplaced = () => {
      class Place {
        // @ts-expect-error -- properties have no policies
        @Timeout('1s') property = 1;
      }
      return Place;
    };
    expect(misplaced).toThrow('A decorator was written on the property "property"');
  });
});
