import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { buildManifest, type BuildResult } from '@toolwright/schema-compiler';
import { OtherTools } from './fixtures/standard-schemas/src/other-tools.js';
import { ZodTools } from './fixtures/standard-schemas/src/zod-tools.js';
import { boot } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const id = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const due = '2026-01-31T10:00:00Z';

let built: BuildResult;
let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  const project = join(__dirname, 'fixtures/standard-schemas/tsconfig.json');
  built = await buildManifest({ project });
  server = await boot({ services: [ZodTools, OtherTools], manifest: built.manifest });
  wire = new StatelessWire(server);
});

afterAll(() => server.close(0));

const listed = async (name: string) => {
  const { result } = await wire.request('tools/list');
  return result.tools.find((tool: { name: string }) => tool.name === name);
};
const text = async (name: string, args: object): Promise<string> => {
  const { result } = await wire.call(name, { ...args });
  return result.content[0].text as string;
};

describe('published are the constraints of', () => {
  test('a Zod schema for the whole input', async () => {
    const whole = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        title: { type: 'string', minLength: 2, maxLength: 20 },
        due: { type: 'string', format: 'date-time' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        tags: { type: 'array', maxItems: 3 },
      },
      required: ['id', 'title', 'due'],
    };
    expect((await listed('create')).inputSchema).toMatchObject(whole);
    expect((await listed('replace')).inputSchema).toMatchObject(whole);
  });

  test('a Valibot schema', async () => {
    expect((await listed('valibot')).inputSchema).toMatchObject({
      properties: {
        id: { format: 'uuid' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      },
      required: ['id', 'when'],
    });
    expect((await listed('valibotPart')).inputSchema.properties.word).toEqual({
      type: 'string',
      minLength: 3,
    });
  });

  test('an ArkType schema', async () => {
    expect((await listed('arktype')).inputSchema).toMatchObject({
      properties: { isbn: { minLength: 13, maxLength: 13 }, pages: { minimum: 1, maximum: 5000 } },
      required: ['isbn'],
    });
  });

  test('one parameter beside others that TypeScript describes', async () => {
    expect((await listed('among')).inputSchema).toMatchObject({
      properties: { size: { type: 'integer', minimum: 5 }, due: { type: 'string', format: 'date-time' } },
      required: ['due', 'name', 'size'],
      additionalProperties: false,
    });
  });

  test('a union for the whole input, which is an object', async () => {
    expect(server.explain('draw')!.input).toMatchObject({ type: 'object', oneOf: [{}, {}] });
    expect(await text('draw', { kind: 'square', side: 2 })).toBe('square');
    expect(await text('draw', { kind: 'square', side: 2, radius: 1 })).toContain('radius');
  });

  test('a schema that contains itself, in several places', async () => {
    const leaf = { name: 'b', children: [] };
    expect(await text('tree', { root: { name: 'a', children: [leaf] }, other: leaf })).toBe('1');
    const wrong = { name: 'a', children: [{ name: 'too long', children: [] }] };
    expect(await text('tree', { root: leaf, other: wrong })).toContain(
      'other.children[0].name: expected at most 5 characters',
    );
    const { $defs, properties } = server.explain('tree')!.input;
    expect(Object.keys($defs!)).toEqual(['root', 'other']);
    expect(properties!['other']).toMatchObject({
      properties: { children: { items: { $ref: '#/$defs/other' } } },
    });
  });

  test('a result', async () => {
    const { outputSchema } = await listed('made');
    expect(outputSchema).toMatchObject({ properties: { id: { format: 'uuid' }, at: { format: 'date' } } });
    const { result } = await wire.call('made', {});
    expect(result.structuredContent).toEqual({ id, at: '2026-01-31' });
  });
});

test('doc comments describe what the schema says nothing about', async () => {
  expect((await listed('create')).inputSchema.properties.title.description).toBe('what it is called');
  expect((await listed('named')).inputSchema.properties.slug.description).toBe('how it is addressed');
  expect((await listed('among')).inputSchema.properties.name.description).toBe('who it is');
});

