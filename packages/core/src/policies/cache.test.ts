import type { ToolResult } from '@toolwright/ground/base/content';
import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { ClientInput, SessionHandle } from '@toolwright/ground/base/request-context';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import type { Middleware } from '@toolwright/ground/call/operation/operation';
import { systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { MemoryResultCache } from '@toolwright/ground/ports/result-cache';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Cache } from './cache.js';
import { Confirm } from './confirm/confirm.js';
import { definePolicy } from './define-policy.js';
import { UseMiddleware } from './middleware.js';
import { MaxOutput } from './output/max-output.js';

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

  it('never gives an anonymous caller what another session got', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(() => ++runs, cached());
    const as = (id: string) =>
      fixture.call(tool, {}, fixture.request({ principal: undefined, session: { id } as SessionHandle }));
    expect([await as('a'), await as('b'), await as('a')].map(textOf)).toEqual(['1', '2', '1']);
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

describe('middleware of a cached tool', () => {
  let mayCall = true;
  const refuses: Middleware = (_call, next) => {
    if (!mayCall) throw new ToolError('Not any more.');
    return next();
  };
  const Licensed = definePolicy<object>('licensed', { plan: () => refuses });
  const shared = {
    'of this process': () => ({}),
    'that processes share': () => ({
      stores: { cache: new MemoryResultCache(systemClock) },
      secrets: ['s'.repeat(32)],
    }),
  };
  beforeEach(() => void (mayCall = true));

  describe.each(Object.entries(shared))('with a cache %s', (_where, stores) => {
    it.each([
      ['server.use', { middleware: [refuses] }, []],
      ['a policy of the application', {}, [Licensed.entry({})]],
      ['@UseMiddleware', {}, [UseMiddleware.entry(refuses)]],
    ])('refuses a call whose result is there: %s', async (_how, options, policies) => {
      const fixture = new PipelineFixture(options as object, stores());
      let runs = 0;
      const tool = fixture.tool(() => ++runs, { ...cached(), policies: [...cached().policies, ...policies] });
      expect(textOf(await fixture.call(tool))).toBe('1');
      expect(textOf(await fixture.call(tool))).toBe('1');
      mayCall = false;
      expect(textOf(await fixture.call(tool))).toBe('Not any more.');
      expect(runs).toBe(1);
    });

    it('changes the result of its own call alone', async () => {
      let calls = 0;
      const counts: Middleware = async (_call, next) => {
        const result = (await next()) as ToolResult;
        (result.structuredContent as { rows: number[] }).rows.push(++calls);
        result.content.push({ type: 'text', text: `call ${calls}` });
        return result;
      };
      const outputSchema = {
        type: 'object',
        properties: { rows: { type: 'array', items: { type: 'integer' } } },
      };
      const fixture = new PipelineFixture({ middleware: [counts] }, stores());
      const tool = fixture.tool(() => ({ rows: [0] }), { ...cached(), outputSchema });
      for (const call of [1, 2, 3]) {
        const { structuredContent, content } = await fixture.call(tool);
        expect(structuredContent).toEqual({ rows: [0, call] });
        expect(content.slice(1)).toEqual([{ type: 'text', text: `call ${call}` }]);
      }
    });
  });

  it('may change the arguments, and then the method runs for these', async () => {
    let shop = 'north';
    const inShop: Middleware = (call, next) => {
      call.arguments['shop'] = shop;
      return next();
    };
    const fixture = new PipelineFixture({ middleware: [inShop] });
    const tool = fixture.tool(({ shop: of }: { shop: string }) => `stock of ${of}`, cached());
    expect(textOf(await fixture.call(tool, {}))).toBe('stock of north');
    shop = 'south';
    expect(textOf(await fixture.call(tool, {}))).toBe('stock of south');
  });
});

describe('a result that is for one call alone is not kept', () => {
  const answering = (answers: string[]): ClientInput => ({
    ask: async () => ({ action: 'accept', content: { confirm: true, name: answers.shift() } }),
    supports: () => true,
    pending: new Map(),
    resumed: false,
    paid: false,
    recall: () => undefined,
    remember: () => undefined,
  });

  it('when it depends on an answer, but it is kept when the call was only confirmed', async () => {
    const fixture = new PipelineFixture();
    const input = answering(['Ada', 'Bob']);
    const schema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const asks = fixture.tool(async (_: unknown, context: ToolContext) => {
      const { content } = await context.elicit<{ name: string }>('who', { message: 'Who?', schema });
      return content!.name;
    }, cached());
    const call = (tool: typeof asks) => fixture.call(tool, {}, fixture.request({ input }));
    expect([textOf(await call(asks)), textOf(await call(asks))]).toEqual(['Ada', 'Bob']);
    let runs = 0;
    const policies = [...cached().policies, Confirm.entry('Sure?')];
    const confirmed = fixture.tool(() => ++runs, { ...cached(), policies });
    expect([textOf(await call(confirmed)), textOf(await call(confirmed))]).toEqual(['1', '1']);
  });
});

it('all parts of a result come from one run', async () => {
  const fixture = new PipelineFixture();
  let runs = 0;
  const policies = [...cached().policies, MaxOutput.entry({ bytes: 100 })];
  const rows = Array.from({ length: 100 }, (_, id) => id);
  const tool = fixture.tool(() => (runs++, rows), { ...cached(), policies });
  const got: number[] = [];
  for (let cursor: string | undefined, parts = 0; parts === 0 || cursor !== undefined; parts++) {
    const part = await fixture.call(tool, cursor === undefined ? {} : { cursor });
    got.push(...(JSON.parse((part.content[0] as { text: string }).text) as number[]));
    cursor = /"cursor": "([^"]+)"/.exec(textOf(part))?.[1];
  }
  expect(got).toEqual(rows);
  expect(runs).toBe(1);
});
