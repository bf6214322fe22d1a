import { PipelineFixture, textOf } from '../../../core/test/support/pipeline-fixture.js';
import type { RequestContext } from '../base/request-context.js';
import type { ToolContext } from './context/tool-context.js';

interface Sent {
  method: string;
  params: Record<string, unknown>;
}

async function sentBy(
  method: (ctx: ToolContext, fixture: PipelineFixture) => unknown,
  request: Partial<RequestContext>,
): Promise<Record<string, unknown>[]> {
  const fixture = new PipelineFixture();
  const sent: Sent[] = [];
  const notify = (name: string, params: Record<string, unknown>) => void sent.push({ method: name, params });
  const tool = fixture.tool((_: unknown, ctx: ToolContext) => method(ctx, fixture));
  await fixture.call(tool, {}, fixture.request({ notify, ...request }));
  expect(fixture.clock.pending).toBe(0);
  return sent.map(({ params }) => params);
}

describe('progress', () => {
  it("is sent with the caller's token, and with what is known", async () => {
    const sent = await sentBy(
      (ctx) => {
        ctx.progress(0, 100, 'reading');
        ctx.progress(50, 100);
        ctx.progress(100);
      },
      { progressToken: 'p' },
    );
    expect(sent).toEqual([
      { progressToken: 'p', progress: 0, total: 100, message: 'reading' },
      { progressToken: 'p', progress: 50, total: 100 },
      { progressToken: 'p', progress: 100 },
    ]);
  });

  it('is not sent to a caller that did not ask for it', async () => {
    expect(await sentBy((ctx) => ctx.progress(1), {})).toEqual([]);
  });

  it('never gets smaller', async () => {
    const sent = await sentBy(
      (ctx) => [1, 3, 2, 3, Number.NaN, Number.POSITIVE_INFINITY, 4].forEach((done) => ctx.progress(done)),
      { progressToken: 0 },
    );
    expect(sent.map(({ progress }) => progress)).toEqual([1, 3, 4]);
  });

  it('is limited to ten a second, and the last report always arrives', async () => {
    const sent = await sentBy(
      async (ctx, { clock }) => {
        for (let row = 1; row <= 1_000; row++) {
          ctx.progress(row);
          if (row % 100 === 0) await clock.advance(250);
        }
      },
      { progressToken: 0 },
    );
    expect(sent.length).toBeLessThanOrEqual(32);
    expect(sent.slice(0, 10).map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(sent.at(-1)).toMatchObject({ progress: 1_000 });
  });

  it('is not sent after the call has ended', async () => {
    let late!: ToolContext;
    const sent = await sentBy((ctx) => (ctx.progress(1), void (late = ctx)), { progressToken: 0 });
    late.progress(2);
    expect(sent).toHaveLength(1);
  });
});

describe('logs', () => {
  const all = ({ log }: ToolContext) => {
    log.debug('d');
    log.warning({ at: 1 }, 'pages');
    log.emergency('e');
  };

  it('go to the client from its chosen level on', async () => {
    expect(await sentBy(all, { logLevel: 'warning' })).toEqual([
      { level: 'warning', logger: 'pages', data: { at: 1 } },
      { level: 'emergency', data: 'e' },
    ]);
  });

  it('do not go to a client without a chosen level', async () => {
    expect(await sentBy(all, {})).toEqual([]);
  });
});

describe('once', () => {
  it('runs in the first round that reaches it, and later rounds get the same result', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(async (_: unknown, ctx: ToolContext) => ctx.once('charge', () => ++runs));
    const first = fixture.request();
    expect(textOf(await fixture.call(tool, {}, first))).toBe('1');
    const memories = new Map([['once:charge', first.input.recall('once:charge')!.value]]);
    expect(
      textOf(await fixture.call(tool, {}, fixture.request({ round: { resumed: true, memories } }))),
    ).toBe('1');
    expect(runs).toBe(1);
  });
});

it('the context says who calls, from where and why', async () => {
  const fixture = new PipelineFixture();
  const tool = fixture.tool((_: unknown, { principal, client, traceparent, requestId }: ToolContext) => ({
    subject: principal?.subject,
    client: client.info?.name,
    traceparent,
    requestId,
  }));
  const request = fixture.request({
    id: 'abc',
    client: { info: { name: 'inspector', version: '1' }, capabilities: {} },
    trace: { traceparent: '00-1-2-3' },
  });
  expect(JSON.parse(textOf(await fixture.call(tool, {}, request)))).toEqual({
    subject: 'ann',
    client: 'inspector',
    traceparent: '00-1-2-3',
    requestId: 'abc',
  });
});
