import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { ClientInput } from '@toolwright/ground/base/request-context';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import { PipelineFixture, textOf } from '../../../test/support/pipeline-fixture.js';
import { Confirm, type ConfirmMessage, type ConfirmWhen } from './confirm.js';

const policies = [Confirm.entry(({ pageId }: { pageId: string }) => `Delete page ${pageId}?`)];
const pages = {
  name: 'delete_page',
  policies,
  inputSchema: { type: 'object', properties: { pageId: { type: 'string' } }, additionalProperties: false },
};
const mute = { client: { capabilities: {} } };
const accept = { action: 'accept', content: { confirm: true } };

function answering(answer: Record<string, unknown>, asked: unknown[] = []): ClientInput {
  return {
    ask: async (key, method, params) => (asked.push({ key, method, params }), answer),
    supports: () => true,
    pending: new Map(),
    resumed: false,
    paid: false,
    recall: () => undefined,
    remember: () => undefined,
  };
}

describe('a tool that wants confirmation', () => {
  it('ends its first round with the question, and runs in the second', async () => {
    const fixture = new PipelineFixture();
    let runs = 0;
    const tool = fixture.tool(() => `deleted ${++runs}`, pages);
    const first = await tool.run(fixture.request(), { pageId: '7' });
    expect(first).toBeInstanceOf(InputRequired);
    expect([...(first as InputRequired).pending]).toEqual([
      [
        'toolwright.confirm',
        {
          method: 'elicitation/create',
          params: {
            message: 'Delete page 7?',
            requestedSchema: expect.objectContaining({ required: ['confirm'] }),
          },
        },
      ],
    ]);
    expect(runs).toBe(0);
    const round = {
      resumed: true,
      paid: true,
      responses: { 'toolwright.confirm': accept },
      asked: new Set(['toolwright.confirm']),
    };
    expect(textOf(await fixture.call(tool, { pageId: '7' }, fixture.request({ round })))).toBe('deleted 1');
    expect(fixture.sink.events).toEqual(['intent', 'confirmed', 'outcome ok']);
  });

  it('on older revisions, asks and waits', async () => {
    const fixture = new PipelineFixture();
    const asked: unknown[] = [];
    const request = fixture.request({
      era: 'stateful',
      revision: '2025-06-18',
      input: answering(accept, asked),
    });
    expect(
      textOf(
        await fixture.call(
          fixture.tool(() => 'deleted', pages),
          { pageId: '7' },
          request,
        ),
      ),
    ).toBe('deleted');
    expect(asked).toHaveLength(1);
  });

  it('uses the text of the service, which may be asynchronous', async () => {
    const fixture = new PipelineFixture();
    const asked: { params: { message: string } }[] = [];
    const titles = new Map([['7', 'Bread']]);
    const describe = async ({ pageId }: { pageId: string }, service: typeof titles) => {
      const title = service.get(pageId);
      if (title === undefined) throw new ToolError(`No page ${pageId}.`);
      return `Delete "${title}"?`;
    };
    const tool = fixture.tool(() => 'deleted', {
      ...pages,
      policies: [Confirm.entry(describe)],
      target: { instance: () => titles },
    });
    const request = () => fixture.request({ input: answering(accept, asked) });
    expect(textOf(await fixture.call(tool, { pageId: '7' }, request()))).toBe('deleted');
    expect(textOf(await fixture.call(tool, { pageId: '8' }, request()))).toBe('No page 8.');
    expect(asked.map(({ params }) => params.message)).toEqual(['Delete "Bread"?']);
  });

  it('tells the text who calls, for which tenant, and when the call is over', async () => {
    const fixture = new PipelineFixture({ timeout: '5s' });
    const seen: unknown[] = [];
    const words: ConfirmMessage = (_args, service: unknown, { principal, tenant, signal }) => {
      seen.push(service, principal!.subject, tenant, signal.aborted);
      signal.addEventListener('abort', () => seen.push('over'));
      return new Promise(() => undefined);
    };
    const tool = fixture.tool(() => fail('ran'), {
      policies: [Confirm.entry(words)],
      target: { instance: () => 'service' },
    });
    const principal = { subject: 'ann', tenant: 'acme', scopes: [] };
    const call = fixture.call(tool, {}, fixture.request({ principal }));
    await fixture.clock.advance(5_000);
    await call;
    expect(seen).toEqual(['service', 'ann', 'acme', false, 'over']);
  });

  it('answers an error of the text like an error of the method', async () => {
    const fixture = new PipelineFixture();
    const failing = (error: Error) => ({
      words: fixture.tool(() => 'ran', {
        policies: [
          Confirm.entry(() => {
            throw error;
          }),
        ],
      }),
      method: fixture.tool(() => {
        throw error;
      }),
    });
    for (const error of [new ToolError('No such page.'), new Error('secret'), new RangeError('secret')]) {
      const { words, method } = failing(error);
      const [ofWords, ofMethod] = [await fixture.call(words), await fixture.call(method)];
      expect(ofWords).toEqual(ofMethod);
      expect(textOf(ofWords)).not.toContain('secret');
    }
  });

  it.each([[undefined], [null], [42], [''], [' ']])(
    'asks nobody if the text is %j, and the log says what is wrong',
    async (words) => {
      const fixture = new PipelineFixture();
      const asked: unknown[] = [];
      const tool = fixture.tool(() => fail('ran'), { policies: [Confirm.entry(() => words as string)] });
      const result = await fixture.call(tool, {}, fixture.request({ input: answering(accept, asked) }));
      expect(textOf(result)).toBe('Internal error (ref ref0123456).');
      expect(asked).toEqual([]);
      const { err } = fixture.logger.lines.at(-1)!.fields as { err: Error };
      expect(err.message).toMatch(/^The function of @Confirm of "work" returned .*, and no question\.$/);
    },
  );

  it('is refused at the deadline if the text does not come, and asks nobody later', async () => {
    const fixture = new PipelineFixture({ timeout: '5s' });
    let speak!: (text: string) => void;
    const words = () => new Promise<string>((resolve) => (speak = resolve));
    const asked: unknown[] = [];
    const tool = fixture.tool(() => fail('ran'), { policies: [Confirm.entry(words)] });
    const call = fixture.call(tool, {}, fixture.request({ input: answering(accept, asked) }));
    await fixture.clock.advance(5_000);
    expect(textOf(await call)).toContain('did not finish within 5 s');
    expect(fixture.sink.events).toEqual(['outcome timeout']);
    speak('Sure?');
    await fixture.clock.advance(0);
    expect(asked).toEqual([]);
    expect(fixture.environment.slots!.load).toEqual({ running: 0, waiting: 0 });
  });

  it('holds no slot while a person thinks, however long that takes', async () => {
    const fixture = new PipelineFixture({ concurrency: { perPrincipal: 1 }, timeout: '5s' });
    let decide!: (answer: Record<string, unknown>) => void;
    const input = {
      ...answering(accept),
      ask: () => new Promise<never>((resolve) => (decide = resolve as never)),
    };
    const request = fixture.request({ era: 'stateful', revision: '2025-06-18', input });
    const waiting = fixture.call(
      fixture.tool(() => 'deleted', pages),
      { pageId: '7' },
      request,
    );
    await fixture.clock.advance(3_600_000);
    expect(textOf(await fixture.call(fixture.tool(async () => 'served meanwhile')))).toBe('served meanwhile');
    decide(accept);
    expect(textOf(await waiting)).toBe('deleted');
    expect(fixture.environment.slots!.load).toEqual({ running: 0, waiting: 0 });
    expect(fixture.clock.pending).toBe(0);
  });

  it.each([
    [{ action: 'decline' }],
    [{ action: 'cancel' }],
    [{ action: 'accept', content: { confirm: false } }],
    [{ action: 'accept', content: { confirm: 'true' } }],
    [{ action: 'accept' }],
  ])('does not run when the answer is %j', async (answer) => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => fail('ran'), pages);
    const result = await fixture.call(tool, { pageId: '7' }, fixture.request({ input: answering(answer) }));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The user did not confirm, so nothing was done.');
    expect(fixture.sink.records.at(-1)!.event).toMatchObject({ event: 'denied', reason: 'TW_NOT_CONFIRMED' });
  });

  it('is refused to a client that cannot ask', async () => {
    const fixture = new PipelineFixture();
    const result = await fixture.call(
      fixture.tool(() => fail('ran'), pages),
      { pageId: '7' },
      fixture.request(mute),
    );
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('this client has no way to ask for it');
    expect(
      textOf(
        await fixture.call(
          fixture.tool(() => fail('ran'), pages),
          { confirmed: true },
          fixture.request(mute),
        ),
      ),
    ).toContain('confirmed: not a known property');
  });

  it('shows hidden characters in the question', async () => {
    const fixture = new PipelineFixture();
    const asked: { params: { message: string } }[] = [];
    const request = fixture.request({ input: answering(accept, asked) });
    await fixture.call(
      fixture.tool(() => 1, pages),
      { pageId: '7\u202e' },
      request,
    );
    expect(asked[0]!.params.message).toBe('Delete page 7\\u{202e}?');
  });

  it('asks for every destructive tool if the server says so, and never for a tool that only reads', async () => {
    const fixture = new PipelineFixture({ confirmDestructive: true });
    const steps = (annotations: object, given = {}) =>
      fixture.tool(() => 1, { annotations, ...given }).plan!.find(({ name }) => name === 'confirm');
    expect(steps({ destructiveHint: true })).toMatchObject({ origin: 'annotations' });
    expect(steps({})).toBeUndefined();
    expect(steps({ readOnlyHint: true, destructiveHint: true })).toBeUndefined();
  });

  it('asks for a tool that only reads if its own method says so, but not if its class does', () => {
    const steps = (origin: 'method' | 'class') =>
      new PipelineFixture()
        .tool(() => 1, {
          annotations: { readOnlyHint: true },
          policies: policies.map(([name, entry]) => [name, { ...entry, origin }]),
        })
        .plan!.find(({ name }) => name === 'confirm');
    expect(steps('method')).toMatchObject({ origin: 'method' });
    expect(steps('class')).toBeUndefined();
  });
});

