import { ProtocolError, ToolError } from '@toolwright/ground/base/errors/errors';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import type { Middleware } from '@toolwright/ground/call/operation/operation';
import { PipelineFixture, textOf, type ToolOptions } from '../../test/support/pipeline-fixture.js';
import { UseMiddleware } from './middleware.js';
import { Confirm } from './confirm/confirm.js';

const canary = 'postgres://admin:hunter2@10.0.0.7/pages';
const leak = (): never => {
  throw new Error(`cannot connect to ${canary}`);
};
const types = { revival: () => undefined, dto: () => undefined };

class Weird extends Error {
  override get message(): string {
    return canary;
  }
}

/** All places where something can be thrown that is not meant for the caller. */
const places: Record<string, [method: (...args: any[]) => unknown, options?: ToolOptions]> = {
  'the method, synchronously': [leak],
  'the method, asynchronously': [async () => leak()],
  'a thenable': [
    () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(new Error(canary)) }),
  ],
  'a string': [() => Promise.reject(canary)],
  'an object that is no error': [() => Promise.reject({ message: canary, code: 'ECONNREFUSED' })],
  'an error with a cause': [() => Promise.reject(new Error('outer', { cause: new Error(canary) }))],
  'an AggregateError': [() => Promise.reject(new AggregateError([new Error(canary)], canary))],
  'an error with a getter': [() => Promise.reject(new Weird())],
  'an error that only looks like ours': [
    () => Promise.reject(Object.assign(new Error(canary), { code: 'TW_TOOL_ERROR', meta: {} })),
  ],
  'an async iterator': [
    async function* () {
      yield 1;
      leak();
    },
  ],
  'toJSON of the result': [() => ({ toJSON: leak })],
  'a getter of the result': [
    () => ({
      get secret() {
        return leak();
      },
    }),
  ],
  'an invalid result': [
    () => ({ id: canary }),
    { outputSchema: { type: 'object', properties: { id: { type: 'number' } } } },
  ],
  'a symbol key': [() => ({ [Symbol.asyncIterator]: leak })],
  'the instance': [() => 1, { target: { instance: leak } }],
  'the instance, asynchronously': [() => 1, { target: { instance: async () => leak() } }],
  'opening the request scope': [() => 1, { target: { openScope: leak } }],
  middleware: [() => 1, { policies: [UseMiddleware.entry(leak as unknown as Middleware)] }],
  'middleware, on the way back': [
    () => 1,
    { policies: [UseMiddleware.entry(async (_, next) => (await next(), leak()))] },
  ],
  'the text of a confirmation': [() => 1, { policies: [Confirm.entry(leak)] }],
  'reviving an argument': [
    () => 1,
    {
      target: {
        revive: { input: { at: { kind: 'ref', name: 'Gone' } } },
        types: { ...types, revival: leak },
      },
    },
  ],
  'something the context does': [(_: unknown, ctx: ToolContext) => ctx.once('key', leak)],
};

describe('a secret', () => {
  it.each(Object.entries(places))('thrown by %s never reaches the caller', async (_, [method, options]) => {
    const fixture = new PipelineFixture();
    const result = await fixture.call(fixture.tool(method, options), { at: 1 });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: expect.stringMatching(
            /^(Internal error|The tool ran; its result could not be sent) \(ref ref0123456\)\./,
          ),
        },
      ],
      isError: true,
    });
    expect(fixture.logger.lines).toMatchObject([
      { level: 'error', fields: { reference: 'ref0123456', operation: 'work' } },
    ]);
    expect(fixture.sink.records.at(-1)!.event).toMatchObject({ outcome: 'error', reference: 'ref0123456' });
  });

  it('in a clean-up is logged, and the result stays the same', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool((_: unknown, ctx: ToolContext) => {
      ctx.onCleanup(leak);
      ctx.onCleanup(async () => leak());
      return 'fine';
    });
    expect(textOf(await fixture.call(tool))).toBe('fine');
    expect(fixture.logger.lines).toHaveLength(2);
  });
});

describe('errors that are meant for the caller', () => {
  it('are sent with their text and meta, and with hidden characters made visible', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => {
      throw new ToolError('No page\u202e 7', { meta: { retry: false } });
    });
    expect(await fixture.call(tool)).toEqual({
      content: [{ type: 'text', text: 'No page\\u{202e} 7' }],
      isError: true,
      _meta: { retry: false },
    });
  });

  it('are sent if they come from another copy of this package', async () => {
    const foreign = Object.assign(new Error('from the other copy'), {
      [Symbol.for('toolwright.error')]: true,
      code: 'TW_TOOL_ERROR',
      meta: undefined,
    });
    const fixture = new PipelineFixture();
    expect(textOf(await fixture.call(fixture.tool(() => Promise.reject(foreign))))).toBe(
      'from the other copy',
    );
  });

  it('are thrown again if they belong to the protocol', async () => {
    const fixture = new PipelineFixture();
    const error = new ProtocolError(-32021, 'Needs sampling', { requiredCapabilities: { sampling: {} } });
    const tool = fixture.tool(() => Promise.reject(error));
    await expect(fixture.call(tool)).rejects.toBe(error);
    expect(fixture.sink.events).toEqual(['outcome error']);
  });
});

describe('the advice to try again', () => {
  const failing = async (error: unknown, annotations: object = { idempotentHint: true }) => {
    const fixture = new PipelineFixture();
    return textOf(await fixture.call(fixture.tool(() => Promise.reject(error as Error), { annotations })));
  };
  const silent = 'Internal error (ref ref0123456).';
  const advised = `${silent} It is safe to try again.`;
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

  it.each([
    ['a network that is down', refused],
    ['what a network that is down caused', new TypeError('fetch failed', { cause: refused })],
    ['a timeout', new DOMException('late', 'TimeoutError')],
    ['a deadlock', Object.assign(new Error('deadlock'), { code: '40P01' })],
    ['an error that says so', Object.assign(new Error('busy'), { retryable: true })],
  ])('is given for %s', async (_what, error) => {
    expect(await failing(error)).toBe(advised);
    expect(await failing(error, { readOnlyHint: true })).toBe(advised);
  });

  it.each([
    ['a mistake in the code', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['an error of any kind', new Error('no such table')],
    ['an error that denies it', Object.assign(new Error('gone'), { retryable: false, cause: refused })],
    ['a text that was thrown', 'ECONNREFUSED'],
    [
      'an error that caused itself',
      Object.assign(new Error('circle'), {
        get cause() {
          return this;
        },
      }),
    ],
  ])('is not given for %s', async (_what, error) => {
    expect(await failing(error)).toBe(silent);
  });

  it('is not given if the tool may act twice', async () => {
    expect(await failing(refused, { destructiveHint: true })).toBe(silent);
    expect(await failing(refused, {})).toBe(silent);
  });

  it('is not given for a result that breaks its schema', async () => {
    const fixture = new PipelineFixture();
    const annotations = { readOnlyHint: true };
    const tool = fixture.tool(() => 'x', { annotations, outputSchema: { type: 'integer' } });
    expect(textOf(await fixture.call(tool))).toBe(silent);
  });
});
