import { InputRequired } from '@toolwright/ground/call/context/rounds';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import { PipelineFixture, textOf } from '../../../test/support/pipeline-fixture.js';
import { Audit } from './audit.js';
import { RequireScopes } from '../authorize.js';

const destructive = { annotations: { destructiveHint: true } };
const down = () => {
  throw new Error('disk full');
};

describe('the audit of a call', () => {
  it('in buffered mode is one record, with who, what and how it ended', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(
      async () => {
        await fixture.clock.advance(25);
        return 'found';
      },
      {
        policies: [Audit.entry({ include: ['query', 'password', 'missing'] })],
        inputSchema: { type: 'object', properties: { query: {}, password: { format: 'password' } } },
      },
    );
    const request = fixture.request({
      principal: {
        issuer: 'https://id',
        subject: 'ann',
        clientId: 'app',
        scopes: [],
        claims: { email: 'a@b' },
      },
      client: { info: { name: 'inspector', version: '1' }, capabilities: {} },
      trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      ip: '10.1.2.3',
    });
    const args = { query: 'cats', password: 'hunter2', other: 1 };
    const result = await fixture.call(tool, args, request);
    expect(fixture.sink.records).toEqual([
      {
        mode: 'buffered',
        event: {
          id: 'id-1',
          callId: 'id-1',
          time: fixture.clock.now(),
          event: 'outcome',
          operation: 'tool',
          name: 'work',
          contract: 'c0ffee',
          annotations: {},
          principal: { issuer: 'https://id', subject: 'ann', clientId: 'app' },
          client: { name: 'inspector', version: '1' },
          revision: '2026-07-28',
          arguments: { ...args, password: '[sensitive]' },
          loggable: { query: 'cats', password: '[sensitive]' },
          outcome: 'ok',
          reason: undefined,
          reference: undefined,
          result,
          durationMs: 25,
          traceId: '0af7651916cd43dd8448eb211c80319c',
          ip: '10.1.2.3',
        },
      },
    ]);
  });

  it('says of each call which client made it, whatever a sink does with the record before', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 'found');
    const seen: unknown[] = [];
    for (const [name, version] of [
      ['one', '1'],
      ['one', '1'],
      ['one', '2'],
      ['two\u200b', '2'],
    ] as const) {
      const client = { info: { name, version }, capabilities: {} };
      await fixture.call(tool, {}, fixture.request({ client }));
      const { client: recorded } = fixture.sink.records.at(-1)!.event;
      seen.push({ ...recorded });
      Object.assign(recorded!, { name: 'changed' });
    }
    expect(seen).toEqual([
      { name: 'one', version: '1' },
      { name: 'one', version: '1' },
      { name: 'one', version: '2' },
      { name: 'two\\u{200b}', version: '2' },
    ]);
  });

  it('never stores undeclared arguments as plain text', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 'found', {
      policies: [Audit.entry({ include: ['query', 'form'] })],
      inputSchema: { type: 'object', properties: { query: {} }, additionalProperties: false },
    });
    await fixture.call(tool, { query: 'cats', form: { password: 'hunter2' } });
    expect(fixture.sink.records.map(({ event }) => event.loggable)).toEqual([{ query: 'cats' }]);
  });

  it('is strict for destructive tools: intent before, outcome before the reply', async () => {
    const fixture = new PipelineFixture();
    const order: string[] = [];
    fixture.sink.before = ({ event }) => order.push(event);
    await fixture.call(fixture.tool(() => order.push('ran'), destructive));
    expect(order).toEqual(['intent', 'ran', 'outcome']);
    expect(fixture.sink.records.map(({ mode }) => mode)).toEqual(['strict', 'strict']);
    expect(new Set(fixture.sink.records.map(({ event }) => event.callId)).size).toBe(1);
  });

  it('follows an annotation that the author wrote, and a decorator before that', () => {
    const fixture = new PipelineFixture();
    const audit = (annotations: object, ...policies: Parameters<typeof Audit.entry>[0][]) =>
      fixture.tool(() => 1, { annotations, policies: policies.map((options) => Audit.entry(options)) })
        .plan![0];
    expect(audit({})).toMatchObject({ detail: 'buffered', origin: 'default' });
    expect(audit({ destructiveHint: false })).toMatchObject({ detail: 'buffered' });
    expect(audit({ destructiveHint: true }, { mode: 'buffered' })).toMatchObject({
      detail: 'buffered',
      origin: 'method',
    });
    expect(audit({}, { mode: 'strict' })).toMatchObject({ detail: 'strict', origin: 'method' });
    expect(audit({ destructiveHint: true }, false)!.name).toBe('errors');
  });

  it('in strict mode, refuses to run what it cannot record', async () => {
    const fixture = new PipelineFixture();
    let ran = false;
    fixture.sink.before = down;
    const result = await fixture.call(fixture.tool(() => (ran = true), destructive));
    expect(ran).toBe(false);
    expect(textOf(result)).toBe(
      'This call could not be recorded, so it was not carried out. Try again later.',
    );
    expect(JSON.stringify(fixture.logger.lines[0])).not.toBe(undefined);
  });

  it('reports if the outcome of a call could not be recorded', async () => {
    const fixture = new PipelineFixture();
    fixture.sink.before = ({ event }) => (event === 'outcome' ? down() : undefined);
    const result = await fixture.call(fixture.tool(() => 'deleted', destructive));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('its end could not be recorded');
  });

  it('in buffered mode, lets calls run if it fails', async () => {
    const fixture = new PipelineFixture();
    fixture.sink.write = async () => down();
    expect(textOf(await fixture.call(fixture.tool(() => 'fine')))).toBe('fine');
    fixture.sink.write = down;
    expect(textOf(await fixture.call(fixture.tool(() => 'fine')))).toBe('fine');
    expect(fixture.logger.lines.map(({ message }) => message)).toEqual([
      'The audit log cannot be written; strict calls are refused',
      'A call could not be recorded',
    ]);
  });

  it('waits if the sink asks for it', async () => {
    const fixture = new PipelineFixture();
    let drain!: () => void;
    fixture.sink.write = () => new Promise((resolve) => (drain = resolve));
    let answered = false;
    const call = fixture.call(fixture.tool(() => 1)).then(() => (answered = true));
    await fixture.clock.advance(1_000);
    expect(answered).toBe(false);
    drain();
    await call;
  });

  it('records refusals, with the reason', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 1, {
      policies: [RequireScopes.entry('write')],
      inputSchema: { type: 'object', required: ['id'] },
    });
    await fixture.call(tool).catch(() => undefined);
    await fixture.call(tool, {}, fixture.request({ principal: { subject: 'bob', scopes: ['write'] } }));
    expect(fixture.sink.records.map(({ event }) => [event.event, event.outcome, event.reason])).toEqual([
      ['denied', 'denied', 'TW_INSUFFICIENT_SCOPE'],
      ['outcome', 'invalid', 'TW_INVALID_ARGUMENTS'],
    ]);
  });

  it.each([[{}], [destructive]])('is one intent and one outcome for rounds of %j', async (options) => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(async (_: unknown, ctx: ToolContext) => {
      await ctx.elicit('name', { message: 'Name?', schema: {} });
      return 'done';
    }, options);
    const first = fixture.request();
    expect(await tool.run(first, {})).toBeInstanceOf(InputRequired);
    const memories = new Map([['toolwright.call', first.input.recall('toolwright.call')!.value]]);
    const second = fixture.request({ round: { resumed: true, memories } });
    expect(await tool.run(second, {})).toBeInstanceOf(InputRequired);
    const answered = { asked: new Set(['name']), responses: { name: { action: 'decline' } } };
    await fixture.call(tool, {}, fixture.request({ round: { resumed: true, memories, ...answered } }));
    expect(fixture.sink.events).toEqual(['intent', 'outcome ok']);
    expect(new Set(fixture.sink.records.map(({ event }) => event.callId)).size).toBe(1);
  });
});