describe('a confirmation of some calls only', () => {
  const above = (when: ConfirmWhen) => ({
    ...pages,
    inputSchema: { type: 'object', properties: { cents: { type: 'integer' } }, additionalProperties: false },
    policies: [Confirm.entry('Sure?', { when })],
  });
  const asksAbout = async (when: ConfirmWhen, args: object) => {
    const fixture = new PipelineFixture();
    const asked: unknown[] = [];
    const request = fixture.request({ input: answering(accept, asked) });
    const result = await fixture.call(
      fixture.tool(() => 'done', above(when)),
      args as never,
      request,
    );
    return [asked.length, textOf(result)];
  };

  it.each([
    [({ cents }: { cents: number }) => cents > 500, 501, 1],
    [({ cents }: { cents: number }) => cents > 500, 500, 0],
    [async ({ cents }: { cents: number }) => cents > 500, 500, 0],
    [async ({ cents }: { cents: number }) => cents > 500, 501, 1],
    // Only false lets a call through.
    [() => undefined as never, 1, 1],
    [() => 0 as never, 1, 1],
    [() => '' as never, 1, 1],
  ])('%s with %d cents asks %d times, and runs', async (when, cents, times) => {
    expect(await asksAbout(when, { cents })).toEqual([times, 'done']);
  });

  it('is decided on arguments that are valid', async () => {
    const seen: unknown[] = [];
    const when = (args: unknown) => (seen.push(args), false);
    expect((await asksAbout(when, { cents: '501' }))[1]).toContain('cents');
    expect(seen).toEqual([]);
  });

  it('is decided once for all rounds of a call', async () => {
    const fixture = new PipelineFixture();
    let limit = 500;
    const tool = fixture.tool(
      () => 'done',
      above(({ cents }) => cents > limit),
    );
    const kept = new Map<string, unknown>();
    const input = (answer: Record<string, unknown> | undefined) => ({
      ...answering(accept),
      ask: answer ? async () => answer : async () => fail('asked in the second round'),
      recall: (key: string) => (kept.has(key) ? { value: kept.get(key) } : undefined),
      remember: (key: string, value: unknown) => void kept.set(key, value),
    });
    await fixture.call(tool, { cents: 501 }, fixture.request({ input: input({ action: 'decline' }) }));
    // The rule changes while the person thinks.
    limit = 10_000;
    const later = await fixture.call(
      tool,
      { cents: 501 },
      fixture.request({ input: input({ action: 'decline' }) }),
    );
    expect(textOf(later)).toContain('did not confirm');
  });

  it('fails closed when its function throws, as an error of the method does', async () => {
    for (const [error, text] of [
      [new ToolError('The rates are away.'), 'The rates are away.'],
      [new Error('secret'), 'Internal error'],
    ] as const) {
      const when = async () => {
        throw error;
      };
      const [times, answer] = await asksAbout(when, { cents: 1 });
      expect([times, answer]).toEqual([0, expect.stringContaining(text)]);
      expect(answer).not.toContain('done');
    }
  });

  it('gives no confirmation back that came with a call that needs none', async () => {
    const fixture = new PipelineFixture();
    let limit = 500;
    const when = ({ cents }: { cents: number }) => cents > limit;
    const policies = [Confirm.entry('Sure?', { fallback: 'argument', when })];
    const tool = fixture.tool(() => 'done', { ...above(when), policies });
    const call = (args: object) => fixture.call(tool, args as never, fixture.request(mute)).then(textOf);
    expect(await call({ cents: 1 })).toBe('done');
    expect(await call({ cents: 501 })).toContain('confirmation_required');
    expect(await call({ cents: 501, confirmed: true })).toBe('done');
    expect(await call({ cents: 501, confirmed: true })).toContain('No question about this very call is open');
    expect(await call({ cents: 501 })).toContain('confirmation_required');
    // The rule changes between the question and its answer, and back.
    limit = 1_000;
    expect(await call({ cents: 501, confirmed: true })).toBe('done');
    limit = 500;
    expect(await call({ cents: 501, confirmed: true })).toContain('No question about this very call is open');
  });
});

