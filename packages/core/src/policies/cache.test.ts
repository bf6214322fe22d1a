import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Cache } from './cache.js';
import { ToolError } from '../base/errors/errors.js';

const cached = (entries?: number) => ({
  annotations: { readOnlyHint: true },
  policies: [Cache.entry({ ttl: '30s', ...(entries && { entries }) })],
});

describe('a cached tool', () => {
  it('answers the same call again without running, until its time has passed', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(async () => ++runs, cached());
    const call = async (args: Record<string, unknown>) => textOf(await fixture.call(tool, args));
    expect(await call({ a: 1, b: { c: 2, d: 3 } })).toBe('1');
    expect(await call({ b: { d: 3, c: 2 }, a: 1 })).toBe('1');
    expect(await call({ a: 2 })).toBe('2');
    await fixture.clock.advance(30_000);
    expect(await call({ a: 2 })).toBe('3');
  });

  it('never gives a token what one with other scopes, or of another client, got', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(() => ++runs, cached());
    const as = (scopes: string[], clientId = 'a') =>
      fixture.call(tool, {}, fixture.request({ principal: { subject: 'ann', scopes, clientId } }));
    const texts = [await as(['r', 'w']), await as(['w', 'r']), await as(['r']), await as(['r'], 'b')].map(
      textOf,
    );
    expect(texts).toEqual(['1', '1', '2', '3']);
  });

  it('never gives a caller what one with other claims got, whatever the claims are made of', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(() => ++runs, cached());
    const as = (claims: Record<string, unknown>, more: object = {}) =>
      fixture.call(tool, {}, fixture.request({ principal: { subject: 'ann', scopes: [], claims, ...more } }));
    class Tenant {
      #id;
      constructor(id: string) {
        this.#id = id;
      }
      get id() {
        return this.#id;
      }
    }
    const round: Record<string, unknown> = {};
    round['self'] = round;
    const different = [
      {},
      { tenant: 'a' },
      { tenant: 'b' },
      { tenant: 1 },
      { tenant: '1' },
      { tenant: 1n },
      { tenant: null },
      { tenant: ['a'] },
      { tenant: { id: 'a' } },
      { tenant: new Map([['id', 'a']]) },
      { tenant: new Map([['id', 'b']]) },
      { tenant: new Set(['a']) },
      { tenant: new Date(1) },
      { tenant: new Date(1).toJSON() },
      { tenant: new Tenant('a') },
      { tenant: new Tenant('b') },
      { tenant: () => 'a' },
      { tenant: round },
      { ['__proto__']: { id: 'a' } },
      { scopes: ['a'] },
    ];
    for (const claims of different) await as(claims);
    await as({}, { email: 'ann@example.com' });
    expect(runs).toBe(different.length + 1);
    expect(textOf(await as({ a: 1, b: { c: 2, d: 3 } }))).toBe(textOf(await as({ b: { d: 3, c: 2 }, a: 1 })));
  });

  it('never gives one principal what another got', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 'for ann', cached());
    const other = fixture.tool(() => 'for bob', cached());
    expect(textOf(await fixture.call(tool))).toBe('for ann');
    const bob = fixture.request({ principal: { subject: 'bob', scopes: [] } });
    expect(textOf(await fixture.call(other, {}, bob))).toBe('for bob');
    let runs = 0;
    const counting = fixture.tool(() => ++runs, cached());
    await fixture.call(counting);
    await fixture.call(counting, {}, bob);
    await fixture.call(counting, {}, fixture.request({ principal: undefined }));
    expect(runs).toBe(3);
  });

  it('does not keep errors, and keeps no more than it may', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(({ fail }: { fail?: boolean }) => {
      runs++;
      if (fail) throw new ToolError('no');
    }, cached(2));
    for (const args of [
      { fail: true },
      { fail: true },
      { a: 1 },
      { a: 2 },
      { a: 1 },
      { a: 3 },
      { a: 1 },
      { a: 2 },
    ]) {
      await fixture.call(tool, args);
    }
    expect(runs).toBe(6);
  });

  it('must be one that only reads', () => {
    const plan = () => new PipelineFixture().tool(() => 1, { ...cached(), annotations: {} });
    expect(plan).toThrow('The tool "work" has @Cache but may change something');
  });
});
