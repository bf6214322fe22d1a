import { type JsonSchema, outputWriter } from '@toolwright/json';
import { draftTool } from '../../../../core/test/support/pipeline-fixture.js';
import type { Target } from '../operation/draft.js';
import { audio, embedded, image, resourceLink, structured, text } from './content.js';
import { shapePromptResult, shapeResourceResult } from './shape-prompt-and-resource.js';
import { shapeToolResult, toolShape } from './shape-tool-result.js';

const shape = (outputSchema?: JsonSchema, target?: Partial<Target>) =>
  toolShape(
    draftTool(() => undefined, { ...(outputSchema && { outputSchema }), ...(target && { target }) }),
    outputSchema && outputWriter(outputSchema, { undeclared: 'drop' }),
  );
const plain = shape();
const typed = shape({ type: ['string', 'array', 'object', 'null'] });
const image1 = { type: 'image', data: 'AQ==', mimeType: 'image/png' };
const said = (value: string) => ({ type: 'text', text: value });

describe('the result of a tool', () => {
  it.each<[unknown, unknown]>([
    ['hi', { content: [said('hi')] }],
    ['', { content: [said('')] }],
    [0, { content: [said('0')] }],
    [null, { content: [said('null')] }],
    [{ a: new Date(0) }, { content: [said('{"a":"1970-01-01T00:00:00.000Z"}')] }],
    [undefined, { content: [] }],
    [text('hi'), { content: [said('hi')] }],
    [
      image(new Uint8Array([1]), 'image/png'),
      { content: [{ type: 'image', data: 'AQ==', mimeType: 'image/png' }] },
    ],
    [
      [audio('AQ==', 'audio/wav'), 'and text', 5],
      { content: [{ type: 'audio', data: 'AQ==', mimeType: 'audio/wav' }, said('and text'), said('5')] },
    ],
    [
      resourceLink({ uri: 'a://b', name: 'b' }),
      { content: [{ type: 'resource_link', uri: 'a://b', name: 'b' }] },
    ],
    [
      embedded({ uri: 'a://b', blob: new Uint8Array([1]) }),
      { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'AQ==' } }] },
    ],
    [{ type: 'text', text: 'written by hand' }, { content: [said('written by hand')] }],
    [
      { content: [said('whole')], _meta: { a: 1 } },
      { content: [said('whole')], _meta: { a: 1 } },
    ],
    [[1, 2], { content: [said('[1,2]')] }],
    [{ type: 'toString' }, { content: [said('{"type":"toString"}')] }],
  ])('without an output schema: %j', (value, result) => {
    expect(JSON.parse(JSON.stringify(shapeToolResult(value, plain)))).toEqual(result);
  });

  it.each<[unknown, unknown]>([
    ['hi', { content: [said('hi')], structuredContent: 'hi' }],
    [[1n], { content: [said('[1]')], structuredContent: [1] }],
    [
      { type: 'text', text: 'data' },
      { content: [said('{"type":"text","text":"data"}')], structuredContent: { type: 'text', text: 'data' } },
    ],
    [text('content'), { content: [said('content')] }],
    [undefined, { content: [said('null')], structuredContent: null }],
  ])('with an output schema: %j', (value, result) => {
    expect(shapeToolResult(value, typed)).toEqual(result);
  });

  const answered = {
    content: [said('one'), image1],
    structuredContent: { at: new Date(0) },
    isError: false,
    _meta: { a: 1 },
    resultType: 'complete',
  };
  const sent = {
    content: answered.content,
    structuredContent: { at: '1970-01-01T00:00:00.000Z' },
    _meta: { a: 1 },
  };

  it.each([
    ['without an output schema', plain],
    ['with one', shape({ type: 'object', properties: { at: {} } })],
    ['of a method whose type says so', shape(undefined, { protocolResult: 'tool' })],
  ])('is the protocol’s own, %s', (_, each) => {
    expect(shapeToolResult(answered, each)).toEqual(sent);
    expect(shapeToolResult({ content: [said('no')], isError: true }, each)).toEqual({
      content: [said('no')],
      isError: true,
    });
  });

  it.each<[string, unknown]>([
    ['has other members', { content: [said('a')], title: 'b' }],
    ['has other items', { content: [{ type: 'heading', text: 'a' }] }],
    ['has no list', { content: 'a' }],
  ])('is data if it %s', (_, value) => {
    for (const each of [plain, shape({})])
      expect(shapeToolResult(value, each).content).toEqual([said(JSON.stringify(value))]);
  });

  it("is the list of a generator's items", () => {
    const list = shape({ type: 'array', items: { type: 'integer' } }, { stream: true });
    const generator = function* () {
      yield 1;
      yield 2;
    };
    expect(shapeToolResult(generator(), list)).toMatchObject({ structuredContent: [1, 2] });
    const iterable = { [Symbol.iterator]: generator };
    expect(shapeToolResult(iterable, list)).toMatchObject({ structuredContent: [1, 2] });
  });

  it('is data with a property content if the output schema may say so', () => {
    const value = { content: [said('a')] };
    const schema = { type: 'object', properties: { content: { type: 'array' } } };
    expect(shapeToolResult(value, shape(schema))).toMatchObject({ structuredContent: value });
    expect(() => shapeToolResult(value, shape({ type: 'object', properties: { a: {} } }))).toThrow(
      'the result has no "structuredContent": return structured(value, content)',
    );
  });

  it('is sent unchanged if the compiler did not know the type', () => {
    const value = { content: [said('a')] };
    expect(shapeToolResult(value, shape({}))).toEqual({ ...value, structuredContent: value });
    expect(shapeToolResult({ ...value, isError: true }, shape({}))).toEqual({ ...value, isError: true });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'text', 'it is a string, not an object'],
    ['no list', { content: 'a' }, '"content" is not an array of content blocks'],
    [
      'an unknown block',
      { content: [said('a'), { type: 'video' }] },
      'content[1] has the type "video", which is',
    ],
    [
      'half an image',
      { content: [{ type: 'image', data: 'AQ==' }] },
      'type "image" needs "mimeType", a string',
    ],
    ['a link without a name', { content: [{ type: 'resource_link', uri: 'a://b' }] }, 'needs "name"'],
    [
      'an empty resource',
      { content: [{ type: 'resource', resource: { uri: 'a://b' } }] },
      'a "resource" that needs "text", or "blob" in base64',
    ],
    ['a flag that is none', { content: [], isError: 'no' }, '"isError" is not true or false'],
  ])('is refused with the reason: %s', (_, value, message) => {
    const declared = shape(undefined, { protocolResult: 'tool' });
    expect(() => shapeToolResult(value, declared)).toThrow(message);
  });

  it('is empty if a method with such a type returns nothing', () => {
    expect(shapeToolResult(undefined, shape(undefined, { protocolResult: 'tool' }))).toEqual({ content: [] });
  });

  it('is joined from the items of a stream', () => {
    const stream = shape(undefined, { protocolResult: 'tool', stream: true });
    const pieces = [
      { content: [said('a')], structuredContent: { a: 1 } },
      { content: [said('b')], isError: true },
    ];
    expect(shapeToolResult(pieces, stream)).toEqual({
      content: [said('a'), said('b')],
      isError: true,
      structuredContent: { a: 1 },
    });
    const list = shape({ type: 'array' }, { stream: true });
    expect(shapeToolResult([structured(1, 'one'), structured(2)], list)).toEqual({
      content: [said('one'), said('2')],
      structuredContent: [1, 2],
    });
  });

  it('may have separate text and data', () => {
    const data = { at: new Date(0) };
    const structuredContent = { at: '1970-01-01T00:00:00.000Z' };
    for (const each of [plain, typed]) {
      expect(shapeToolResult(structured(data, 'Then.'), each)).toEqual({
        content: [said('Then.')],
        structuredContent,
      });
      expect(shapeToolResult(structured(data, [image(new Uint8Array([1]), 'image/png'), 'x']), each)).toEqual(
        {
          content: [image1, said('x')],
          structuredContent,
        },
      );
      expect(shapeToolResult(structured(data, undefined, { meta: { b: 2 } }), each)).toEqual({
        content: [said(JSON.stringify(structuredContent))],
        structuredContent,
        _meta: { b: 2 },
      });
    }
  });

  it('does not contain the internal mark', () => {
    expect(Object.keys(text('hi'))).toEqual(['type', 'text']);
    expect(JSON.stringify(text('hi', { annotations: { priority: 1 } }))).toBe(
      '{"type":"text","text":"hi","annotations":{"priority":1}}',
    );
  });
});