describe('the argument that replaces a question', () => {
  const optedIn = { ...pages, policies: [Confirm.entry('Sure?', { fallback: 'argument' })] };

  it('is part of what is published', () => {
    const { inputSchema } = new PipelineFixture().tool(() => 1, optedIn);
    expect(Object.keys(inputSchema.properties!)).toEqual(['pageId', 'confirmed']);
  });

  it('makes the model ask first, then lets the call through, without running the method before', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool((args) => JSON.stringify(args), optedIn);
    const first = await fixture.call(tool, { pageId: '7' }, fixture.request(mute));
    expect(textOf(first)).toBe(
      'Nothing was done yet (confirmation_required). Ask the user: Sure?\nOnly if they agree, call again with the same arguments and "confirmed": true.',
    );
    const second = await fixture.call(tool, { pageId: '7', confirmed: true }, fixture.request(mute));
    expect(textOf(second)).toBe('{"pageId":"7"}');
    expect(fixture.sink.events).toEqual(['denied denied', 'confirmed', 'outcome ok']);
  });

  it('has no effect for a client that can ask', async () => {
    const fixture = new PipelineFixture();
    const outcome = await fixture
      .tool(() => fail('ran'), optedIn)
      .run(fixture.request(), { confirmed: true });
    expect(outcome).toBeInstanceOf(InputRequired);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