describe('the method gets the output of the schema', () => {
  test('for the whole input: trimmed, converted, with defaults', async () => {
    expect(await text('create', { id, title: '  abc ', due })).toBe('true 10 "abc"');
    expect(await text('replace', { id, title: '  abc ', due })).toBe('true "abc"');
    expect(await text('valibot', { id, when: '2026-01-31T10:00:00.000Z' })).toBe('10 true');
    expect(await text('arktype', { isbn: '1234567890123' })).toBe('1234567890123 false');
  });

  test('for parameters by their names', async () => {
    expect(await text('named', { slug: 'a-b' })).toBe('a-b 3');
  });

  test('for one parameter, whether it was sent or not', async () => {
    expect(await text('among', { name: 'x', size: 5, due })).toBe('x 5 2026 7 9');
    expect(await text('among', { name: 'x', size: 5, due, length: 'abc', optional: 1 })).toBe('x 5 2026 3 1');
    expect(await text('arktypePart', { due: '2026-01-31', name: 'x' })).toBe('2026 x');
    expect(await text('parsed', { query: 'abc' })).toBe('abc');
  });

  test('for a prompt, whose arguments are texts', async () => {
    const { result } = await wire.request('prompts/get', { name: 'ask', arguments: { count: '3' } });
    expect(result.messages[0].content.text).toBe('4 kind');
  });
});

describe('a call is refused', () => {
  test('for a value that does not fit the published schema, even if the schema would convert it', async () => {
    expect(await text('named', { slug: 'a', count: '7' })).toContain('- count: expected a number');
    expect(await text('flagged', { word: 'A' })).toContain('- word: expected text that matches ^a');
    expect(await text('flagged', { word: 'a' })).toBe('a');
  });

  test('for another property only if the schema refuses it', async () => {
    expect(await text('replace', { id, title: 'abc', due, other: 1 })).toBe('true "abc"');
    expect(await text('named', { slug: 'a', other: 1 })).toContain('- other: not a known property');
  });

  test('by the published schema, with all problems', async () => {
    const refused = await text('create', { id: 'x', title: 'a', due, limit: 0 });
    expect(refused).toContain('- id: expected a UUID, received the string "x"');
    expect(refused).toContain('- title: expected at least 2 characters');
    expect(refused).toContain('- limit: expected a number, at least 1, received the number 0');
  });

  test('by what only the schema knows, also asynchronously', async () => {
    expect(await text('among', { name: 'taken', size: 5, due })).toBe(
      'Invalid arguments for among:\n- name: This name is taken, received the string "taken"',
    );
    // Two characters are enough for the published schema, and the text is trimmed after that.
    expect(await text('create', { id, title: ' a', due })).toContain('- title: ');
  });

  test('without a sensitive value, whatever the message of the author says', async () => {
    const refused = await text('login', { user: 'a', password: 'hunter2' });
    expect(refused).toBe('Invalid arguments for login:\n- password: expected another value');
    expect((await listed('login')).inputSchema.properties.password.writeOnly).toBe(true);
  });
});

test('the manifest says which arguments a schema decides, and does not convert them', () => {
  expect(built.diagnostics).toEqual([]);
  const entries = Object.fromEntries(built.manifest.entries.map((entry) => [entry.method, entry]));
  expect(entries['create']).toMatchObject({ standard: [''], flatten: true, revive: {} });
  expect(entries['named']).toMatchObject({ standard: [''], flatten: false });
  expect(entries['among']).toMatchObject({ standard: ['name', 'due', 'length', 'optional'], revive: {} });
  expect(entries['made']).not.toHaveProperty('standard');
  // What clients send, as far as TypeScript knows it: not the Date that the method gets.
  expect(built.manifest.schemas[entries['create']!.input]).toMatchObject({
    properties: { due: { type: 'string' } },
    required: ['due', 'id', 'title'],
  });
});

test('the contract of a tool changes with the schema', () => {
  expect(server.explain('create')!.contract).not.toBe(server.explain('replace')!.contract);
  expect(server.explain('among')!.steps).toContainEqual(
    expect.objectContaining({ name: 'convert', detail: 'zod' }),
  );
  expect(server.explain('made')!.steps.map(({ name }) => name)).not.toContain('convert');
});