describe('the result of a prompt', () => {
  it.each<[unknown, unknown[]]>([
    ['hi', [{ role: 'user', content: said('hi') }]],
    [
      [text('a'), { role: 'assistant', content: 'b' }],
      [
        { role: 'user', content: said('a') },
        { role: 'assistant', content: said('b') },
      ],
    ],
    [{ messages: [{ role: 'user', content: said('a') }] }, [{ role: 'user', content: said('a') }]],
    [{ any: 'value' }, [{ role: 'user', content: said('{"any":"value"}') }]],
  ])('%j', (value, messages) => {
    expect(shapePromptResult(value, { description: undefined }).messages).toEqual(messages);
  });
});

test.each<[string, unknown, string]>([
  ['another role', { role: 'system', content: said('a') }, 'messages[1] has the role "system"'],
  [
    'half a block',
    { role: 'user', content: { type: 'image' } },
    'messages[1] has a content that of the type',
  ],
])('a prompt is refused with the reason: %s', (_, message, problem) => {
  for (const value of [['a', message], { messages: ['a', message] }])
    expect(() => shapePromptResult(value, { description: undefined })).toThrow(problem);
});

test("the result of a prompt keeps the SDK's fields", () => {
  const own = { description: 'Mine.', messages: [{ role: 'user', content: said('a') }], _meta: { b: 1 } };
  expect(shapePromptResult(own, { description: 'Other.' })).toEqual(own);
});

