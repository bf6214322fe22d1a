import {
  ConfigurationError,
  HiddenText,
  Audit,
  McpService,
  McpTool,
  RequireScopes,
  type ServerOptions,
} from '@toolwright/core';
import type { SecurityPart } from '@toolwright/core/options';
import type { AuditSink } from '@toolwright/core/ports';
import { connect } from '@toolwright/testing';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { boot, problemsOf } from '../support/booting.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const audit = (): AuditSink => new RecordingSink();
const strict = (more: Partial<ServerOptions> = {}): Partial<ServerOptions> => ({
  security: 'strict',
  audit: audit(),
  ...more,
});
const ada = { subject: 'ada', scopes: ['pages'] };
const as = (server: Awaited<ReturnType<typeof boot>>, principal: typeof ada | undefined = ada) =>
  new StatelessWire(server, { principal, ip: undefined, transport: 'memory' });
const declared = {
  description: 'Reads.',
  annotations: { readOnlyHint: true },
  policies: [RequireScopes.entry('pages')],
};

test('everything that strict mode requires is reported together, for options and tools', async () => {
  @McpService()
  class Loose {
    @McpTool()
    @Audit(false)
    @HiddenText('keep')
    read(): string {
      return 'x';
    }
  }
  const manifest = handMadeManifest({ file: __filename, name: 'Loose', methods: { read: [] } });
  const problems = await problemsOf({
    security: 'strict',
    services: [Loose],
    manifest,
    output: { hidden: 'keep', undeclared: 'keep' },
  });
  const heard = problems.filter(({ code }) => code === 'TW_SECURITY_STRICT').map(({ message }) => message);
  expect(heard.map((message) => message.replace("security: 'strict' does not allow this: ", ''))).toEqual([
    'No call is recorded: "audit" is not set.',
    "output.hidden is 'keep'.",
    "output.undeclared is 'keep'.",
    'The tool "read" has @HiddenText(\'keep\').',
    'The tool "read" does not say whether it only reads or destroys something.',
    'The tool "read" does not say which scopes it needs.',
    'Calls of the tool "read" are not recorded.',
  ]);
});

test.each<[SecurityPart, object]>([
  ['annotations', { annotations: {} }],
  ['annotations', { annotations: { openWorldHint: true } }],
  ['scopes', { policies: [] }],
  ['audit', { policies: [...declared.policies, Audit.entry(false)] }],
  ['hidden', { policies: [...declared.policies, HiddenText.entry('escape')] }],
])('a tool that is added later must have "%s", unless that part is relaxed: %j', async (part, loose) => {
  const tool = { name: 'read', ...declared, ...loose, handler: () => 'x' };
  const server = await boot(strict());
  expect(() => server.tools.add(tool)).toThrow(/TW_SECURITY_STRICT.*'strict' does not allow this/s);
  const relaxed = await boot(strict({ security: { mode: 'strict', relax: [part] } }));
  expect(() => relaxed.tools.add(tool)).not.toThrow();
  await Promise.all([server.close(0), relaxed.close(0)]);
});

test.each<
  [string, (server: Awaited<ReturnType<typeof boot>>, policies: ReturnType<typeof Audit.entry>[]) => void]
>([
  [
    'resource',
    (server, policies) =>
      server.resources.add({ name: 'note', uri: 'note://a', policies, handler: () => 'x' }),
  ],
  [
    'template',
    (server, policies) =>
      server.resourceTemplates.add({
        name: 'note',
        uriTemplate: 'note://{id}',
        policies,
        handler: () => 'x',
      }),
  ],
  ['prompt', (server, policies) => server.prompts.add({ name: 'note', policies, handler: () => 'x' })],
])('a %s must also declare its scopes, and is recorded', async (_kind, add) => {
  const server = await boot(strict());
  expect(() => add(server, [])).toThrow(/TW_SECURITY_STRICT.*scopes/s);
  expect(() => add(server, [...declared.policies, Audit.entry(false)])).toThrow(
    /TW_SECURITY_STRICT.*recorded/s,
  );
  expect(() => add(server, declared.policies)).not.toThrow();
  await server.close(0);
});

test('a failure leaves out structured content that is not declared', async () => {
  const server = await boot(strict());
  const failure = {
    content: [{ type: 'text', text: 'No.' }],
    isError: true,
    structuredContent: { secret: 1 },
  };
  const outputSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  server.tools.add({ name: 'read', ...declared, handler: () => failure });
  server.tools.add({ name: 'typed', ...declared, outputSchema, handler: () => failure });
  for (const name of ['read', 'typed']) {
    const { result } = await as(server).call(name);
    expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
  }
  await server.close(0);
});

test('without the option, nothing of this is required', async () => {
  const server = await boot({});
  server.tools.add({ name: 'read', handler: () => ({ any: 'thing' }) });
  expect((await as(server, undefined).call('read')).result.content[0].text).toBe('{"any":"thing"}');
  await server.close(0);
});

