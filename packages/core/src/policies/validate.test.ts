import type { Revival } from '@toolwright/json';
import { PipelineFixture, textOf, type ToolOptions } from '../../test/support/pipeline-fixture.js';
import { promptKind } from '../boot/kinds/prompt.js';

const search: ToolOptions = {
  name: 'search_pages',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 2 },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      sort: { enum: ['title', 'date'] },
    },
    required: ['query'],
    additionalProperties: false,
  },
};

const echo = (args: unknown) => JSON.stringify(args);

async function refusal(args: Record<string, unknown>, options: ToolOptions = search): Promise<string> {
  const fixture = new PipelineFixture();
  const result = await fixture.call(
    fixture.tool(() => {
      throw new Error('ran with invalid arguments');
    }, options),
    args,
  );
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  return textOf(result);
}

describe('invalid arguments', () => {
  it('are answered with path, expectation and received value', async () => {
    expect(await refusal({ query: 5 })).toBe(
      'Invalid arguments for search_pages:\n- query: expected a string, received the number 5',
    );
  });

  it('are all reported together', async () => {
    expect((await refusal({ limit: 500, sort: 'size', limt: 3 })).split('\n').slice(1).sort()).toEqual([
      '- limit: expected a number, at most 100, received the number 500',
      "- limt: not a known property; allowed: query, limit, sort. Did you mean 'limit'?",
      '- query: required (a string), but missing',
      '- sort: expected one of "title", "date", received the string "size"',
    ]);
  });

  it('get an answer that says that the tool has no arguments', async () => {
    const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
    expect(await refusal({ page: 1 }, { inputSchema })).toContain(
      '- page: not a known property; allowed: none',
    );
  });

  it('are reported with nested paths as authors write them', async () => {
    const items = { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'number' } } } };
    const text = await refusal(
      { list: [{}, { 'a/b': 'x' }] },
      { inputSchema: { type: 'object', properties: { list: items } } },
    );
    expect(text).toContain('- list[1].a/b: expected a number, received the string "x"');
  });

  it('get an answer of limited length, however wrong and large they are', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`key${index}`, 'x'.repeat(300)]),
    );
    const text = await refusal(many);
    expect(text.length).toBeLessThan(5_000);
    expect(text).toMatch(/… and \d+ more\.$/);
    expect((await refusal({ query: ['x'.repeat(1_000_000)] })).length).toBeLessThan(500);
  });

  it('are compared with the nearest alternative of a union', async () => {
    const shape = {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
          required: ['kind', 'r'],
        },
        { $ref: '#/$defs/Square' },
        { type: 'string' },
      ],
    };
    const Square = {
      type: 'object',
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['kind', 'side'],
    };
    const options: ToolOptions = {
      inputSchema: { type: 'object', properties: { shape }, $defs: { Square } },
    };
    const text = await refusal({ shape: { kind: 'square', side: 'long' } }, options);
    expect(text).toBe(
      'Invalid arguments for work:\n- shape.side: expected a number, received the string "long"',
    );
    const either = { anyOf: [{ type: 'string' }, { type: 'number' }] };
    expect(
      await refusal({ id: true }, { inputSchema: { type: 'object', properties: { id: either } } }),
    ).toContain('- id: expected a string or a number, received the boolean true');
  });

  it('are reported without their secrets', async () => {
    const password = { type: 'string', format: 'password', minLength: 12 };
    const text = await refusal(
      { password: 'hunter2' },
      { inputSchema: { type: 'object', properties: { password } } },
    );
    expect(text).toContain('- password: expected at least 12 characters');
    expect(text).not.toContain('hunter2');
  });

  it('are reported without hidden characters', async () => {
    expect(await refusal({ query: 'ok', sort: 'a\u{e0041}b' })).toContain('\\u{e0041}');
  });

  it('include a missing constructor, although every object inherits one', async () => {
    const inputSchema = { type: 'object', properties: { constructor: {} }, required: ['constructor'] };
    expect(await refusal({}, { inputSchema })).toContain('constructor: required');
  });

  it('named __proto__ are only data', async () => {
    const fixture = new PipelineFixture();
    const inputSchema = { type: 'object', additionalProperties: { type: 'object' } };
    const revive: Record<string, Revival> = { '': { kind: 'object', additional: { kind: 'object' } } };
    const seen: Record<string, unknown>[] = [];
    const tool = fixture.tool((args: Record<string, unknown>) => void seen.push(args), {
      inputSchema,
      target: { revive: { input: revive }, types: { revival: () => undefined, dto: () => undefined } },
    });
    await fixture.call(tool, JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>);
    expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
    expect(Object.keys(seen[0]!)).toEqual(['__proto__']);
    expect((seen[0] as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('valid arguments', () => {
  it('get the defaults of the schema', async () => {
    const fixture = new PipelineFixture();
    expect(textOf(await fixture.call(fixture.tool(echo, search), { query: 'ab' }))).toBe(
      '{"query":"ab","limit":10}',
    );
  });

  it('are not changed', async () => {
    const fixture = new PipelineFixture();
    const given = Object.freeze({ query: 'ab' });
    await fixture.call(fixture.tool(echo, search), given);
    expect(given).toEqual({ query: 'ab' });
  });

  it('may be JSON in strings only if the server says so', async () => {
    const args = { query: 'ab', limit: '7' };
    expect(await refusal(args)).toContain('- limit: expected an integer, received the string "7"');
    const lenient = new PipelineFixture({ input: { coerce: true } });
    const tool = lenient.tool(echo, search);
    expect(textOf(await lenient.call(tool, args))).toBe('{"query":"ab","limit":7}');
    expect(textOf(await lenient.call(tool, { query: 'ab', limit: '"7"' }))).toContain(
      'limit: expected an integer',
    );
    expect(textOf(await lenient.call(tool, { query: '5', limit: 1 }))).toContain('at least 2 characters');
    const nested = lenient.tool(echo, {
      inputSchema: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
    });
    expect(textOf(await lenient.call(nested, { tags: '["a", "b"]' }))).toBe('{"tags":["a","b"]}');
    const bomb = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(textOf(await lenient.call(nested, { tags: bomb }))).toContain('tags: expected an array');
  });
});

describe("a prompt's arguments", () => {
  const inputSchema = {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      loud: { type: 'boolean' },
      tone: { enum: ['kind', 'firm'] },
      tags: { $ref: '#/$defs/Tags' },
      word: { type: 'string' },
    },
    required: ['count'],
    additionalProperties: false,
    $defs: { Tags: { type: 'array', items: { type: 'string' } } },
  };

  function prompt() {
    const fixture = new PipelineFixture();
    const operation = promptKind.plan(
      {
        kind: 'prompt',
        name: 'greet',
        annotations: {},
        policies: new Map(),
        arguments: [],
        complete: {},
        inputSchema,
        target: { method: ((args: unknown) => JSON.stringify(args)) as never, instance: () => undefined },
      },
      fixture.environment,
    );
    return (args: Record<string, string>) => operation.run(fixture.request(), args);
  }

  it('are read from text by their schema', async () => {
    const result = await prompt()({
      count: '3',
      loud: 'true',
      tone: 'kind',
      tags: '["a"]',
      word: '12',
    });
    expect(result).toMatchObject({
      messages: [
        { role: 'user', content: { text: '{"count":3,"loud":true,"tone":"kind","tags":["a"],"word":"12"}' } },
      ],
    });
  });

  it('are refused with a JSON-RPC error', async () => {
    await expect(async () => prompt()({ count: 'three' })).rejects.toMatchObject({
      rpcCode: -32602,
      message: 'Invalid arguments for greet:\n- count: expected an integer, received the string "three"',
    });
  });
});