describe('the contents of a resource', () => {
  const known = { uri: 'page://7', mimeType: 'text/markdown', era: 'stateless' as const };

  it.each<[unknown, unknown[]]>([
    ['# Hi', [{ uri: 'page://7', mimeType: 'text/markdown', text: '# Hi' }]],
    [new Uint8Array([1]), [{ uri: 'page://7', mimeType: 'text/markdown', blob: 'AQ==' }]],
    [{ text: 'x', mimeType: 'text/plain' }, [{ uri: 'page://7', mimeType: 'text/plain', text: 'x' }]],
    [
      [{ uri: 'page://8', text: 'a' }, { blob: new Uint8Array([1]) }],
      [
        { uri: 'page://8', mimeType: 'text/markdown', text: 'a' },
        { uri: 'page://7', mimeType: 'text/markdown', blob: 'AQ==' },
      ],
    ],
    [
      { text: 'x', other: 1 },
      [{ uri: 'page://7', mimeType: 'text/markdown', text: '{"text":"x","other":1}' }],
    ],
    [
      { contents: [{ uri: 'page://9', text: 'x' }] },
      [{ uri: 'page://9', mimeType: 'text/markdown', text: 'x' }],
    ],
    [
      { contents: ['One'], title: 'Book' },
      [{ uri: 'page://7', mimeType: 'text/markdown', text: '{"contents":["One"],"title":"Book"}' }],
    ],
    [{ contents: ['One'] }, [{ uri: 'page://7', mimeType: 'text/markdown', text: '{"contents":["One"]}' }]],
  ])('%j', (value, contents) => {
    expect(shapeResourceResult(value, known).contents).toEqual(contents);
  });

  it.each([
    [{ text: 'x' }, '"contents" is not an array'],
    [{ contents: [{ uri: 'a://b', text: 'x' }, { uri: 'a://c' }] }, 'contents[1] needs "text", or "blob"'],
  ])('are refused if the type promises a result: %j', (value, problem) => {
    expect(() => shapeResourceResult(value, { ...known, returnsResult: true })).toThrow(problem);
  });
});

describe('data of prompts and resources', () => {
  const person: JsonSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const write = outputWriter(person, { undeclared: 'drop' });
  const row = { name: 'Ada', passwordHash: 'x' };
  const text = '{"name":"Ada"}';

  it('is written by the type of the method, if it is known', () => {
    const shape = { uri: 'a://b', mimeType: undefined, era: 'stateless', write } as const;
    const contents = [{ uri: 'a://b', mimeType: 'application/json', text }];
    expect(shapeResourceResult(row, shape)).toEqual({ contents });
    expect(shapePromptResult(row, { description: undefined, write })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text } }],
    });
    expect(() => shapeResourceResult({}, shape)).toThrow('name: required (a string), but missing');
  });

  it('is not content: content is sent unchanged', () => {
    const shape = { uri: 'a://b', mimeType: undefined, era: 'stateless', write } as const;
    expect(shapeResourceResult('text', shape)).toEqual({ contents: [{ uri: 'a://b', text: 'text' }] });
    expect(shapeResourceResult({ text: 'x' }, shape)).toEqual({ contents: [{ uri: 'a://b', text: 'x' }] });
    const message = { role: 'assistant', content: { type: 'text', text: 'x' } };
    expect(shapePromptResult([message], { description: undefined, write })).toEqual({ messages: [message] });
  });
});
