import { PipelineFixture, textOf } from '../../../core/test/support/pipeline-fixture.js';
import { InputRequired } from './context/rounds.js';
import type { Target } from './operation/draft.js';
import type { ToolContext } from './context/tool-context.js';

const parameters: Target['parameters'] = [
  { name: 'query', kind: 'argument' },
  { name: 'ctx', kind: 'inject', inject: 'ToolContext' },
  { name: 'limit', kind: 'argument', optional: true },
  { name: 'signal', kind: 'inject', inject: 'AbortSignal' },
  { name: 'tags', kind: 'rest' },
];

describe('the call of a method', () => {
  it("gives named arguments their positions, and adds rest parameters and the framework's own values", async () => {
    const fixture = new PipelineFixture();
    const seen: unknown[][] = [];
    const tool = fixture.tool((...args: unknown[]) => void seen.push(args), { target: { parameters } });
    const request = fixture.request();
    await fixture.call(tool, { tags: ['a', 'b'], query: 'cats' }, request);
    const [query, ctx, limit, signal, ...rest] = seen[0]!;
    expect([query, limit, rest]).toEqual(['cats', undefined, ['a', 'b']]);
    expect((ctx as ToolContext).requestId).toBe(request.id);
    expect(signal).toBe((ctx as ToolContext).signal);
    await fixture.call(tool, { query: 'dogs' });
    expect(seen[1]).toHaveLength(4);
  });

  it('does not use inherited properties as arguments', async () => {
    const fixture = new PipelineFixture();
    const seen: unknown[] = [];
    const tool = fixture.tool((value: unknown) => void seen.push(value), {
      target: { parameters: [{ name: 'constructor', kind: 'argument' }] },
    });
    await fixture.call(tool);
    expect(seen).toEqual([undefined]);
  });

  it('uses the instance from the container', async () => {
    const fixture = new PipelineFixture();
    const greet = function (this: { name: string }) {
      return `I am ${this.name}`;
    };
    for (const instance of [() => ({ name: 'ann' }), async () => ({ name: 'ann' })]) {
      expect(textOf(await fixture.call(fixture.tool(greet, { target: { instance } })))).toBe('I am ann');
    }
  });

  it.each<[string, (...args: any[]) => unknown, left?: number]>([
    ['answers', () => 'fine'],
    ['throws', () => Promise.reject(new Error('no'))],
    ['hangs', () => new Promise(() => undefined), 1],
    ['asks', (_: unknown, ctx: ToolContext) => ctx.elicit('key', { message: '?', schema: {} })],
  ])('disposes its request scope, and cleans up in reverse order, if it %s', async (_, method, left = 0) => {
    const fixture = new PipelineFixture();
    const ended: string[] = [];
    const tool = fixture.tool(
      (args: unknown, ctx: ToolContext) => {
        ctx.onCleanup(() => ended.push('first'));
        ctx.onCleanup(async () => ended.push('second'));
        return method(args, ctx);
      },
      {
        target: { openScope: () => ({ dispose: () => void ended.push('scope'), leave: () => undefined }) },
      },
    );
    const call = tool.run(fixture.request(), {});
    await fixture.clock.advance(50_000);
    await call;
    await fixture.clock.advance(0);
    expect(ended).toEqual(['second', 'first', 'scope']);
    expect(fixture.clock.pending).toBe(0);
    expect(fixture.environment.slots!.load.running).toBe(left);
  });

  it('opens no scope for refused calls', async () => {
    const fixture = new PipelineFixture();
    let opened = 0;
    const tool = fixture.tool(() => 1, {
      inputSchema: { type: 'object', required: ['id'] },
      target: { openScope: () => (opened++, { dispose: () => undefined, leave: () => undefined }) },
    });
    await fixture.call(tool);
    expect(opened).toBe(0);
  });

  it('closes at once what a method opens after its call has ended', async () => {
    const fixture = new PipelineFixture();
    let context!: ToolContext;
    await fixture.call(fixture.tool((_: unknown, ctx: ToolContext) => void (context = ctx)));
    let closed = false;
    context.onCleanup(() => (closed = true));
    expect(closed).toBe(true);
  });
});

describe('an async iterable', () => {
  it('is collected, and each item is reported as progress', async () => {
    const fixture = new PipelineFixture();
    const sent: unknown[] = [];
    const tool = fixture.tool(
      async function* () {
        yield 'a';
        yield 'b';
      },
      { outputSchema: { type: 'array', items: { type: 'string' } } },
    );
    const notify = (_: string, params: object) => sent.push(params);
    const result = await fixture.call(tool, {}, fixture.request({ progressToken: 0, notify }));
    expect(result.structuredContent).toEqual(['a', 'b']);
    expect(sent).toEqual([
      { progressToken: 0, progress: 1 },
      { progressToken: 0, progress: 2 },
    ]);
  });

  it('is ended when its call ends early', async () => {
    const fixture = new PipelineFixture();
    const controller = new AbortController();
    let stopped = false;
    const endless = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => ((stopped = true), { done: true, value: undefined }),
      }),
    };
    const call = fixture.call(
      fixture.tool(() => endless),
      {},
      fixture.request({ signal: controller.signal }),
    );
    controller.abort();
    await call;
    expect(stopped).toBe(true);
  });
});

describe('a method that asks', () => {
  it('ends its round whatever it does with the error, and its result is not sent', async () => {
    const fixture = new PipelineFixture();
    const stubborn = async (_: unknown, ctx: ToolContext) => {
      await ctx.elicit('name', { message: 'Name?', schema: {} }).catch(() => undefined);
      return 'went on';
    };
    const failing = async (_: unknown, ctx: ToolContext) => {
      await ctx.roots().catch(() => undefined);
      throw new Error('secret');
    };
    const client = { capabilities: { elicitation: {}, roots: {} } };
    for (const method of [stubborn, failing]) {
      const outcome = await fixture.tool(method).run(fixture.request({ client }), {});
      expect(outcome).toBeInstanceOf(InputRequired);
    }
    expect(fixture.logger.lines).toEqual([]);
  });

  it('may ask several questions at once', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool((_: unknown, ctx: ToolContext) =>
      Promise.all([
        ctx.elicit('a', { message: 'A?', schema: {} }),
        ctx.elicit('b', { message: 'B?', url: 'https://example.com' }).catch(() => undefined),
      ]),
    );
    const client = { capabilities: { elicitation: { form: {}, url: {} } } };
    const outcome = (await tool.run(fixture.request({ client }), {})) as InputRequired;
    expect([...outcome.pending.values()].map(({ params }) => params)).toEqual([
      { message: 'A?', requestedSchema: {} },
      { mode: 'url', message: 'B?', url: 'https://example.com' },
    ]);
  });

  it('gets an error if the client cannot be asked', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool((_: unknown, ctx: ToolContext) =>
      ctx.sample('key', { messages: [], maxTokens: 1 }),
    );
    await expect(fixture.call(tool)).rejects.toMatchObject({ rpcCode: -32021 });
  });
});