test('anonymous callers are refused', async () => {
  const server = await boot(strict());
  await expect(connect(server)).rejects.toThrow(/TW_SECURITY_STRICT.*anonymous/s);
  const client = await connect(server, { principal: ada });
  await client.close();
  const relaxed = await boot(strict({ security: { mode: 'strict', relax: ['principals'] } }));
  await (await connect(relaxed)).close();
  await Promise.all([server.close(0), relaxed.close(0)]);
});

test('calls are recorded', async () => {
  const sink = new RecordingSink();
  const server = await boot(strict({ audit: sink }));
  server.tools.add({ name: 'read', ...declared, handler: () => 'x' });
  await as(server).call('read');
  expect(sink.events).toEqual(['outcome ok']);
  await server.close(0);
});

test('hidden characters are removed', async () => {
  const server = await boot(strict());
  server.tools.add({ name: 'read', ...declared, handler: () => 'a\u{e0041}b' });
  expect((await as(server).call('read')).result.content[0].text).toBe('ab');
  await server.close(0);
});

describe('undeclared output is refused', () => {
  const person = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const schemas: [what: string, outputSchema: object | undefined, fits: unknown, leaks: unknown][] = [
    ['beside declared properties', person, { name: 'Ada' }, { name: 'Ada', password: 'x' }],
    [
      'inside of items',
      { type: 'array', items: person },
      [{ name: 'Ada' }],
      [{ name: 'Ada', password: 'x' }],
    ],
    [
      'beside names by a pattern',
      { type: 'object', patternProperties: { '^a': {} } },
      { a: 1 },
      { a: 1, b: 2 },
    ],
    [
      'behind a reference',
      { type: 'object', properties: { who: { $ref: '#/$defs/p' } }, $defs: { p: person } },
      { who: { name: 'Ada' } },
      { who: { name: 'Ada', password: 'x' } },
    ],
    [
      'beside parts that are declared apart',
      { type: 'object', allOf: [person, { properties: { age: { type: 'integer' } } }] },
      { name: 'Ada', age: 36 },
      { name: 'Ada', age: 36, password: 'x' },
    ],
    [
      'in one of several forms',
      { anyOf: [person, { type: 'null' }] },
      { name: 'Ada' },
      { name: 'Ada', password: 'x' },
    ],
    ['of a tool without a schema', undefined, 'Ada', { name: 'Ada' }],
    ['of a list without a schema', undefined, [{ type: 'text', text: 'Ada' }], [{ name: 'Ada' }]],
  ];

  test.each(schemas)('%s', async (_what, outputSchema, fits, leaks) => {
    const server = await boot(strict());
    const results = [fits, leaks];
    server.tools.add({
      name: 'read',
      ...declared,
      ...(outputSchema && { outputSchema: outputSchema as never }),
      handler: () => results.shift() as never,
    });
    const [good, bad] = [await as(server).call('read'), await as(server).call('read')];
    expect(good.result.isError).toBeUndefined();
    expect(bad.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Internal error/) }],
    });
    expect(JSON.stringify(bad)).not.toContain('password');
    await server.close(0);
  });

  test.each<[string, object, unknown]>([
    ['any object', { type: 'object' }, { a: 1 }],
    [
      'other properties of a kind',
      { ...person, additionalProperties: { type: 'integer' } },
      { name: 'Ada', a: 1 },
    ],
    ['anything', {}, { a: 1 }],
  ])('but %s can be declared', async (_what, outputSchema, value) => {
    const server = await boot(strict());
    server.tools.add({
      name: 'read',
      ...declared,
      outputSchema: outputSchema as never,
      handler: () => value as never,
    });
    expect((await as(server).call('read')).result.structuredContent).toEqual(value);
    await server.close(0);
  });
});

test.each(['lax', { mode: 'strict', relax: ['everything'] }, { relax: [] }, true])(
  'an unknown mode is refused: %j',
  async (security) => {
    const problems = await problemsOf({ security: security as never });
    expect(problems[0]).toMatchObject({ code: 'TW_OPTION_INVALID' });
  },
);

test.each([{}, { subject: '' }, { subject: '', clientId: '' }, { subject: undefined }])(
  'a principal without an identity is refused: %j',
  async (nameless) => {
    const server = await boot({});
    const principal = { ...nameless, scopes: [] } as never;
    const error = await connect(server, { principal }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(/TW_PRINCIPAL_UNNAMED.*neither a subject nor a clientId/s);
    await (await connect(server, { principal: { subject: '', clientId: 'batch', scopes: [] } })).close();
    await server.close(0);
  },
);

test('a principal whose subject is no text is refused by its type', async () => {
  const server = await boot({});
  const principal = { subject: 5, scopes: [] } as never;
  await expect(connect(server, { principal })).rejects.toThrow(
    /TW_OPTION_INVALID.*"principal\.subject" must be a string, not 5/s,
  );
  await server.close(0);
});
