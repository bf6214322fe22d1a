import {
  Audit,
  MaxOutput,
  RequireScopes,
  ToolError,
  UndeclaredOutput,
  UseMiddleware,
  type McpServer,
  type ServerOptions,
} from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import type { AuditSink } from '@toolwright/core/ports';
import type { JsonSchema } from '@toolwright/json';
import { boot } from '../support/booting.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const outputSchema: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['id'],
  additionalProperties: false,
};
const writes = { readOnlyHint: false, destructiveHint: false };
const circular: Record<string, unknown> = {};
circular['self'] = circular;

let server: McpServer;
let logger: RecordingLogger;
let written: number;
afterEach(() => server.close(0));

async function start(
  returned: () => unknown,
  tool: Partial<ToolDefinition> = {},
  options: Partial<ServerOptions> = {},
): Promise<void> {
  logger = new RecordingLogger();
  written = 0;
  server = await boot({ logger, ...options });
  server.tools.add({
    name: 'save',
    description: 'Saves.',
    annotations: writes,
    ...tool,
    handler: (...args) => {
      written++;
      return (returned as (...given: unknown[]) => unknown)(...args);
    },
  } as ToolDefinition);
}

const principal = { subject: 'ada', scopes: ['rows'] };
const call = async () => {
  const wire = new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
  const { result, error } = await wire.call('save');
  return { text: String(result?.content[0]?.text ?? error?.message), result };
};
const ran = /^The tool ran; its result could not be sent \(.+\)\. What it did is done: do not call it again/;

const strict: Partial<ServerOptions> = { security: 'strict', audit: new RecordingSink() };
const scoped = { outputSchema, policies: [RequireScopes.entry('rows')] };

describe('under strict security', () => {
  test('a row with a property too many is sent without it, and the log says so', async () => {
    await start(() => ({ id: 7, passwordHash: 'x' }), scoped, strict);
    const { result } = await call();
    expect(result).toMatchObject({ structuredContent: { id: 7 }, content: [{ text: '{"id":7}' }] });
    expect(result.isError).toBeUndefined();
    expect(logger.lines.at(-1)).toMatchObject({ level: 'warn', fields: { operation: 'save' } });
    expect([written, JSON.stringify(logger.lines)]).toEqual([1, expect.not.stringContaining('"x"')]);
  });

  test('a row that is wrong in another way says that the tool ran', async () => {
    await start(() => ({ id: 'seven', passwordHash: 'x' }), scoped, strict);
    expect((await call()).text).toMatch(ran);
  });

  test('data of a tool that declares none says so, too', async () => {
    await start(() => ({ id: 7 }), { policies: scoped.policies }, strict);
    expect((await call()).text).toMatch(ran);
  });

  test('a tool that only reads is refused as before', async () => {
    await start(
      () => ({ id: 7, passwordHash: 'x' }),
      { ...scoped, annotations: { readOnlyHint: true } },
      strict,
    );
    expect((await call()).text).toMatch(/^Internal error \(ref \w+\)\./);
  });
});

describe('a done write does not look undone', () => {
  const failing: [string, () => unknown, Partial<ToolDefinition>][] = [
    ['its result breaks its schema', () => ({ id: 'seven' }), { outputSchema }],
    [
      'its own rule refuses undeclared data',
      () => ({ id: 7, x: 1 }),
      { outputSchema, policies: [UndeclaredOutput.entry('refuse')] },
    ],
    ['JSON cannot carry its result', () => circular, {}],
    [
      'a getter of its result throws',
      () => ({
        get id() {
          throw new Error('detached');
        },
      }),
      { outputSchema },
    ],
    [
      'toJSON of its result throws',
      () => ({
        toJSON() {
          throw new Error('detached');
        },
      }),
      {},
    ],
    ['JSON cannot carry the _meta of its result', () => ({ content: [], _meta: circular }), {}],
    [
      'a block of its result has such a _meta',
      () => ({ content: [{ type: 'text', text: 'a', _meta: circular }] }),
      {},
    ],
    [
      'it is too large',
      () => ({ id: 1, note: 'x'.repeat(1_000) }),
      {
        outputSchema: { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } },
        policies: [MaxOutput.entry({ bytes: 300 })],
      },
    ],
    [
      'middleware fails after it',
      () => 'saved',
      {
        policies: [
          UseMiddleware.entry(async (_call, next) => {
            await next();
            throw new Error('metrics are away');
          }),
        ],
      },
    ],
    [
      'middleware breaks its result',
      () => 'saved',
      {
        policies: [
          UseMiddleware.entry(async (_call, next) => ({ ...(await next()), content: undefined }) as never),
        ],
      },
    ],
    ['it says nothing about itself', () => circular, { annotations: {} }],
  ];

  test.each(failing)('because %s', async (_why, returned, tool) => {
    await start(returned, tool);
    const { text, result } = await call();
    expect(text).toMatch(ran);
    expect([result.isError, written]).toEqual([true, 1]);
  });

  test('because its end cannot be recorded', async () => {
    const sink: AuditSink = {
      write: ({ event }) => (event === 'outcome' ? Promise.reject(new Error('disk full')) : undefined),
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    await start(() => 'saved', { policies: [Audit.entry({ mode: 'strict' })] }, { audit: sink });
    expect((await call()).text).toMatch(ran);
    expect(written).toBe(1);
  });

  test('a tool that may be called again is told so', async () => {
    await start(() => circular, { annotations: { ...writes, idempotentHint: true } });
    expect((await call()).text).toContain('calling it again with the same arguments changes nothing more');
  });

  test('a method that throws has not ended, and is told as before', async () => {
    await start(() => {
      throw new Error('deadlock');
    });
    expect((await call()).text).toMatch(/^Internal error/);
  });

  test('what middleware says about it stays', async () => {
    const says = UseMiddleware.entry(async (_call, next) => {
      await next();
      throw new ToolError('Saved, but nobody was notified.');
    });
    await start(() => 'saved', { policies: [says] });
    expect((await call()).text).toBe('Saved, but nobody was notified.');
  });
});
