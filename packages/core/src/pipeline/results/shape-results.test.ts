import { audio, embedded, image, resourceLink, text } from './content.js';
import { shapePromptResult } from './shape-prompt-result.js';
import { shapeResourceResult } from './shape-resource-result.js';
import { shapeToolResult } from './shape-tool-result.js';

const plain = { hasOutputSchema: false, revival: undefined };
const typed = { hasOutputSchema: true, revival: undefined };
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
  ])('with an output schema: %j', (value, result) => {
    expect(shapeToolResult(value, typed)).toEqual(result);
  });

  it('does not show its mark', () => {
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
    expect(shapePromptResult(value, undefined).messages).toEqual(messages);
  });
});

describe('the contents of a resource', () => {
  const shape = { uri: 'page://7', mimeType: 'text/markdown', era: 'modern' as const };

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
  ])('%j', (value, contents) => {
    expect(shapeResourceResult(value, shape).contents).toEqual(contents);
  });
});
