import { getEventListeners } from 'node:events';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Timeout } from './timeout.js';

const forever = () => new Promise(() => undefined);

describe('the deadline of a call', () => {
  it('ends a method that hangs, and tells the caller and the method', async () => {
    const fixture = new PipelineFixture();
    const reasons: unknown[] = [];
    const tool = fixture.tool(
      (_: unknown, { signal }: ToolContext) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return forever();
      },
      { policies: [Timeout.entry('5s')] },
    );
    const call = fixture.call(tool);
    await fixture.clock.advance(4_999);
    expect(reasons).toEqual([]);
    await fixture.clock.advance(1);
    const result = await call;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'work did not finish within 5 s, and the server waits no longer. It may still run, and may have taken effect in part; check before trying again.',
    );
    expect(reasons).toMatchObject([{ name: 'TimeoutError' }]);
    expect(fixture.sink.records[0]!.event).toMatchObject({
      outcome: 'timeout',
      reason: 'TW_TIMEOUT',
      durationMs: 5_000,
    });
  });

  it('is 50 s by default, and can be removed', async () => {
    const fixture = new PipelineFixture();
    const call = fixture.call(fixture.tool(forever, { annotations: { readOnlyHint: true } }));
    await fixture.clock.advance(50_000);
    expect(textOf(await call)).toContain(
      'within 50 s, and the server waits no longer. It is safe to try again',
    );
    void fixture.call(fixture.tool(forever, { policies: [Timeout.entry(false)] }));
    await fixture.clock.advance(0);
    expect(fixture.clock.pending).toBe(0);
    const off = new PipelineFixture({ timeout: false });
    void off.call(off.tool(forever));
    await off.clock.advance(0);
    expect(off.clock.pending).toBe(0);
  });

  it('also aborts a signal that is first read afterwards', async () => {
    const fixture = new PipelineFixture();
    let context!: ToolContext;
    const call = fixture.call(fixture.tool((_: unknown, ctx: ToolContext) => ((context = ctx), forever())));
    await fixture.clock.advance(50_000);
    await call;
    expect(context.signal.aborted).toBe(true);
  });

  it('includes the time in a queue, because the caller waits then, too', async () => {
    const fixture = new PipelineFixture({ concurrency: { perPrincipal: 1 } });
    const tool = fixture.tool(forever);
    const first = fixture.call(tool);
    const second = fixture.call(tool);
    await fixture.clock.advance(50_000);
    await first;
    expect(textOf(await second)).toBe(
      'work did not finish within 50 s: it waited for its turn and never began. It is safe to try again later.',
    );
    expect(fixture.environment.slots!.load).toEqual({ running: 1, waiting: 0 });
  });

  it('ends a call whose clean-up hangs, and its slot is taken until the clean-up ends', async () => {
    const fixture = new PipelineFixture({ timeout: '5s' });
    let clean!: () => void;
    const tool = fixture.tool((_: unknown, ctx: ToolContext) => {
      ctx.onCleanup(() => new Promise<void>((resolve) => (clean = resolve)));
      return 'done';
    });
    const call = fixture.call(tool);
    await fixture.clock.advance(5_000);
    expect(textOf(await call)).toContain('did not finish within 5 s');
    expect(fixture.environment.slots!.load.running).toBe(1);
    clean();
    await fixture.clock.advance(0);
    expect(fixture.environment.slots!.load.running).toBe(0);
  });

  it('leaves no timers and no listeners behind', async () => {
    const fixture = new PipelineFixture();
    const { signal } = new AbortController();
    for (const method of [async () => 1, () => 1, () => Promise.reject(new Error('no'))]) {
      await fixture.call(fixture.tool(method), {}, fixture.request({ signal }));
    }
    await fixture.call(
      fixture.tool(async (_: unknown, ctx: ToolContext) => ctx.signal.aborted),
      {},
      fixture.request({ signal }),
    );
    expect(fixture.clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a call that is cancelled', () => {
  it('ends at once, with the signal aborted and a record in the audit log', async () => {
    const fixture = new PipelineFixture();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const tool = fixture.tool((_: unknown, ctx: ToolContext) => ((seen = ctx.signal), forever()));
    const call = fixture.call(tool, {}, fixture.request({ signal: controller.signal }));
    await fixture.clock.advance(10);
    controller.abort('client went away');
    await call;
    expect(seen!.aborted).toBe(true);
    expect(seen!.reason).toBe('client went away');
    expect(fixture.sink.events).toEqual(['outcome cancelled']);
    expect(fixture.clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('does not wait for the clean-ups of a method that hangs', async () => {
    const fixture = new PipelineFixture();
    const controller = new AbortController();
    const tool = fixture.tool((_: unknown, ctx: ToolContext) => {
      ctx.onCleanup(forever);
      return forever();
    });
    const call = fixture.call(tool, {}, fixture.request({ signal: controller.signal }));
    controller.abort();
    expect(textOf(await call)).toBe('The call was cancelled.');
  });

  it('was cancelled before it started', async () => {
    const fixture = new PipelineFixture();
    const call = fixture.call(fixture.tool(forever), {}, fixture.request({ signal: AbortSignal.abort() }));
    expect(textOf(await call)).toBe('The call was cancelled.');
    expect(fixture.clock.pending).toBe(0);
  });
});
